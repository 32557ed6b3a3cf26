/// The conditions of a rule; all have to hold.
package struct RuleConditions: Equatable, Sendable {
    /// A field of a notification that a rule compares with patterns, named as in the configuration.
    package enum Field: String, Sendable, CaseIterable {
        case account, category, tag, topic, title, text
    }

    /// One of these patterns has to match the field; of several tags, one tag.
    package struct Match: Equatable, Sendable {
        package var field: Field
        package var patterns: [TextPattern]

        package init(_ field: Field, _ patterns: [TextPattern]) {
            self.field = field
            self.patterns = patterns
        }
    }

    /// At most one for each field, in the order in which they are checked.
    package private(set) var matches: [Match]
    /// When the notification has to arrive; nil: at any time.
    package var hours: WeeklyHours?

    /// The texts are checked last: they take the longest.
    package init(_ matches: [Match] = [], hours: WeeklyHours? = nil) {
        self.matches = Field.allCases.compactMap { field in matches.first { $0.field == field } }
        self.hours = hours
    }

    /// Whether one of the patterns is this one.
    package func has(_ pattern: String) -> Bool {
        matches.contains { $0.patterns.contains { $0.source == pattern } }
    }

    /// The first condition that is not met; nil: the rule applies.
    func mismatch(_ subject: inout RuleSubject) -> RuleMismatch? {
        if let hours, !hours.contains(subject.time) { return .hours(hours, subject.time) }
        for match in matches {
            let texts = subject.texts(match.field)
            if !texts.contains(where: { text in match.patterns.contains { subject.search($0, text) } }) {
                return .field(match, texts.map(\.text))
            }
        }
        return nil
    }
}

/// Why a rule does not apply.
package enum RuleMismatch: Equatable, Sendable {
    /// No pattern matches one of the notification's values.
    case field(RuleConditions.Match, [String])
    case hours(WeeklyHours, WeeklyHours.LocalTime)
}

/// A notification as rules see it. Its texts are prepared when the first pattern needs them.
struct RuleSubject {
    private static let preparedBytesPerStep = 8

    let time: WeeklyHours.LocalTime
    /// The patterns that exceeded the limit of a search, or the budget.
    private(set) var exceeding: [TextPattern] = []
    private(set) var budget: PatternBudget
    private let notification: Notification
    private let account: String
    private var prepared: [RuleConditions.Field: [PatternText]] = [:]

    /// - Parameters:
    ///   - account: The account's name in the configuration.
    ///   - time: When it arrived.
    ///   - budget: For all rules.
    init(
        _ notification: Notification,
        account: String,
        time: WeeklyHours.LocalTime,
        within budget: PatternBudget = .notification
    ) {
        self.notification = notification
        self.account = account
        self.time = time
        self.budget = budget
    }

    mutating func texts(_ field: RuleConditions.Field) -> [PatternText] {
        if let texts = prepared[field] { return texts }
        let texts = values(field).map(PatternText.init)
        for text in texts { budget.spend(text.text.utf8.count / Self.preparedBytesPerStep) }
        prepared[field] = texts
        return texts
    }

    /// Whether the pattern matches a text of the notification.
    mutating func search(_ pattern: TextPattern, _ text: PatternText) -> Bool {
        let result = pattern.search(text, within: &budget)
        if result == .limitExceeded { exceeding.append(pattern) }
        return result == .match
    }

    private func values(_ field: RuleConditions.Field) -> [String] {
        switch field {
        case .account: [account]
        case .category: [notification.category]
        case .tag: notification.tags
        case .topic: [notification.topic]
        case .title: [RichText(title: notification.title).plain]
        case .text: [RichText(markup: notification.body).plain]
        }
    }
}
