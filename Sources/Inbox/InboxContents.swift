/// The counts of an inbox. A count that the service does not report is `nil`.
package struct Counts: Hashable, Sendable {
    /// Unread notifications.
    package var unread: Int?
    /// Unseen notifications.
    package var unseen: Int?
    /// Notifications since the inbox was last opened.
    package var badge: Int?
    /// All notifications, loaded or not.
    package var total: Int?

    package init(unread: Int? = nil, unseen: Int? = nil, badge: Int? = nil, total: Int? = nil) {
        self.unread = unread
        self.unseen = unseen
        self.badge = badge
        self.total = total
    }

    /// The counts with negative ones replaced by 0.
    var clamped: Counts {
        Counts(
            unread: unread.map { max(0, $0) },
            unseen: unseen.map { max(0, $0) },
            badge: badge.map { max(0, $0) },
            total: total.map { max(0, $0) }
        )
    }
}

/// A tab: a filtered view of the inbox with its own count.
package struct InboxStore: Hashable, Sendable, Identifiable {
    package var id: String
    /// The name to display.
    package var label: String
    /// The service's count.
    package var count: Int

    package init(id: String, label: String, count: Int) {
        self.id = id
        self.label = label
        self.count = count
    }
}

/// The contents of an inbox at one moment: the loaded notifications in display order, and the counts.
package struct InboxContents: Equatable, Sendable {
    /// The difference of one notification between two moments.
    package enum Difference: Equatable, Sendable {
        case added(Notification)
        case changed(Notification)
        case removed(NotificationID)
        /// No longer loaded because it is older than the loaded ones; the service still has it.
        case unloaded(NotificationID)
    }

    package private(set) var notifications: [Notification]
    package var counts: Counts
    /// Whether the service has more notifications than are loaded.
    package var hasMore: Bool
    /// The tabs, in the order of the configuration; empty if none are configured.
    package var stores: [InboxStore]
    /// The id of the displayed tab; empty without tabs.
    package var activeStore: String
    /// Whether the service has reported what is unread, or never reports it.
    package var isCounted: Bool
    private var positions: [NotificationID: Int]

    /// Contents with these notifications in this order. Of several with the same id only the first is kept.
    package init(
        notifications: [Notification] = [],
        counts: Counts = Counts(),
        hasMore: Bool = false,
        stores: [InboxStore] = [],
        activeStore: String = "",
        isCounted: Bool = true
    ) {
        var positions: [NotificationID: Int] = [:]
        var unique: [Notification] = []
        unique.reserveCapacity(notifications.count)
        for notification in notifications where positions[notification.id] == nil {
            positions[notification.id] = unique.count
            unique.append(notification)
        }
        self.notifications = unique
        self.counts = counts
        self.hasMore = hasMore
        self.stores = stores
        self.activeStore = activeStore
        self.isCounted = isCounted
        self.positions = positions
    }

    /// The contents with pending changes applied optimistically.
    package func applying(_ changes: [TimestampedChange], by rules: ServiceRules) -> InboxContents {
        guard !changes.isEmpty else { return self }
        var notifications: [Notification?] = notifications
        var counts = counts
        for made in changes {
            if made.change == .badgeReset || made.change == .allRead { counts.badge = counts.badge.map { _ in 0 } }
            let affected =
                made.change == .allRead ? Array(notifications.indices) : made.change.ids.compactMap { positions[$0] }
            // Notifications that are not loaded become read, too.
            if made.change == .allRead {
                counts.unread = counts.unread.map { _ in notifications.count { $0.map { $0.read == nil } ?? false } }
            }
            for index in affected {
                guard let before = notifications[index] else { continue }
                let after = made.applied(to: before, by: rules)
                notifications[index] = after
                counts.unread = counts.unread.map { $0 + Self.step(before.read == nil, after.map { $0.read == nil }) }
                counts.unseen = counts.unseen.map { $0 + Self.step(before.seen == nil, after.map { $0.seen == nil }) }
                if after == nil { counts.total = counts.total.map { $0 - 1 } }
            }
        }
        return InboxContents(
            notifications: notifications.compactMap(\.self),
            counts: counts.clamped,
            hasMore: hasMore,
            stores: stores,
            activeStore: activeStore,
            isCounted: isCounted
        )
    }

    /// The change of a count by one notification: whether it counted before, and counts now; nil if it was removed.
    private static func step(_ before: Bool, _ after: Bool?) -> Int { (after == true ? 1 : 0) - (before ? 1 : 0) }

    /// The loaded notification with this id.
    package subscript(id: NotificationID) -> Notification? {
        positions[id].map { notifications[$0] }
    }

    /// Unread notifications: the service's count, else the number of loaded ones.
    package var unreadCount: Int { counts.unread ?? notifications.count { $0.read == nil } }
    /// Unseen notifications: the service's count, else the number of loaded ones.
    package var unseenCount: Int { counts.unseen ?? notifications.count { $0.seen == nil } }
    /// The service's badge, else the number of unseen notifications.
    package var badgeCount: Int { counts.badge ?? unseenCount }
    /// The service's total, but at least the number of loaded notifications.
    package var totalCount: Int { max(counts.total ?? 0, notifications.count) }

    /// The differences from `earlier` contents: removals first, then the rest in order.
    package func differences(since earlier: InboxContents) -> [Difference] {
        var found: [Difference] = []
        let oldest = notifications.last { !$0.isPinned }?.created
        for notification in earlier.notifications where positions[notification.id] == nil {
            let isBehindTheEnd = !notification.isPinned && oldest.map { notification.created < $0 } ?? false
            found.append(isBehindTheEnd ? .unloaded(notification.id) : .removed(notification.id))
        }
        for notification in notifications {
            guard let before = earlier[notification.id] else {
                found.append(.added(notification))
                continue
            }
            if before != notification { found.append(.changed(notification)) }
        }
        return found
    }
}

/// The options of `org.feedbell.Agent1.Inbox.List`.
package struct NotificationFilter: Equatable, Sendable {
    package var limit: Int?
    package var offset: Int
    /// Only unread (`true`) or only read (`false`) ones.
    package var unread: Bool?
    /// Only archived (`true`) or only not archived (`false`) ones.
    package var archived: Bool?
    package var category: String?

    package init(
        limit: Int? = nil,
        offset: Int = 0,
        unread: Bool? = nil,
        archived: Bool? = nil,
        category: String? = nil
    ) {
        self.limit = limit
        self.offset = offset
        self.unread = unread
        self.archived = archived
        self.category = category
    }

    /// The matching notifications in order, without the first `offset`, at most `limit`.
    package func apply(to notifications: [Notification]) -> [Notification] {
        let matching = notifications.lazy.filter { notification in
            (unread.map { $0 == (notification.read == nil) } ?? true)
                && (archived.map { $0 == notification.isArchived } ?? true)
                && (category.map { $0 == notification.category } ?? true)
        }
        return Array(matching.dropFirst(offset).prefix(limit ?? .max))
    }
}
