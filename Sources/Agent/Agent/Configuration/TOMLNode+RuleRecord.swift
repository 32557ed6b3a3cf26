import AgentInterface
import DBus
import Inbox

extension TOMLNode {
    /// The table of a rule of `settings.toml`.
    ///
    /// - Parameter record: As of `AddRule` in `dbus/org.feedbell.Agent1.xml`.
    /// - Throws: `InvalidArgs` if it has unknown keys or values of other types. Values are checked by ``Rule``.
    init(rule record: [String: DBus.Value], id: String) throws(DBusError) {
        try Self.check(record, RuleKeys.descriptions.map(\.name), "a rule")
        let (rule, keys) = (RuleRecord(record), RuleKeys.all)
        var table = RuleTable()
        table.add("id", .string(id))
        if try !rule.checked(keys.isEnabled) { table.add("enabled", .boolean(false)) }
        let until = try rule.checked(keys.until)
        if until != 0 { table.add("until", .moment(until)) }
        try table.add(conditions: try rule.checked(keys.conditions))
        try table.add(settings: try rule.checked(keys.settings))
        self = table.node
    }

    fileprivate static func check(_ record: [String: DBus.Value], _ names: [String], _ owner: String) throws(DBusError)
    {
        guard let unknown = record.keys.sorted().first(where: { !names.contains($0) }) else { return }
        let known = names.joined(separator: ", ")
        throw DBusError(.invalidArgs, "\"\(unknown)\" is not a key of \(owner). The keys are \(known).")
    }
}

/// A table of TOML with its keys in the order in which they were added.
private struct RuleTable {
    private var entries: [String: TOMLNode] = [:]

    var node: TOMLNode { TOMLNode(.table(entries), file: "", line: 1) }

    mutating func add(_ key: String, _ value: TOMLNode.Value?) {
        if let value { entries[key] = TOMLNode(value, file: "", line: entries.count + 1) }
    }

    private mutating func add(_ key: String, _ texts: [String]?) {
        add(key, texts.map { .array($0.map { TOMLNode(.string($0), file: "", line: 1) }) })
    }

    mutating func add(conditions record: [String: Value]) throws(DBusError) {
        try TOMLNode.check(record, RuleConditionsKeys.descriptions.map(\.name), "a rule's conditions")
        let (conditions, keys) = (RuleConditionsRecord(record), RuleConditionsKeys.all)
        for key in [keys.account, keys.category, keys.tag, keys.topic, keys.title, keys.text] {
            add(key.name, try conditions.checked(key))
        }
        for key in [keys.from, keys.to] { add(key.name, try conditions.checked(key).map(TOMLNode.Value.string)) }
        add(keys.days.name, try conditions.checked(keys.days))
    }

    mutating func add(settings record: [String: Value]) throws(DBusError) {
        try TOMLNode.check(record, RuleSettingsKeys.descriptions.map(\.name), "a rule's settings")
        let (settings, keys) = (RuleSettingsRecord(record), RuleSettingsKeys.all)
        for key in [keys.urgency, keys.sound, keys.markSeen, keys.replace, keys.icon] {
            add(key.name, try settings.checked(key).map(TOMLNode.Value.string))
        }
        for key in [keys.resident, keys.mute, keys.badge, keys.markRead, keys.ignoreQuiet] {
            // A key with its default would have no effect, and other keys may contradict it.
            guard let flag = try settings.checked(key), flag != (key.name == keys.badge.name) else { continue }
            add(key.name, .boolean(flag))
        }
        add(keys.timeout.name, try settings.checked(keys.timeout).map(Self.timeout))
        add(keys.digest.name, try settings.checked(keys.digest).map(Self.interval))
    }

    /// - Parameter milliseconds: As of `Notify`.
    private static func timeout(_ milliseconds: Int32) -> TOMLNode.Value {
        switch milliseconds {
        case ..<0: .string("default")
        case 0: .string("never")
        case _ where milliseconds % 1000 == 0: .integer(Int64(milliseconds) / 1000)
        default: .float(Double(milliseconds) / 1000)
        }
    }

    private static func interval(_ seconds: UInt32) -> TOMLNode.Value {
        let units: [(String, UInt32)] = [("d", 86_400), ("h", 3_600), ("m", 60)]
        let unit = units.first { seconds > 0 && seconds % $0.1 == 0 }
        return .string(unit.map { "\(seconds / $0.1)\($0.0)" } ?? "\(seconds)s")
    }
}
