import Basics
import ClientKit

@testable import SuprSend

/// The service as a value: rows, numbers, and the events it sends about them.
///
/// The badge counts the rows made since it was last cleared; a store counts its unread rows. Every change emits an
/// event.
struct SimulatedService {
    private(set) var rows: [String: FeedNotification] = [:]
    /// The events that the socket has to deliver, oldest first, with the times at which they were sent.
    var events: [(sent: Timestamp, event: RealtimeEvent)] = []
    private var serials: [String: Int] = [:]
    private var made = 0
    private var bell = 0

    /// Known ids, in an order that is the same in every run.
    var ids: [String] { rows.keys.sorted() }

    // MARK: Changes

    mutating func publish(_ body: (inout FeedNotification) -> Void, now: Timestamp) {
        made += 1
        // Several rows a millisecond.
        var new = row("n\(made)", age: -Int64(made / 3))
        body(&new)
        rows[new.id] = new
        serials[new.id] = made
        events.append((now, .newNotification(id: new.id)))
    }

    mutating func change(_ id: String, now: Timestamp, _ body: (inout FeedNotification) -> Void) {
        guard var row = rows[id] else { return }
        body(&row)
        rows[id] = row
        events.append((now, .notificationUpdate(id: id)))
    }

    /// Without an event: its details cannot be loaded any more.
    mutating func remove(_ id: String) { rows[id] = nil }

    mutating func perform(_ action: FeedAction, now: Timestamp) {
        switch action {
        case .markAsSeen(let id): change(id, now: now) { $0.seen = $0.seen ?? now }
        case .markAsRead(let id):
            change(id, now: now) { row in
                row.read = row.read ?? now
                row.seen = row.seen ?? now
            }
        case .markAsUnread(let id): change(id, now: now) { $0.read = nil }
        case .markAsInteracted(let id):
            change(id, now: now) { row in
                row.interacted = now
                row.read = row.read ?? now
                row.seen = row.seen ?? now
            }
        case .markAsArchived(let id): change(id, now: now) { $0.isArchived = true }
        case .markBulkAsSeen(let ids):
            for id in ids where rows[id]?.seen == nil { rows[id]?.seen = now }
            events.append((now, .seen(ids: ids)))
        case .markAllAsRead:
            for id in ids where rows[id]?.read == nil { rows[id]?.read = now }
            bell = made
            events.append((now, .allRead))
        case .resetBadgeCount:
            bell = made
            events.append((now, .badgeReset))
        }
    }

    // MARK: Answers

    private func alive(_ query: NotificationStore.Query, now: Timestamp) -> [FeedNotification] {
        ServiceRules.sorted(
            rows.values.map { ServiceRules.current($0, at: now) }.filter { ServiceRules.belongs($0, to: query) }
        )
    }

    func page(_ call: FeedCall, now: Timestamp) -> NotificationPage {
        guard case .list(let size, let store, let cursor) = call else { return .init(rows: []) }
        let all = alive(store.query, now: now)
        let rest = all.filter { row in
            guard let cursor else { return true }
            return ServiceRules.isBehind(row, pinned: cursor.isPinned, created: cursor.created.milliseconds)
        }
        return .init(rows: Array(rest.prefix(size)), total: all.count, hasMore: rest.count > size)
    }

    func counts(_ stores: [NotificationStore], now: Timestamp) -> NotificationCounts {
        let badge = rows.values.count {
            serials[$0.id, default: 0] > bell && !ServiceRules.current($0, at: now).isArchived
        }
        let pairs = stores.map { store in (store.id, alive(store.query, now: now).count { $0.read == nil }) }
        return .init(badge: badge, stores: Dictionary(uniqueKeysWithValues: pairs))
    }
}
