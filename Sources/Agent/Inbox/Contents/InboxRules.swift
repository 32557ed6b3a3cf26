package import Basics

/// The rules of the configuration for the inbox of one account.
package struct InboxRules: Sendable {
    package let rules: Rules
    /// The key of the account.
    private let account: String
    /// Converts a moment to local time.
    private let localTime: @Sendable (Timestamp) -> WeeklyHours.LocalTime

    /// - Parameters:
    ///   - account: The key of the account.
    ///   - localTime: Converts a moment to local time.
    package init(
        _ rules: Rules,
        of account: String,
        localTime: @escaping @Sendable (Timestamp) -> WeeklyHours.LocalTime
    ) {
        self.rules = rules
        self.account = account
        self.localTime = localTime
    }

    /// The settings of the rule that applies to a notification, as if it arrived when it was created; nil: none does.
    package func effects(of notification: Notification) -> RuleEffects? { effects(match(notification)) }

    /// The notifications to which a rule applies, as if they arrived when they were created.
    ///
    /// - Parameter budget: For all of them; the rules for one of them have a budget of their own, too.
    /// - Returns: nil: the budget is exhausted.
    package func matching(_ notifications: [Notification], within budget: inout PatternBudget) -> [Notification]? {
        var found: [Notification] = []
        for notification in notifications {
            let match = match(notification)
            budget.spend(match.steps)
            guard !budget.isExhausted else { return nil }
            if match.rule != nil { found.append(notification) }
        }
        return found
    }

    /// The rule that applies to a notification, as if it arrived when it was created.
    package func match(_ notification: Notification) -> Rules.Match {
        rules.firstMatch(notification, of: account, at: localTime(notification.created))
    }

    /// nil: no rule applies.
    package func effects(_ match: Rules.Match) -> RuleEffects? { match.rule.map { rules.rules[$0].effects } }
}
