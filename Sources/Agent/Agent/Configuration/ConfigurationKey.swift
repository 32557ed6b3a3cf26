/// The full name of a key or table of the configuration, such as `popups.timeout`.
package struct ConfigurationKey: Hashable, Sendable, CustomStringConvertible {
    package var names: [String]

    package init(_ names: [String]) { self.names = names }

    /// A key as TOML writes it; nil: it is none.
    package init?(_ text: String) {
        guard var node = try? TOMLNode.parse("\(text) = 0", file: "") else { return nil }
        var names: [String] = []
        while let entries = node.entries {
            guard let entry = entries.first, entries.count == 1 else { return nil }
            names.append(entry.key)
            node = entry.value
        }
        self.names = names
    }

    package var description: String { names.map(\.tomlKey).joined(separator: ".") }

    /// Whether the key belongs to an account's table.
    var isOfAccount: Bool { names.count == 3 && names[0] == "accounts" }

    static func + (table: ConfigurationKey, name: String) -> ConfigurationKey {
        ConfigurationKey(table.names + [name])
    }
}
