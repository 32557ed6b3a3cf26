package import Basics
import ClientKit

/// Actions: applied here at once, reverted if the service refuses them.
extension FeedState {
    /// Applies `action` here. Nil: it has no effect, and no request is needed.
    package mutating func begin(_ action: FeedAction, now: Timestamp) -> (number: UInt64, effects: [Effect])? {
        guard !action.isApplied(to: rows) else { return nil }
        let number = nextNumber()
        let before = rows.visible
        let change = action.change(of: rows, number: number, now: now)
        if let change { rows.propose(change, now: now) }
        switch action {
        case .markAllAsRead: counts.propose(number, .clearAll)
        case .resetBadgeCount: counts.propose(number, .clearBadge)
        default:
            if let id = change?.ids?.first, change?.ids?.count == 1, let old = before.first(where: { $0.id == id }) {
                proposeCounts(number, after: old)
            }
        }
        return (number, [.updated])
    }

    /// Adjusts the stores' counts of unread rows by the change of one row, which was `old`.
    private mutating func proposeCounts(_ number: UInt64, after old: FeedNotification) {
        guard let new = rows.row(old.id) else { return }
        var difference: [String: Int] = [:]
        for store in countedStores ?? [] {
            let (before, after) = (store.counts(old), store.counts(new))
            if before != after { difference[store.id] = after ? 1 : -1 }
        }
        counts.propose(number, .add(stores: difference))
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
}

extension NotificationStore {
    fileprivate func counts(_ row: FeedNotification) -> Bool { !row.isRead && query.matches(row) }
}
