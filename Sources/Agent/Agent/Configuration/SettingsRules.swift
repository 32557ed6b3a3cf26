import AgentInterface
import Basics
import DBus
import Inbox

/// The rules of `settings.toml`, which programs change.
struct SettingsRules {
    /// The tables in the order of the file.
    private(set) var tables: [TOMLNode]

    /// - Parameters:
    ///   - tables: The tables of the file.
    ///   - now: Mutes that have ended until then are removed.
    init(_ tables: [TOMLNode], now: Timestamp) {
        self.tables = tables
        self.tables.removeAll { table in
            guard let rule = try? Self.rule(table), rule.isMute else { return false }
            return rule.isEnded(at: now)
        }
    }

    /// A rule that is added, changed or tried.
    ///
    /// - Throws: `InvalidArgs` with a sentence about the first mistake.
    static func checked(_ record: [String: Value], id: String, now: Timestamp) throws(DBusError) -> TOMLNode {
        let table = try TOMLNode(rule: record, id: id)
        let rule: Rule
        do throws(ConfigurationError) { rule = try self.rule(table) } catch {
            throw DBusError(.invalidArgs, error.problem)
        }
        guard !rule.isEnded(at: now) else {
            throw DBusError(.invalidArgs, "The end of the rule is in the past. Choose a later one.")
        }
        // TOML has no later time.
        guard rule.until.map({ $0 <= .latest }) ?? true else {
            throw DBusError(
                .invalidArgs,
                "The end of the rule is after the year 9999. Pass 0 for a rule without an end."
            )
        }
        return table
    }

    static func rule(_ table: TOMLNode) throws(ConfigurationError) -> Rule {
        try Rule(try ConfigurationTable(table, path: "rules"), number: 0, of: .settings)
    }

    /// An id that no rule has.
    func newID(at now: Timestamp) -> String {
        let used = Set(tables.indices.map(id))
        var number = now.milliseconds
        while used.contains(String(number, radix: 36)) { number += 1 }
        return String(number, radix: 36)
    }

    /// Adds a rule before another one; empty: after all.
    mutating func add(_ table: TOMLNode, before other: String) throws(DBusError) {
        tables.insert(table, at: other.isEmpty ? tables.endIndex : try index(of: other, besides: table))
    }

    /// Adds a mute, or changes the end of the one with the same conditions.
    ///
    /// - Returns: Its id.
    mutating func mute(_ table: TOMLNode) throws(DBusError) -> String {
        let new = try? Self.rule(table)
        let index = tables.firstIndex { other in
            guard let rule = try? Self.rule(other), rule.isMute else { return false }
            return rule.conditions == new?.conditions
        }
        guard let index else {
            tables.append(table)
            return new?.id ?? ""
        }
        let id = id(index)
        var entries = table.entries ?? [:]
        entries["id"]?.value = .string(id)
        tables[index] = TOMLNode(.table(entries), file: table.file, line: table.line)
        return id
    }

    mutating func change(_ id: String, to table: TOMLNode) throws(DBusError) {
        tables[try index(of: id)] = table
    }

    mutating func remove(_ id: String) throws(DBusError) { tables.remove(at: try index(of: id)) }

    /// Moves a rule before another one; empty: after all.
    mutating func move(_ id: String, before other: String) throws(DBusError) {
        guard id != other else { return }
        let table = tables[try index(of: id)]
        if !other.isEmpty { _ = try index(of: other, besides: table) }
        try remove(id)
        try add(table, before: other)
    }

    private func id(_ index: Int) -> String {
        tables[index].entries?["id"]?.text ?? "\(Rule.Origin.settings.rawValue)-\(index + 1)"
    }

    private func index(of id: String) throws(DBusError) -> Int {
        guard let index = tables.indices.first(where: { self.id($0) == id }) else {
            throw DBusError(AgentErrors.notFound, "There is no rule \"\(id)\". Rules lists the ids.")
        }
        return index
    }

    /// The place of a rule before which another one can be: both are mutes, or neither is.
    private func index(of id: String, besides table: TOMLNode) throws(DBusError) -> Int {
        let index = try index(of: id)
        guard (try? Self.rule(tables[index]).isMute) == (try? Self.rule(table).isMute) else {
            let sentence = "Mutes are tried before the other rules. Choose a place among rules of the same kind."
            throw DBusError(.invalidArgs, sentence)
        }
        return index
    }
}
