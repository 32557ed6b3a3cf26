import Basics

/// Muted notifications, and those that badges leave out.
extension InboxState {
    /// Other rules mute notifications. Until ``setUncounted(_:)`` says which ones that are not loaded are left out of
    /// badges, they count.
    ///
    /// - Parameter rules: nil: none concerns the inbox.
    package mutating func apply(_ rules: InboxRules?) -> [Difference] {
        changing(Array(reported.keys) + muting.unloaded.keys) { state in
            state.muting.apply(rules, to: state.reported.values.lazy.map(\.value))
        }
    }

    /// The rules that concern the inbox; nil: none does.
    package var muteRules: InboxRules? { muting.rules }

    /// Determines which notifications of the copy that are not loaded are left out of badges.
    package mutating func setUncounted(inCopy kept: [Notification]) {
        let ids = Set(kept.map(\.id)).union(muting.unloaded.keys)
        _ = changing(Array(ids)) { state in
            state.muting.unloaded = [:]
            state.setUncounted(kept)
        }
    }

    mutating func setUncounted(_ notifications: [Notification]) {
        for notification in notifications where !isLoaded(notification.id) {
            let isLeftOut =
                notification.read == nil && !notification.isArchived
                && muting.rules?.marks(of: notification)?.isCounted == false
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
