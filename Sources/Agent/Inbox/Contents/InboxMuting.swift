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

    fileprivate func match(_ notification: Notification) -> Rules.Match {
        rules.firstMatch(notification, of: account, at: localTime(notification.created))
    }

    private func effects(_ match: Rules.Match) -> RuleEffects? { match.rule.map { rules.rules[$0].effects } }

    /// Whether badges leave out a notification while it is unread.
    package func leavesOut(_ notification: Notification) -> Bool { marks(of: notification)?.isCounted == false }

    /// nil: nothing changes.
    func marks(of notification: Notification) -> Marks? { marks(match(notification)) }

    fileprivate func marks(_ match: Rules.Match) -> Marks? {
        guard let effects = effects(match), effects.isMuted || !effects.countsInBadge else { return nil }
        return Marks(isMuted: effects.isMuted, isCounted: effects.countsInBadge)
    }
}

/// The notifications that rules mute, and those that they leave out of badges.
struct InboxMuting {
    /// The work of one call of ``nextMarks(of:)``: some milliseconds.
    private static let step = PatternBudget(steps: 250_000)
    /// The steps that a notification takes besides those of the rules.
    private static let stepsOfNotification = 250

    /// nil: no rule concerns the inbox.
    private(set) var rules: InboxRules?
    private var marks: [NotificationID: InboxRules.Marks] = [:]
    /// The unread ones that are not loaded and do not count, with the indices of their tabs.
    var unloaded: [NotificationID: [Int]] = [:]
    /// The loaded notifications that have the marks of earlier rules.
    private(set) var unchecked: [NotificationID] = []
    /// The patterns that exceeded a limit with the loaded notifications.
    private(set) var exceeding: Set<Rules.ExceedingPattern> = []

    /// Whether nothing is muted or left out.
    var isEmpty: Bool { marks.isEmpty && unloaded.isEmpty }

    /// The marks of a loaded notification.
    subscript(id: NotificationID) -> InboxRules.Marks? {
        get { marks[id] }
        set { marks[id] = newValue }
    }

    /// Uses other rules. What is not loaded is unknown then.
    mutating func use(_ rules: InboxRules?, for loaded: some Sequence<NotificationID>) {
        self.rules = rules
        (unloaded, unchecked, exceeding) = ([:], Array(loaded), [])
    }

    /// The marks of the next unchecked notifications.
    mutating func nextMarks(
        of loaded: [NotificationID: Shared<Notification>]
    ) -> [(id: NotificationID, marks: InboxRules.Marks?)] {
        var next: [(NotificationID, InboxRules.Marks?)] = []
        var budget = Self.step
        while !budget.isExhausted, let id = unchecked.popLast() {
            guard let notification = loaded[id]?.value else { continue }
            let match = rules?.match(notification)
            exceeding.formUnion(match?.exceeding ?? [])
            budget.spend(Self.stepsOfNotification + (match?.steps ?? 0))
            next.append((id, match.flatMap { rules?.marks($0) }))
        }
        return next
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
