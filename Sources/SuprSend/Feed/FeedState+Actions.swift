import ClientKit
import FoundationEssentials

/// Actions: done here at once, undone if the service refuses.
extension FeedState {
    /// Does `action` here. Nil: it is done already, and nothing is to be sent.
    package mutating func begin(_ action: FeedAction, now: Milliseconds) -> (number: UInt64, effects: [Effect])? {
        guard !isDone(action) else { return nil }
        let number = nextNumber()
        let before = rows.visible
        if let change = change(for: action, number: number, now: now) {
            rows.propose(change, now: now)
            if let id = change.ids?.first, change.ids?.count == 1, let old = before.first(where: { $0.id == id }) {
                propose(number, from: old)
            }
        }
        switch action {
        case .markAllAsRead: counts.propose(number, .clearAll)
        case .resetBadgeCount: counts.propose(number, .clearBadge)
        default: break
        }
        return (number, [.updated])
    }

    /// The service did it, or refused and it is undone.
    package mutating func finish(_ number: UInt64, succeeded: Bool, now: Milliseconds) -> [Effect] {
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

    /// The same change again on a loaded row. Following a link counts every time; bulk actions may concern rows not loaded.
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

    private func change(for action: FeedAction, number: UInt64, now: Milliseconds) -> RowChange? {
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
        // Only what is there now: what arrives later was not read by it.
        case .markAllAsRead: change(.allRead, rows.visible.map(\.id))
        case .resetBadgeCount: nil
        }
    }

    /// A store counts its unread rows: the difference the change of one row makes.
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
