package import Basics
package import MagicBell

/// A user's inbox at MagicBell, as a value: notifications, lists with filters and counts, changes, and the events that
/// they cause. It shares no decision with the library.
package struct MagicBellModel: Sendable {
    package private(set) var rows: [String: InboxNotification] = [:]
    /// Whether a change of what is already so is an event all the same.
    package var reportsRepetitions = true
    /// Whether ids ascend in lists where times are equal.
    private let hasAscendingIDs: Bool
    private var lastID = 0

    package init(hasAscendingIDs: Bool = true) { self.hasAscendingIDs = hasAscendingIDs }

    // MARK: Changes

    /// Adds a notification. Returns its event.
    @discardableResult
    package mutating func create(_ notification: InboxNotification) -> InboxEvent {
        rows[notification.id] = notification
        return .created(id: notification.id)
    }

    /// Adds a notification. Returns its event.
    package mutating func publish(
        id: String? = nil,
        sent: Timestamp,
        category: String? = nil,
        read: Timestamp? = nil
    ) -> InboxEvent {
        lastID += 1
        let id = id ?? "n" + String(repeating: "0", count: 5 - "\(lastID)".count) + "\(lastID)"
        return create(
            InboxNotification(
                id: id,
                title: "Title of \(id)",
                category: category,
                // The service's times are whole seconds.
                sent: Timestamp(milliseconds: sent.milliseconds / 1000 * 1000),
                seen: read,
                read: read
            )
        )
    }

    /// Returns the event; nil: there is no such notification, or no event.
    package mutating func change(_ id: String, to change: StateChange, at time: Timestamp) -> InboxEvent? {
        guard let old = rows[id] else { return nil }
        let new = Self.changed(old, to: change, at: time)
        rows[id] = new
        return new != old || reportsRepetitions ? .changed(id: id, change) : nil
    }

    package mutating func delete(_ id: String) -> InboxEvent? {
        rows.removeValue(forKey: id).map { .deleted(id: $0.id) }
    }

    package mutating func changeAll(
        to change: StateChange,
        of predicate: StorePredicate = StorePredicate(),
        at time: Timestamp
    ) -> InboxEvent {
        for row in unsorted(predicate) { rows[row.id] = Self.changed(row, to: change, at: time) }
        return change == .read ? .allRead : .allSeen
    }

    private static func changed(_ row: InboxNotification, to change: StateChange, at time: Timestamp)
        -> InboxNotification
    {
        var row = row
        switch change {
        case .seen: if row.seen == nil { row.seen = time }
        case .read:
            if row.seen == nil { row.seen = time }
            if row.read == nil { row.read = time }
        case .unread: row.read = nil
        case .archived: if row.archived == nil { row.archived = time }
        case .unarchived: row.archived = nil
        }
        return row
    }

    // MARK: Answers

    /// Newest first; those of one time by id.
    package func list(_ predicate: StorePredicate = StorePredicate()) -> [InboxNotification] {
        unsorted(predicate).sorted { first, second in
            if first.sent != second.sent { return first.sent > second.sent }
            return hasAscendingIDs ? first.id < second.id : first.id > second.id
        }
    }

    private func unsorted(_ predicate: StorePredicate) -> [InboxNotification] {
        rows.values.filter { row in
            if (row.archived != nil) != predicate.archived { return false }
            if let read = predicate.read, (row.read != nil) != read { return false }
            if let seen = predicate.seen, (row.seen != nil) != seen { return false }
            if !predicate.categories.isEmpty && !predicate.categories.contains(row.category ?? "-") { return false }
            return predicate.topics.isEmpty || predicate.topics.contains(row.topic ?? "-")
        }
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
        let list = unsorted(predicate)
        return StoreCounts(
            total: list.count,
            unread: list.count { $0.read == nil },
            unseen: list.count { $0.seen == nil }
        )
    }
}

extension NotificationPreferences {
    /// Switches the channels that `changes` contains, where they exist.
    package mutating func update(_ changes: NotificationPreferences) {
        for category in changes.categories {
            guard let index = categories.firstIndex(where: { $0.slug == category.slug }) else { continue }
            for channel in category.channels {
                for place in categories[index].channels.indices
                where categories[index].channels[place].slug == channel.slug {
                    categories[index].channels[place].isEnabled = channel.isEnabled
                }
            }
        }
    }
}
