package import Basics
package import MagicBell

/// A user's inbox at MagicBell, as a value.
package struct MagicBellModel: Sendable {
    package private(set) var rows: [String: InboxNotification] = [:]
    private var lastID = 0

    package init() {}

    /// Adds a notification. Returns its event.
    package mutating func publish(
        id: String? = nil,
        sent: Timestamp,
        category: String? = nil,
        read: Timestamp? = nil
    ) -> InboxEvent {
        lastID += 1
        let id = id ?? "n" + String(repeating: "0", count: 5 - "\(lastID)".count) + "\(lastID)"
        rows[id] = InboxNotification(
            id: id,
            title: "Title of \(id)",
            category: category,
            // The service's times are whole seconds.
            sent: Timestamp(milliseconds: sent.milliseconds / 1000 * 1000),
            seen: read,
            read: read
        )
        return .created(id: id)
    }

    /// Returns the event; nil: there is no such notification.
    package mutating func change(_ id: String, to change: StateChange, at time: Timestamp) -> InboxEvent? {
        guard rows[id] != nil else { return nil }
        rows[id]?.apply(change, at: time)
        return .changed(id: id, change)
    }

    package mutating func delete(_ id: String) -> InboxEvent? {
        rows.removeValue(forKey: id).map { .deleted(id: $0.id) }
    }

    package mutating func changeAll(
        to change: StateChange,
        of predicate: StorePredicate = StorePredicate(),
        at time: Timestamp
    ) -> InboxEvent {
        for row in rows.values where predicate.matches(row) { rows[row.id]?.apply(change, at: time) }
        return change == .read ? .allRead : .allSeen
    }

    /// Newest first; those of one time by id, ascending.
    package func list(_ predicate: StorePredicate = StorePredicate()) -> [InboxNotification] {
        rows.values.filter(predicate.matches).sorted { ($1.sent, $0.id) < ($0.sent, $1.id) }
    }

    package func page(of predicate: StorePredicate, after cursor: InboxPageCursor?, size: Int) -> StorePage {
        let list = list(predicate)
        var number = 1
        if case .page(let wanted)? = cursor { number = wanted }
        var start = (number - 1) * size
        if case .after(let id)? = cursor { start = (list.firstIndex { $0.id == id } ?? list.count - 1) + 1 }
        let page = Array(list.dropFirst(start).prefix(size))
        let hasMore = start + page.count < list.count && !page.isEmpty
        var next: InboxPageCursor? = hasMore ? .page(number + 1) : nil
        if hasMore, let last = page.last, case .after? = cursor { next = .after(id: last.id) }
        return StorePage(page, counts: counts(of: predicate), next: next)
    }

    /// A first page of which a part was loaded before.
    package func page(from part: StorePage, size: Int) -> StorePage {
        let rest = list().drop { row in
            part.notifications.last.map { ($0.sent, row.id) <= (row.sent, $0.id) } ?? false
        }
        let rows = part.notifications + rest.prefix(size - part.notifications.count)
        let hasMore = rest.count > size - part.notifications.count
        let counts = counts(of: StorePredicate())
        return StorePage(
            rows,
            counts: counts == part.counts ? counts : StoreCounts(),
            next: hasMore ? .page(2) : nil
        )
    }

    package func counts(of predicate: StorePredicate) -> StoreCounts {
        let list = rows.values.filter(predicate.matches)
        return StoreCounts(
            total: list.count,
            unread: list.count { !$0.isRead },
            unseen: list.count { !$0.isSeen }
        )
    }
}
