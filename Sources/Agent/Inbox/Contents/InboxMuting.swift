package import Basics

/// The rules of the configuration for the inbox of one account.
package struct InboxRules: Sendable {
    /// The effects of a rule on a notification in the inbox.
    struct Marks: Equatable {
        /// Whether it has no popup.
        var isMuted: Bool
        /// Whether it counts in badges while it is unread.
        var isCounted: Bool
    }

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
    package func effects(of notification: Notification) -> RuleEffects? {
        rules.effects(notification, of: account, at: localTime(notification.created))
    }

    /// nil: nothing changes.
    func marks(of notification: Notification) -> Marks? {
        guard let effects = effects(of: notification), effects.isMuted || !effects.countsInBadge else { return nil }
        return Marks(isMuted: effects.isMuted, isCounted: effects.countsInBadge)
    }
}

/// The notifications that rules mute, and those that they leave out of badges.
struct InboxMuting {
    /// nil: no rule concerns the inbox.
    private(set) var rules: InboxRules?
    private var marks: [NotificationID: InboxRules.Marks] = [:]
    /// The unread ones that are not loaded and do not count, with the indices of their tabs.
    var unloaded: [NotificationID: [Int]] = [:]

    /// Whether nothing is muted or left out.
    var isEmpty: Bool { marks.isEmpty && unloaded.isEmpty }

    /// The marks of a loaded notification.
    subscript(id: NotificationID) -> InboxRules.Marks? { marks[id] }

    /// Applies other rules to the loaded notifications. What is not loaded is unknown then.
    mutating func apply(_ rules: InboxRules?, to loaded: some Sequence<Notification>) {
        self.rules = rules
        (marks, unloaded) = ([:], [:])
        if rules != nil { for notification in loaded { load(notification) } }
    }

    mutating func load(_ notification: Notification) {
        unloaded[notification.id] = nil
        guard let rules else { return }
        marks[notification.id] = rules.marks(of: notification)
    }

    mutating func discard(_ id: NotificationID) {
        marks[id] = nil
        unloaded[id] = nil
    }
}
