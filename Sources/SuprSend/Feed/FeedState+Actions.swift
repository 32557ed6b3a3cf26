package import Basics
import ClientKit
import FoundationEssentials

/// Actions: applied here at once, reverted if the service refuses them.
extension FeedState {
    /// Applies `action` here. Nil: it has no effect, and no request is needed.
    package mutating func begin(_ action: FeedAction, now: Timestamp) -> (number: UInt64, effects: [Effect])? {
        guard !isDone(action) else { return nil }
        let number = nextNumber()
        let before = rows.visible
        let change = change(for: action, number: number, now: now)
        if let change { rows.propose(change, now: now) }
        switch action {
        case .markAllAsRead: counts.propose(number, .clearAll)
        case .resetBadgeCount: counts.propose(number, .clearBadge)
        default:
            if let id = change?.ids?.first, change?.ids?.count == 1, let old = before.first(where: { $0.id == id }) {
                propose(number, from: old)
            }
        }
        return (number, [.updated])
    }

    /// The service performed the action, or refused it and it is reverted.
    package mutating func finish(_ number: UInt64, succeeded: Bool, now: Timestamp) -> [Effect] {
        if succeeded {
            rows.confirm(number, at: nextNumber(), now: now)
            counts.confirm(number)
        } else {
            rows.reject(number, now: now)
            counts.reject(number)
        }
        prune()
        return [.updated]
    }

    /// Whether a loaded row already has the change. Every opened link counts; bulk actions may concern rows not loaded.
    private func isDone(_ action: FeedAction) -> Bool {
        switch action {
        case .markAsSeen(let id): rows.row(id)?.isSeen == true
        case .markAsRead(let id): rows.row(id)?.isRead == true
        case .markAsUnread(let id): rows.row(id)?.isRead == false
        case .markAsArchived(let id): rows.row(id)?.isArchived == true
        case .markBulkAsSeen(let ids): ids.isEmpty
        case .markAsInteracted, .markAllAsRead, .resetBadgeCount: false
        }
    }

    private func change(for action: FeedAction, number: UInt64, now: Timestamp) -> RowChange? {
        func change(_ kind: RowChange.Kind, _ ids: some Sequence<String>) -> RowChange {
            RowChange(number: number, kind: kind, ids: Set(ids), time: now, confirmed: nil)
        }
        return switch action {
        case .markAsSeen(let id): change(.seen, [id])
        case .markBulkAsSeen(let ids): change(.seen, ids)
        case .markAsRead(let id): change(.read, [id])
        case .markAsUnread(let id): change(.unread, [id])
        case .markAsInteracted(let id): change(.interacted, [id])
        case .markAsArchived(let id): change(.archived, [id])
        // Only the rows present now: later ones are not read by it.
        case .markAllAsRead: change(.allRead, rows.visible.map(\.id))
        case .resetBadgeCount: nil
        }
    }

    /// Adjusts the stores' counts of unread rows by the change of one row.
    private mutating func propose(_ number: UInt64, from old: FeedNotification) {
        guard let new = rows.row(old.id) else { return }
        var difference: [String: Int] = [:]
        for store in countedStores ?? [] {
            let (before, after) = (store.counts(old), store.counts(new))
            if before != after { difference[store.id] = after ? 1 : -1 }
        }
        counts.propose(number, .add(stores: difference))
    }
}

extension NotificationStore {
    fileprivate func counts(_ row: FeedNotification) -> Bool { !row.isRead && query.matches(row) }
}
