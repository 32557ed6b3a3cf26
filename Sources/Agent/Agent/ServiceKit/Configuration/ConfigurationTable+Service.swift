package import AgentInterface
import ClientKit

/// The keys that several services have.
extension ConfigurationTable {
    /// The base URL of one of the service's hosts.
    ///
    /// - Parameters:
    ///   - host: The host's name, such as "API".
    ///   - schemes: The first one is suggested if the URL has none.
    package mutating func url(
        _ key: String,
        of host: String,
        schemes: [String] = ["https", "http"]
    ) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        do { return try BaseURL.normal(text, schemes: schemes) } catch {
            throw self.error(key, "\"\(name(key))\" is invalid. \(error.sentence(about: text, of: host))")
        }
    }

    /// The number of notifications that are loaded at once.
    package mutating func pageSize(_ key: String) throws(ConfigurationError) -> Int {
        try integer(key, in: 1...100) ?? Self.defaultPageSize
    }

    private static var defaultPageSize: Int { 20 }

    /// The stores that an array of tables defines; nil: there is none. Two may not have the same id.
    ///
    /// - Parameter read: Reads one of them, apart from its id and label.
    package mutating func stores<Store>(
        _ key: String,
        _ read: (_ id: String, _ label: String, inout ConfigurationTable) throws(ConfigurationError) -> Store
    ) throws(ConfigurationError) -> [Store]? {
        var ids: Set<String> = []
        var stores: [Store] = []
        guard let tables = try tableArray(key) else { return nil }
        for var table in tables {
            let id = try table.requiredString("id")
            stores.append(try read(id, try table.string("label") ?? id, &table))
            try table.finish()
            if !ids.insert(id).inserted {
                throw error(key, "Two stores of [\(path)] have the id \"\(id)\". Use a different id for each.")
            }
        }
        return stores
    }

    /// Keys with their values in TOML, without those that have none.
    package static func pairs(_ texts: KeyValuePairs<String, String?>) -> [(key: String, value: String)] {
        texts.compactMap { key, text in text.map { (key, $0.tomlString) } }
    }

    /// `page_size`, unless it is the default.
    package static func pairs(pageSize: Int) -> [(key: String, value: String)] {
        pageSize == defaultPageSize ? [] : [("page_size", "\(pageSize)")]
    }
}

extension TokenSource {
    /// Whether an argument of its command looks like a token.
    package var holdsSecrets: Bool {
        guard case .command(let words) = self else { return false }
        return words.contains { $0.contains("eyJ") }
    }
}

extension ServiceDescription.Option {
    /// The address of one of the service's hosts.
    ///
    /// - Parameter host: The host's name, such as "API host".
    package static func url(_ name: String, host: String, label: String) -> Self {
        Self(name, help: "The \(host), if not the service's own.", label: label, valueName: "url")
    }
}
