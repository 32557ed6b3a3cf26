package import AgentInterface
import Basics
import VisibleText

/// What exists in the agent's inboxes, for the conditions of a rule.
package struct RuleChoices: Equatable, Sendable {
    /// Accounts by their names.
    package var accounts: [String] = []
    package var categories: [String] = []
    package var tags: [String] = []

    package init(accounts: [String] = [], categories: [String] = [], tags: [String] = []) {
        (self.accounts, self.categories, self.tags) = (accounts, categories, tags)
    }
}

/// A rule that the user makes or changes, until it is saved.
package struct RuleDraft: Equatable, Sendable {
    /// A field of the form.
    package enum Field: Hashable, Sendable {
        case account, category, otherCategory, tag, otherTag, topic, title, text, from, to, days
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
    /// Those of which another value than the present ones is typed.
    private var isOther: Set<Field> = []
    let choices: RuleChoices

    /// - Parameter rule: nil: a new one.
    init(_ rule: RuleRecord? = nil, choices: RuleChoices = RuleChoices()) {
        self.choices = choices
        self.rule = rule ?? RuleRecord()
        id = rule?.id
        conditions = RuleConditionsRecord(rule?.conditions ?? [:])
        settings = RuleSettingsRecord(rule?.settings ?? [:])
        for (field, patterns, known) in [
            (Field.category, conditions.category, choices.categories), (.tag, conditions.tag, choices.tags),
        ] where patterns != nil && Self.index(of: patterns, in: known) == nil {
            isOther.insert(field)
        }
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

    /// Whether a field is wrong.
    var isWrong: Bool { [Field.from, .to].contains { !problem(of: $0).isEmpty } }

    /// Whether the rule has an effect and no field is wrong.
    var canBeSaved: Bool { !record.settings.isEmpty && !isWrong }

    // MARK: Values

    /// The fields that are shown, in their order.
    var conditionFields: [Field] {
        let (category, tag) = (isOther.contains(.category), isOther.contains(.tag))
        let first: [Field?] = [.account, .category, category ? .otherCategory : nil, .tag, tag ? .otherTag : nil]
        return first.compactMap(\.self) + [.topic, .title, .text, .from, .to, .days]
    }

    func value(of field: Field) -> FormValue {
        switch field {
        case .account:
            let index = Self.index(of: conditions.account, in: choices.accounts).map { $0 + 1 }
            return .choice(conditions.account == nil ? 0 : index)
        case .category: return choice(field, conditions.category, choices.categories)
        case .tag: return choice(field, conditions.tag, choices.tags)
        case .otherCategory: return .typed(typed[field] ?? Self.line(conditions.category))
        case .otherTag: return .typed(typed[field] ?? Self.line(conditions.tag))
        case .topic: return .typed(typed[field] ?? Self.line(conditions.topic))
        case .title: return .typed(typed[field] ?? Self.words(conditions.title))
        case .text: return .typed(typed[field] ?? Self.words(conditions.text))
        case .from: return .typed(typed[field] ?? WrittenClock.shown(conditions.from ?? ""))
        case .to: return .typed(typed[field] ?? WrittenClock.shown(conditions.to ?? ""))
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

    /// Why the value of a field is wrong, in a sentence; empty: it is not.
    func problem(of field: Field) -> String {
        guard field == .from || field == .to else { return "" }
        let (text, other) = (typed[field] ?? "", field == .from ? conditions.to : conditions.from)
        let clock = field == .from ? conditions.from : conditions.to
        if clock == nil, !text.trimmed.isEmpty { return WrittenClock.problem(text) }
        return clock == nil && other != nil ? translated("Fill in both times, or none.") : ""
    }

    mutating func set(_ field: Field, to value: FormValue, now: Int64) {
        if case .typed(let text) = value { typed[field] = text }
        switch (field, value) {
        case (.account, .choice(let index?)):
            conditions.account = index > 0 ? Self.exact(index - 1, of: choices.accounts) : nil
        case (.category, .choice(let index?)): conditions.category = choose(field, index, choices.categories)
        case (.tag, .choice(let index?)): conditions.tag = choose(field, index, choices.tags)
        case (.otherCategory, .typed(let text)): conditions.category = Self.patterns(text)
        case (.otherTag, .typed(let text)): conditions.tag = Self.patterns(text)
        case (.topic, .typed(let text)): conditions.topic = Self.patterns(text)
        case (.title, .typed(let text)): conditions.title = Self.patterns(text)?.map(Self.containing)
        case (.text, .typed(let text)): conditions.text = Self.patterns(text)?.map(Self.containing)
        case (.from, .typed(let text)): conditions.from = WrittenClock.configured(text)
        case (.to, .typed(let text)): conditions.to = WrittenClock.configured(text)
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

    // MARK: Choices

    /// Any, the known ones, and another one.
    private func choice(_ field: Field, _ patterns: [String]?, _ known: [String]) -> FormValue {
        if isOther.contains(field) { return .choice(known.count + 1) }
        return .choice(patterns == nil ? 0 : Self.index(of: patterns, in: known).map { $0 + 1 })
    }

    private mutating func choose(_ field: Field, _ index: Int, _ known: [String]) -> [String]? {
        let other = field == .category ? Field.otherCategory : .otherTag
        typed[other] = nil
        if index > known.count { isOther.insert(field) } else { isOther.remove(field) }
        return index > 0 ? Self.exact(index - 1, of: known) : nil
    }

    private static func exact(_ index: Int, of known: [String]) -> [String]? {
        known.indices.contains(index) ? [RulePattern.exact(known[index])] : nil
    }

    private static func index(of patterns: [String]?, in known: [String]) -> Int? {
        known.firstIndex { [RulePattern.exact($0)] == patterns || [$0] == patterns }
    }

    // MARK: Patterns

    private static func line(_ patterns: [String]?) -> String { (patterns ?? []).joined(separator: ", ") }

    private static func words(_ patterns: [String]?) -> String { line(patterns?.map(plain)) }

    /// The words that a pattern finds anywhere, or the text that it matches; of another pattern, the pattern.
    static func plain(_ pattern: String) -> String {
        let inner = pattern.dropFirst().dropLast()
        if pattern.count > 2, pattern.first == "*", pattern.last == "*", isPlain(inner) { return String(inner) }
        return pattern
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
