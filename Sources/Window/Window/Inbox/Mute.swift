package import AgentInterface
import VisibleText

/// What a notification has in common with others that are muted with it.
package enum MuteSubject: String, CaseIterable, Sendable {
    case category, topic

    /// The value that the notification has; empty: none.
    func value(of notification: NotificationRecord) -> String {
        switch self {
        case .category: notification.category
        case .topic: notification.topic
        }
    }
}

/// How long something is muted, as the menu offers it.
package enum MuteChoice: String, CaseIterable, Sendable {
    case hour, tomorrow, always

    package var title: String {
        switch self {
        case .hour: SnoozeChoice.hour.title
        case .tomorrow: SnoozeChoice.tomorrow.title
        // Translators: How long a category is muted: an item of a menu.
        case .always: translated("Until I Unmute It")
        }
    }

    /// Milliseconds since the Unix epoch, as `now`; 0: without an end.
    package func until(now: Int64) -> Int64 {
        switch self {
        case .hour: SnoozeChoice.hour.until(now: now)
        case .tomorrow: SnoozeChoice.tomorrow.until(now: now)
        case .always: 0
        }
    }
}

/// The agent's reply to a ``Mute``.
package enum MuteReply: Equatable, Sendable {
    case muted(rule: String)
    /// In a sentence.
    case failed(String)
}

/// A request to mute a category or topic of an account.
package struct Mute: Equatable, Sendable {
    package var account: String
    package var subject: MuteSubject
    package var value: String
    /// Milliseconds since the Unix epoch; 0: without an end.
    package var until: Int64

    package init(account: String, subject: MuteSubject, value: String, until: Int64) {
        (self.account, self.subject, self.value, self.until) = (account, subject, value, until)
    }

    /// The conditions of its rule.
    package var conditions: RuleConditionsRecord {
        var conditions = RuleConditionsRecord()
        conditions.account = [RulePattern.exact(account)]
        switch subject {
        case .category: conditions.category = [RulePattern.exact(value)]
        case .topic: conditions.topic = [RulePattern.exact(value)]
        }
        return conditions
    }
}
