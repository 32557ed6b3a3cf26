package import Basics
import ClientKit

/// Actions: applied here at once, reverted if the service refuses them. Or only sent, for a caller that shows pending
/// actions itself, and applied when the service has performed them.
extension FeedState {
    /// Applies `action` here. Nil: it has no effect, and no request is needed.
    package mutating func begin(_ action: FeedAction, now: Timestamp) -> (number: UInt64, effects: [Effect])? {
        guard !action.isApplied(to: rows) else { return nil }
        let number = nextNumber()
        let change = action.change(of: rows, number: number, now: now)
        let difference = changingCounts(of: action.onlyID) { if let change { $0.propose(change, now: now) } }
        if let counted = action.change(adding: difference) { counts.propose(number, counted) }
        return (number, [.updated])
    }

    /// Begins an action that is not shown before it is performed. Nil: it has no effect, and no request is needed.
    package mutating func beginUnshown(_ action: FeedAction, now: Timestamp) -> UInt64? {
        guard !action.isApplied(to: rows) else { return nil }
        let number = nextNumber()
        unshown[number] = action
        if var change = action.change(of: rows, number: number, now: now) {
            change.isShown = false
            rows.propose(change, now: now)
        }
        return number
    }

    /// Changes rows. Returns the change of the stores' counts by the row with this id; nil: the row is not loaded.
    private mutating func changingCounts(of id: String?, _ body: (inout FeedRows) -> Void) -> [String: Int]? {
        let old = id.flatMap { rows.isVisible($0) ? rows.row($0) : nil }
        body(&rows)
        guard let old else { return nil }
        // A row that no longer belongs to the list is counted nowhere.
        let new = rows.row(old.id)
        var difference: [String: Int] = [:]
        for store in countedStores ?? [] {
            let (before, after) = (store.counts(old), new.map(store.counts) ?? false)
            if before != after { difference[store.id] = after ? 1 : -1 }
        }
        return difference
    }

    /// The service performed the action, or refused it and it is reverted.
    package mutating func finish(_ number: UInt64, succeeded: Bool, now: Timestamp) -> [Effect] {
        let unshownAction = unshown.removeValue(forKey: number)
        if succeeded {
            let confirmed = nextNumber()
            let difference = changingCounts(of: unshownAction?.onlyID) {
                $0.confirm(number, at: confirmed, now: now)
            }
            if let unshownAction {
                counts.confirmUnshown(unshownAction.change(adding: difference), since: number)
            } else {
                counts.confirm(number)
            }
        } else {
            rows.reject(number, now: now)
            counts.reject(number)
        }
        prune()
        return [.updated]
    }
}

extension FeedAction {
    /// The change of the counts; nil: unknown, or none. `difference`: the change by the action's row.
    fileprivate func change(adding difference: [String: Int]?) -> FeedCounts.Change? {
        switch self {
        case .markAllAsRead: .clearAll
        case .resetBadgeCount: .clearBadge
        case .markAsSeen, .markBulkAsSeen: .add(stores: difference ?? [:])
        default: difference.map { .add(stores: $0) }
        }
    }

    /// The row of an action on a single one.
    fileprivate var onlyID: String? { ids?.count == 1 ? ids?.first : nil }
}

extension NotificationStore {
    fileprivate func counts(_ row: FeedNotification) -> Bool { !row.isRead && query.matches(row) }
}
