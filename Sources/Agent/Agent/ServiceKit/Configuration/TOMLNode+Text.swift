import FoundationEssentials

extension TOMLNode {
    /// The value in TOML, on one line.
    package var toml: String {
        switch value {
        case .string(let text): text.tomlString
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        // No key of the configuration has one.
        case .date: "1970-01-01"
        case .moment(let milliseconds):
            Self.moment(milliseconds)
        case .table(let entries): "{ " + Self.lines(entries).joined(separator: ", ") + " }"
        case .array(let elements): "[" + elements.map(\.toml).joined(separator: ", ") + "]"
        }
    }

    /// The value as a document of TOML, if it is a table: without comments, with the keys in the order of their lines.
    package var document: String { Self.document(entries ?? [:], path: []).joined(separator: "\n") }

    /// - Parameter path: The name of the table. Tables in one with two names are written on one line.
    private static func document(_ entries: [String: TOMLNode], path: [String]) -> [String] {
        let tables = path.count < 2 ? entries.filter { $0.value.entries != nil } : [:]
        let arrays = path.isEmpty ? entries.compactMapValues(\.tables) : [:]
        let lines = text(entries.filter { tables[$0.key] == nil && arrays[$0.key] == nil })
        let header = path.isEmpty ? "" : "[\(path.map(\.tomlKey).joined(separator: "."))]\n"
        let own = lines.isEmpty && (path.isEmpty || !tables.isEmpty) ? [] : [header + lines]
        let below = sorted(tables).reduce(into: own) { $0 += document($1.value.entries ?? [:], path: path + [$1.key]) }
        return sorted(entries.filter { arrays[$0.key] != nil }).reduce(into: below) { parts, array in
            parts += arrays[array.key, default: []].map { "[[\(array.key.tomlKey)]]\n" + text($0) }
        }
    }

    private static func text(_ entries: [String: TOMLNode]) -> String { lines(entries).map { $0 + "\n" }.joined() }

    /// The elements of an array of tables; nil: it is none.
    private var tables: [[String: TOMLNode]]? {
        guard case .array(let elements) = value, !elements.isEmpty else { return nil }
        let tables = elements.compactMap(\.entries)
        return tables.count == elements.count ? tables : nil
    }

    private static func moment(_ milliseconds: Int64) -> String {
        let seconds = Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
        let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
        return fraction == "000" ? seconds : "\(seconds.dropLast()).\(fraction)Z"
    }

    private static func lines(_ entries: [String: TOMLNode]) -> [String] {
        sorted(entries).map { "\($0.key.tomlKey) = \($0.value.toml)" }
    }

    private static func sorted(_ entries: [String: TOMLNode]) -> [(key: String, value: TOMLNode)] {
        entries.sorted { ($0.value.line, $0.key) < ($1.value.line, $1.key) }
    }
}
