package import Basics
package import SuprSend

/// A user's inbox at SuprSend, as a value: rows, numbers, and the events it sends about them.
///
/// The badge counts the rows made since it was last cleared; a store counts its unread rows. Every change emits an
/// event.
package struct SuprSendModel {
    package private(set) var rows: [String: FeedNotification] = [:]
    /// The events of the changes since they were taken.
    private var events: [RealtimeEvent] = []
    private var serials: [String: Int] = [:]
    private var made = 0
    private var bell = 0

    package init() {}

    package mutating func takeEvents() -> [RealtimeEvent] {
        defer { events = [] }
        return events
    }

    /// Known ids, in an order that is the same in every run.
    package var ids: [String] { rows.keys.sorted() }

    // MARK: Changes

    package mutating func publish(created: Timestamp, _ body: (inout FeedNotification) -> Void = { _ in }) {
        made += 1
        // As in the service, no id begins with another one.
        let id = "n" + String(repeating: "0", count: max(0, 5 - "\(made)".count)) + "\(made)"
        var new = FeedNotification(id: id, category: "system", created: created)
        body(&new)
        rows[new.id] = new
        serials[new.id] = made
        events.append(.newNotification(id: new.id))
    }

    package mutating func change(_ id: String, _ body: (inout FeedNotification) -> Void) {
        guard var row = rows[id] else { return }
        body(&row)
        rows[id] = row
        events.append(.notificationUpdate(id: id))
    }

    /// Without an event: its details cannot be loaded any more.
    package mutating func remove(_ id: String) { rows[id] = nil }

    package mutating func perform(_ action: FeedAction, now: Timestamp) {
        switch action {
        case .markAsSeen(let id): change(id) { $0.seen = $0.seen ?? now }
        case .markAsRead(let id):
            change(id) { row in
                row.read = row.read ?? now
                row.seen = row.seen ?? now
            }
        case .markAsUnread(let id): change(id) { $0.read = nil }
        case .markAsInteracted(let id):
            change(id) { row in
                row.interacted = now
                row.read = row.read ?? now
                row.seen = row.seen ?? now
            }
        case .markAsArchived(let id): change(id) { $0.isArchived = true }
        case .markBulkAsSeen(let ids):
            for id in ids where rows[id]?.seen == nil { rows[id]?.seen = now }
            events.append(.seen(ids: ids))
        case .markAllAsRead:
            for id in ids where rows[id]?.read == nil { rows[id]?.read = now }
            bell = made
            events.append(.allRead)
        case .resetBadgeCount:
            bell = made
            events.append(.badgeReset)
        }
    }

    // MARK: Answers

    package func list(_ query: NotificationStore.Query, now: Timestamp) -> [FeedNotification] {
        SuprSendRules.sorted(unsorted(query, now: now))
    }

    private func unsorted(_ query: NotificationStore.Query, now: Timestamp) -> [FeedNotification] {
        rows.values.map { SuprSendRules.current($0, at: now) }.filter { SuprSendRules.belongs($0, to: query) }
    }

    package func page(_ call: FeedCall, now: Timestamp) -> NotificationPage {
        guard case .list(let size, let store, let cursor) = call else { return .init(rows: []) }
        let all = list(store.query, now: now)
        let rest = all.filter { row in
            guard let cursor else { return true }
            return SuprSendRules.isBehind(row, pinned: cursor.isPinned, created: cursor.created.milliseconds)
        }
        return .init(rows: Array(rest.prefix(size)), total: all.count, hasMore: rest.count > size)
    }

    package func counts(_ stores: [NotificationStore], now: Timestamp) -> NotificationCounts {
        let badge = rows.values.count {
            serials[$0.id, default: 0] > bell && !SuprSendRules.current($0, at: now).isArchived
        }
        let pairs = stores.map { store in (store.id, unsorted(store.query, now: now).count { $0.read == nil }) }
        return .init(badge: badge, stores: Dictionary(uniqueKeysWithValues: pairs))
    }
}
