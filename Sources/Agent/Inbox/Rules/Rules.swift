package import Basics

/// The rules of all files of the configuration (`[[rules]]`). The first one that applies to a notification decides.
package struct Rules: Equatable, Sendable {
    /// Whether a rule applies to a notification.
    package struct Check: Equatable, Sendable {
        /// Counted from 0.
        package var rule: Int
        /// nil: it applies.
        package var mismatch: RuleMismatch?

        package init(rule: Int, mismatch: RuleMismatch?) {
            self.rule = rule
            self.mismatch = mismatch
        }
    }

    /// A pattern that exceeded the limit of a search, or the budget of all rules, so that it did not match.
    package struct ExceedingPattern: Hashable, Sendable {
        /// Counted from 0.
        package var rule: Int
        /// The pattern as the user wrote it.
        package var pattern: String

        package init(rule: Int, pattern: String) {
            self.rule = rule
            self.pattern = pattern
        }
    }

    package struct Match: Equatable, Sendable {
        /// The index of the rule that applies; nil: none.
        package var rule: Int?
        /// The patterns that exceeded a limit until then.
        package var exceeding: [ExceedingPattern]
        /// The steps that were taken, as of ``PatternBudget``.
        package var steps: Int
    }

    package let rules: [Rule]
    /// Whether each rule is in use: it is on, and its end has not come.
    private var isActive: [Bool]
    /// Whether a rule has a thread or a digest; most configurations have none.
    let hasThreads: Bool
    let hasDigests: Bool
    /// The names of the accounts by their keys.
    package var accountNames: [String: String]

    package init(_ rules: [Rule] = [], accountNames: [String: String] = [:]) {
        self.rules = rules
        isActive = rules.map(\.isEnabled)
        hasThreads = rules.contains { $0.effects.replace != nil }
        hasDigests = rules.contains { $0.effects.digest != nil }
        self.accountNames = accountNames
    }

    package var isEmpty: Bool { rules.isEmpty }

    /// Whether an active rule changes what the inbox shows of a notification: whether it is muted, counts or is read.
    package var concernInbox: Bool { zip(rules, isActive).contains { $1 && $0.effects.concernInbox } }

    /// Rules whose end has come are no longer active.
    package mutating func update(at now: Timestamp) {
        isActive = rules.map { $0.isEnabled && !$0.isEnded(at: now) }
    }

    /// When the next active rule ends; nil: none has an end.
    package func nextEnd(after now: Timestamp) -> Timestamp? {
        rules.compactMap { $0.isEnabled && !$0.isEnded(at: now) ? $0.until : nil }.min()
    }

    /// Finds the rule that applies to a notification.
    ///
    /// - Parameters:
    ///   - account: The key of its account.
    ///   - time: When it arrived.
    ///   - budget: For all rules.
    package func firstMatch(
        _ notification: Notification,
        of account: String,
        at time: WeeklyHours.LocalTime,
        within budget: PatternBudget = .notification
    ) -> Match {
        let name = accountNames[account] ?? account
        var subject = RuleSubject(notification, account: name, time: time, within: budget)
        var exceeding: [ExceedingPattern] = []
        let match = rules.indices.first { index in
            guard isActive[index] else { return false }
            let count = subject.exceeding.count
            let applies = rules[index].conditions.mismatch(&subject) == nil
            exceeding += subject.exceeding[count...].map { ExceedingPattern(rule: index, pattern: $0.source) }
            return applies
        }
        return Match(rule: match, exceeding: exceeding, steps: budget.steps - subject.budget.steps)
    }

    /// The active rules until the first one that applies, with the reason why the others do not. For the parameters see
    /// ``firstMatch(_:of:at:within:)``.
    package func checks(
        _ notification: Notification,
        of account: String,
        at time: WeeklyHours.LocalTime
    ) -> [Check] {
        var subject = RuleSubject(notification, account: accountNames[account] ?? account, time: time)
        var checks: [Check] = []
        for (index, rule) in rules.enumerated() where isActive[index] {
            let check = Check(rule: index, mismatch: rule.conditions.mismatch(&subject))
            checks.append(check)
            if check.mismatch == nil { break }
        }
        return checks
    }
}
