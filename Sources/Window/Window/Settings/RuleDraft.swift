package import AgentInterface

/// A rule that the user makes or changes, until it is saved.
package struct RuleDraft: Equatable, Sendable {
    /// A field of the form.
    package enum Field: Hashable, Sendable {
        case account, category, topic, title, text, from, to, days
        case popup, urgency, sound, timeout, badge, markRead, ignoreQuiet, end
    }

    /// The id of the rule that is changed; nil: it is a new one.
    package private(set) var id: String?
    /// Keys without a field stay as they are.
    private var rule: RuleRecord
    private(set) var conditions: RuleConditionsRecord
    private(set) var settings: RuleSettingsRecord
    /// The texts of the fields as the user has typed them.
    private var typed: [Field: String] = [:]
    /// The chosen one of ``ends``; nil: the end that the rule had.
    private var chosenEnd: Int?
    /// Sentences about the notifications that the rule matches; nil: it was not tried, or has changed since.
    var result: String?

    /// - Parameter rule: nil: a new one.
    init(_ rule: RuleRecord? = nil) {
        self.rule = rule ?? RuleRecord()
        id = rule?.id
        conditions = RuleConditionsRecord(rule?.conditions ?? [:])
        settings = RuleSettingsRecord(rule?.settings ?? [:])
    }

    /// The argument of `AddRule`, `ChangeRule` and `TryRule`.
    package var record: RuleRecord {
        var (record, settings) = (rule, settings)
        if settings.mute == true {
            (settings.urgency, settings.sound, settings.timeout, settings.ignoreQuiet) = (nil, nil, nil, nil)
            (settings.resident, settings.digest, settings.markSeen) = (nil, nil, nil)
            (settings.replace, settings.icon) = (nil, nil)
        } else if settings.resident != true {
            settings.markRead = nil
        }
        (record.conditions, record.settings) = (conditions.values, settings.values)
        return record
    }

    static let urgencies: [String?] = [nil, "low", "normal", "critical"]
    static let sounds: [String?] = [nil, "none"]
    /// In milliseconds.
    static let timeouts: [Int32?] = [nil, -1, 5_000, 10_000, 30_000, 0]

    /// How long a rule lasts; nil: without an end.
    static let ends: [SnoozeChoice?] = [nil] + SnoozeChoice.allCases

    /// In milliseconds since the Unix epoch; 0: it has no end.
    var until: Int64 { rule.until }

    // MARK: Values

    /// - Parameter accounts: The names of all accounts.
    func value(of field: Field, accounts: [String]) -> FormValue {
        switch field {
        case .account:
            let pattern = conditions.account
            let index = accounts.firstIndex { [RulePattern.exact($0)] == pattern || [$0] == pattern }
            return .choice(pattern == nil ? 0 : index.map { $0 + 1 })
        case .category: return .typed(typed[field] ?? Self.line(conditions.category))
        case .topic: return .typed(typed[field] ?? Self.line(conditions.topic))
        case .title: return .typed(typed[field] ?? Self.words(conditions.title))
        case .text: return .typed(typed[field] ?? Self.words(conditions.text))
        case .from: return .typed(typed[field] ?? conditions.from ?? "")
        case .to: return .typed(typed[field] ?? conditions.to ?? "")
        case .days: return .several(Weekday.configured.indices(of: conditions.days ?? Weekday.configured))
        case .popup: return .toggle(settings.mute != true)
        case .urgency: return .choice(Self.urgencies.firstIndex(of: settings.urgency))
        case .sound: return .choice(Self.sounds.firstIndex(of: settings.sound))
        case .timeout: return .choice(Self.timeouts.firstIndex(of: settings.timeout))
        case .badge: return .toggle(settings.badge != false)
        case .markRead: return .toggle(settings.markRead == true)
        case .ignoreQuiet: return .toggle(settings.ignoreQuiet == true)
        case .end: return .choice(chosenEnd ?? (rule.until == 0 ? 0 : nil))
        }
    }

    mutating func set(_ field: Field, to value: FormValue, accounts: [String], now: Int64) {
        result = nil
        switch (field, value) {
        case (.account, .choice(let index?)):
            let name = index > 0 && index <= accounts.count ? accounts[index - 1] : nil
            conditions.account = name.map { [RulePattern.exact($0)] }
        case (.category, .typed(let text)): (typed[field], conditions.category) = (text, Self.patterns(text))
        case (.topic, .typed(let text)): (typed[field], conditions.topic) = (text, Self.patterns(text))
        case (.title, .typed(let text)):
            (typed[field], conditions.title) = (text, Self.patterns(text)?.map(Self.containing))
        case (.text, .typed(let text)):
            (typed[field], conditions.text) = (text, Self.patterns(text)?.map(Self.containing))
        case (.from, .typed(let text)): (typed[field], conditions.from) = (text, text.isEmpty ? nil : text)
        case (.to, .typed(let text)): (typed[field], conditions.to) = (text, text.isEmpty ? nil : text)
        case (.days, .several(let chosen)):
            let days = Weekday.configured.elements(at: chosen)
            conditions.days = days.isEmpty || days == Weekday.configured ? nil : days
        case (.popup, .toggle(let isOn)): settings.mute = isOn ? nil : true
        case (.urgency, .choice(let index?)): settings.urgency = Self.urgencies[index]
        case (.sound, .choice(let index?)): settings.sound = Self.sounds[index]
        case (.timeout, .choice(let index?)): settings.timeout = Self.timeouts[index]
        case (.badge, .toggle(let isOn)): settings.badge = isOn ? nil : false
        case (.markRead, .toggle(let isOn)): settings.markRead = isOn ? true : nil
        case (.end, .choice(let index?)): (chosenEnd, rule.until) = (index, Self.ends[index]?.until(now: now) ?? 0)
        case (.ignoreQuiet, .toggle(let isOn)): settings.ignoreQuiet = isOn ? true : nil
        default: break
        }
    }

    // MARK: Patterns

    private static func line(_ patterns: [String]?) -> String { (patterns ?? []).joined(separator: ", ") }

    private static func words(_ patterns: [String]?) -> String {
        line(
            patterns?.map { pattern in
                let inner = pattern.dropFirst().dropLast()
                let isPlain = pattern.count > 2 && pattern.first == "*" && pattern.last == "*" && isPlain(inner)
                return isPlain ? String(inner) : pattern
            }
        )
    }

    /// Separated by commas; nil: none.
    private static func patterns(_ text: String) -> [String]? {
        // A comma may be a part of a regular expression.
        if text.hasPrefix("/") { return [text] }
        let patterns = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        return patterns.isEmpty ? nil : patterns
    }

    /// The pattern that finds words anywhere, unless the user has written a pattern.
    private static func containing(_ words: String) -> String {
        isPlain(words[...]) && !words.hasPrefix("/") ? "*\(words)*" : words
    }

    private static func isPlain(_ text: Substring) -> Bool { !text.contains { "*?\\".contains($0) } }
}
