/// The numbers of an inbox. A service that does not tell one of them leaves it `nil`.
package struct Counts: Hashable, Sendable {
    /// Notifications not read yet.
    package var unread: Int?
    /// Notifications not seen yet.
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

    /// Without what is less than nothing.
    var clamped: Counts {
        Counts(
            unread: unread.map { max(0, $0) },
            unseen: unseen.map { max(0, $0) },
            badge: badge.map { max(0, $0) },
            total: total.map { max(0, $0) }
        )
    }
}

/// A part of the inbox that a service counts on its own, shown as a tab.
package struct InboxStore: Hashable, Sendable, Identifiable {
    package var id: String
    /// The name for people.
    package var label: String
    /// The service's count.
    package var count: Int

    package init(id: String, label: String, count: Int) {
        self.id = id
        self.label = label
        self.count = count
    }
}

/// What an inbox holds at one moment: the loaded notifications, in the order a person should read them, and its counts.
package struct InboxContents: Equatable, Sendable {
    /// How one notification differs between two moments.
    package enum Difference: Equatable, Sendable {
        case added(Item)
        case changed(Item)
        case removed(ItemID)
        /// Older than everything that is kept loaded now; the service still has it.
        case unloaded(ItemID)
    }

    package private(set) var items: [Item]
    package var counts: Counts
    /// Whether the service has more notifications than are loaded.
    package var hasMore: Bool
    /// In the order of the configuration; none without stores.
    package var stores: [InboxStore]
    /// The store that is shown; empty without stores.
    package var activeStore: String
    private var positions: [ItemID: Int]

    /// Takes the notifications in their order. Of several with the same id only the first is kept.
    package init(
        items: [Item] = [],
        counts: Counts = Counts(),
        hasMore: Bool = false,
        stores: [InboxStore] = [],
        activeStore: String = ""
    ) {
        var positions: [ItemID: Int] = [:]
        var unique: [Item] = []
        unique.reserveCapacity(items.count)
        for item in items where positions[item.id] == nil {
            positions[item.id] = unique.count
            unique.append(item)
        }
        self.items = unique
        self.counts = counts
        self.hasMore = hasMore
        self.stores = stores
        self.activeStore = activeStore
        self.positions = positions
    }

    /// What the person sees while the service has yet to hear of these changes: they show at once.
    package func applying(_ changes: [MadeChange], by rules: ServiceRules) -> InboxContents {
        guard !changes.isEmpty else { return self }
        var items: [Item?] = items
        var counts = counts
        for made in changes {
            if made.change == .badgeReset || made.change == .allRead { counts.badge = counts.badge.map { _ in 0 } }
            let affected = made.change == .allRead ? Array(items.indices) : made.change.ids.compactMap { positions[$0] }
            // What the service counts besides the loaded notifications is read, too.
            if made.change == .allRead {
                counts.unread = counts.unread.map { _ in items.count { $0.map { $0.read == nil } ?? false } }
            }
            for index in affected {
                guard let before = items[index] else { continue }
                let after = made.applied(to: before, by: rules)
                items[index] = after
                counts.unread = counts.unread.map { $0 + Self.step(before.read == nil, after.map { $0.read == nil }) }
                counts.unseen = counts.unseen.map { $0 + Self.step(before.seen == nil, after.map { $0.seen == nil }) }
                if after == nil { counts.total = counts.total.map { $0 - 1 } }
            }
        }
        return InboxContents(
            items: items.compactMap(\.self),
            counts: counts.clamped,
            hasMore: hasMore,
            stores: stores,
            activeStore: activeStore
        )
    }

    /// How a count changes with one notification that counted, or not, and counts now, or not, or is gone.
    private static func step(_ before: Bool, _ after: Bool?) -> Int { (after == true ? 1 : 0) - (before ? 1 : 0) }

    /// The loaded notification with this id.
    package subscript(id: ItemID) -> Item? {
        positions[id].map { items[$0] }
    }

    /// Unread notifications: the service's count, or else a count of what is loaded.
    package var unreadCount: Int { counts.unread ?? items.count { $0.read == nil } }
    /// Unseen notifications: the service's count, or else a count of what is loaded.
    package var unseenCount: Int { counts.unseen ?? items.count { $0.seen == nil } }
    /// The service's badge, or else the unseen notifications.
    package var badgeCount: Int { counts.badge ?? unseenCount }
    /// The service's total, or else what is loaded.
    package var totalCount: Int { max(counts.total ?? 0, items.count) }

    /// What has to be told to somebody who knows `earlier`: removals first, then the rest in order.
    package func differences(since earlier: InboxContents) -> [Difference] {
        var found: [Difference] = []
        let oldest = items.last { !$0.isPinned }?.created
        for item in earlier.items where positions[item.id] == nil {
            let isBehindTheEnd = !item.isPinned && oldest.map { item.created < $0 } ?? false
            found.append(isBehindTheEnd ? .unloaded(item.id) : .removed(item.id))
        }
        for item in items {
            guard let before = earlier[item.id] else {
                found.append(.added(item))
                continue
            }
            if before != item { found.append(.changed(item)) }
        }
        return found
    }
}

/// Which notifications a listing asks for (design.md §3, `List`).
package struct ItemFilter: Equatable, Sendable {
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

    /// The matching notifications in their order: `offset` of them skipped, `limit` at the most.
    package func apply(to items: [Item]) -> [Item] {
        let matching = items.lazy.filter { item in
            (unread.map { $0 == (item.read == nil) } ?? true)
                && (archived.map { $0 == item.isArchived } ?? true)
                && (category.map { $0 == item.category } ?? true)
        }
        return Array(matching.dropFirst(offset).prefix(limit ?? .max))
    }
}
