import AgentInterface
import FoundationEssentials

/// Reads one table of the configuration key by key. ``finish()`` rejects keys that were not read.
package struct ConfigurationTable {
    package let file: String
    /// The name of the table in error messages, for example `accounts.work`; empty for the root.
    package let path: String
    package let line: Int
    private let entries: [String: TOMLNode]
    private var known: Set<String> = []

    package init(_ node: TOMLNode, path: String) throws(ConfigurationError) {
        guard case .table(let entries) = node.value else {
            let problem = "\"\(path)\" must be a table, written [\(path)], but it is \(node.kind)."
            throw ConfigurationError(file: node.file, line: node.line, problem: problem)
        }
        file = node.file
        self.path = path
        self.line = node.line
        self.entries = entries
    }

    /// A table of values that do not come from a file.
    ///
    /// - Parameter trueKeys: The keys whose value is `true`.
    package init(_ texts: [String: String], trueKeys: [String] = [], path: String, file: String) {
        self.file = file
        self.path = path
        line = 1
        var entries = texts.mapValues { TOMLNode(.string($0), file: file, line: 1) }
        for key in trueKeys { entries[key] = TOMLNode(.boolean(true), file: file, line: 1) }
        self.entries = entries
    }

    /// An error about one key of this table.
    package func error(_ key: String, _ problem: String) -> ConfigurationError {
        ConfigurationError(
            file: entries[key]?.file ?? file,
            line: entries[key]?.line ?? line,
            problem: problem
        )
    }

    /// The full name of a key, for messages.
    package func name(_ key: String) -> String { path.isEmpty ? key.tomlKey : "\(path).\(key.tomlKey)" }

    /// The keys of the table, in the order of their files and lines.
    package var keys: [String] {
        let sorted = entries.sorted {
            ($0.value.layer, $0.value.line, $0.key) < ($1.value.layer, $1.value.line, $1.key)
        }
        return sorted.map(\.key)
    }

    package func contains(_ key: String) -> Bool { entries[key] != nil }

    /// The value of a key, of any kind.
    package mutating func node(_ key: String) -> TOMLNode? {
        known.insert(key)
        return entries[key]
    }

    package mutating func string(_ key: String) throws(ConfigurationError) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.value else { throw wrongKind(key, "a string in quotation marks") }
        guard !text.isEmpty else { throw error(key, "\"\(name(key))\" is empty. Set a value or remove the line.") }
        return text
    }

    package mutating func requiredString(_ key: String) throws(ConfigurationError) -> String {
        guard let text = try string(key) else {
            throw ConfigurationError(
                file: file,
                line: line,
                problem: "[\(path)] has no \"\(key)\". Add \(key) = \"…\"."
            )
        }
        return text
    }

    package mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(ConfigurationError) -> Int? {
        guard let node = node(key) else { return nil }
        guard case .integer(let number) = node.value else { throw wrongKind(key, "a whole number") }
        guard range.contains(number) else {
            throw error(key, "\"\(name(key))\" must be from \(range.lowerBound) to \(range.upperBound), not \(number).")
        }
        return Int(number)
    }

    package mutating func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .boolean(let value) = node.value else { throw wrongKind(key, "true or false") }
        return value
    }

    /// A date and a time with an offset, in milliseconds since the Unix epoch.
    package mutating func moment(_ key: String) throws(ConfigurationError) -> Int64? {
        guard let node = node(key) else { return nil }
        guard case .moment(let milliseconds) = node.value else {
            let problem = "must be a date, a time and an offset, such as 2026-12-01T18:00:00+01:00."
            throw error(key, "\"\(name(key))\" \(problem)")
        }
        return milliseconds
    }

    package mutating func strings(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let node = node(key) else { return nil }
        guard case .array(let nodes) = node.value else { throw wrongKind(key, "an array of strings") }
        var strings: [String] = []
        for element in nodes {
            guard case .string(let text) = element.value else { throw wrongKind(key, "an array of strings") }
            strings.append(text)
        }
        return strings
    }

    /// One text or several, written as a string or as an array of strings.
    package mutating func texts(_ key: String) throws(ConfigurationError) -> [String]? {
        guard let node = node(key) else { return nil }
        if case .array(let elements) = node.value {
            guard !elements.isEmpty else {
                throw error(key, "\"\(name(key))\" is empty. Set a value or remove the line.")
            }
            return try strings(key)
        }
        guard case .string = node.value else { throw wrongKind(key, "a string or an array of strings") }
        return try string(key).map { [$0] }
    }

    /// The tables below a key: of a table of tables, with their names, in the order of their files and lines.
    package mutating func tables(_ key: String) throws(ConfigurationError) -> [(
        name: String, table: ConfigurationTable
    )] {
        guard let node = node(key) else { return [] }
        let parent = try ConfigurationTable(node, path: name(key))
        var tables: [(String, ConfigurationTable)] = []
        for child in parent.keys {
            guard let node = parent.entries[child] else { continue }
            tables.append((child, try ConfigurationTable(node, path: parent.name(child))))
        }
        return tables
    }

    /// The tables of an array of tables, written `[[…]]`.
    package mutating func tableArray(_ key: String) throws(ConfigurationError) -> [ConfigurationTable]? {
        guard let node = node(key) else { return nil }
        guard case .array(let nodes) = node.value else { throw wrongKind(key, "tables, each written [[\(name(key))]]") }
        var tables: [ConfigurationTable] = []
        for element in nodes { tables.append(try ConfigurationTable(element, path: name(key))) }
        return tables
    }

    /// Texts that must each be one of the choices. One that is given twice counts once.
    package mutating func choices<Choice: RawRepresentable & CaseIterable & Equatable>(
        _ key: String
    ) throws(ConfigurationError) -> [Choice]? where Choice.RawValue == String {
        guard let texts = try strings(key) else { return nil }
        var choices: [Choice] = []
        for text in texts {
            guard let choice = Choice(rawValue: text) else { throw invalid(key, text, Choice.allCases.map(\.rawValue)) }
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// A text that must be one of the given choices.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(ConfigurationError) -> Choice? where Choice.RawValue == String {
        try choice(key, of: Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
    }

    /// A text that must be one of the given choices.
    package mutating func choice(_ key: String, of choices: [String]) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        guard choices.contains(text) else { throw invalid(key, text, choices) }
        return text
    }

    private func invalid(_ key: String, _ text: String, _ choices: [String]) -> ConfigurationError {
        let choices = choices.map { "\"\($0)\"" }.joined(separator: ", ")
        return error(key, "\"\(name(key))\" cannot be \"\(text)\". Choose one of \(choices).")
    }

    /// A path of a file, absolute or relative to the home directory (`~/`).
    package mutating func path(_ key: String) throws(ConfigurationError) -> String? {
        guard let text = try string(key) else { return nil }
        guard text.hasPrefix("/") || text.hasPrefix("~/") else {
            throw error(key, "\"\(name(key))\" must be an absolute path, starting with / or ~/.")
        }
        return try expandHome(text, of: key)
    }

    /// A text that may be a path, with the home directory instead of `~/` at its beginning.
    package func expandHome(_ text: String, of key: String) throws(ConfigurationError) -> String {
        guard text.hasPrefix("~/") else { return text }
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
            throw error(key, "The home directory for ~/ in \"\(name(key))\" is unknown. Set HOME.")
        }
        return home + text.dropFirst()
    }

    /// Throws an error for the first unknown key, which suggests the most similar known one.
    package func finish() throws(ConfigurationError) {
        guard let key = keys.first(where: { !known.contains($0) }) else { return }
        let place = path.isEmpty ? "the configuration" : "[\(path)]"
        let nearest = known.min { ($0.editDistance(to: key), $0) < ($1.editDistance(to: key), $1) }
        let hint = nearest.map { " The nearest valid key is \"\($0)\"." } ?? ""
        throw error(key, "\"\(key)\" is not a key of \(place).\(hint)")
    }

    package func wrongKind(_ key: String, _ expected: String) -> ConfigurationError {
        error(key, "\"\(name(key))\" must be \(expected), but it is \(entries[key]?.kind ?? "missing").")
    }
}
