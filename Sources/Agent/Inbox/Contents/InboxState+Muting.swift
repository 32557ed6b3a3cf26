import Basics

/// Muted notifications, and those that badges leave out.
extension InboxState {
    /// Other rules mute notifications: at once the first ones, the others with ``checkNext()``. Until
    /// ``setUncounted(inCopy:)`` says which ones that are not loaded are left out of badges, they count.
    ///
    /// - Parameter rules: nil: none concerns the inbox.
    package mutating func apply(_ rules: InboxRules?) -> [Difference] {
        let differences = changing(Array(muting.unloaded.keys)) { $0.muting.use(rules, for: $0.reported.keys) }
        return differences + checkNext()
    }

    /// Whether the rules were applied to all loaded notifications.
    package var isChecked: Bool { muting.unchecked.isEmpty }

    /// Applies the rules to further loaded notifications, which takes some milliseconds.
    package mutating func checkNext() -> [Difference] {
        let next = muting.nextMarks(of: reported)
        return changing(next.map(\.id)) { state in for (id, marks) in next { state.muting[id] = marks } }
    }

    /// The patterns that exceeded a limit when the rules were applied.
    package var exceedingPatterns: Set<Rules.ExceedingPattern> { muting.exceeding }

    /// The rules that concern the inbox; nil: none does.
    package var muteRules: InboxRules? { muting.rules }

    /// Sets which notifications of the copy are left out of badges.
    ///
    /// - Parameter leftOut: The unread ones; see ``InboxRules/leavesOut(_:)``.
    package mutating func setUncounted(inCopy leftOut: [Notification]) {
        let ids = Set(leftOut.map(\.id)).union(muting.unloaded.keys)
        _ = changing(Array(ids)) { state in
            state.muting.unloaded = [:]
            for notification in leftOut where !state.isLoaded(notification.id) {
                state.muting.unloaded[notification.id] = state.tabIndices(of: notification)
            }
        }
    }

    mutating func setUncounted(_ notifications: [Notification]) {
        for notification in notifications where !isLoaded(notification.id) {
            let isLeftOut =
                notification.read == nil && !notification.isArchived && muting.rules?.leavesOut(notification) == true
            muting.unloaded[notification.id] = isLeftOut ? tabIndices(of: notification) : nil
        }
    }

    private func tabIndices(of notification: Notification) -> [Int] {
        tabs.indices.filter { tabs[$0].predicate.matches(notification) }
    }

    /// The indices of the tabs in which an unread notification is snoozed or left out of the badge; nil: it counts.
    private func hiddenTabs(of id: NotificationID) -> [Int]? {
        guard isLoaded(id) else {
            // Reading it would have ended the snooze.
            if let snooze = snoozes[id] { return snooze.wasRead ? nil : muting.unloaded[id] ?? [] }
            return muting.unloaded[id].flatMap { isUnread(id, overlay.changes(of: id)) ? $0 : nil }
        }
        guard snoozes[id] != nil || muting[id]?.isCounted == false, let notification = present(id),
            notification.read == nil, !notification.isArchived
        else { return nil }
        return tabIndices(of: notification)
    }

    /// Whether an unread notification of which nothing is loaded stays unread.
    func isUnread(_ id: NotificationID, _ changes: [TimestampedChange]) -> Bool {
        applying(changes, to: Notification(id: id, created: 0)).map { $0.read == nil && !$0.isArchived } ?? false
    }

    mutating func countHidden(_ id: NotificationID, by step: Int) {
        guard !(snoozes.isEmpty && muting.isEmpty), let tabs = hiddenTabs(of: id) else { return }
        for index in [nil] + tabs.map(Optional.some) { hidden[index, default: 0] += step }
    }
}
