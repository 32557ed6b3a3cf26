import Basics
import MagicBell

/// The lists of the user API in memory.
struct SimulatedUserAPI {
    var notifications: [InboxNotification]
    /// Whether the list `unread` also has unseen ones, which the documentation leaves open.
    var unreadHasUnseen = false
    /// Whether the answer links to the next page.
    var hasLinks = true
    private(set) var requests: [ListQuery] = []

    init(_ notifications: [InboxNotification]) { self.notifications = notifications }

    mutating func answer(_ query: ListQuery) -> NotificationChunk {
        requests.append(query)
        let all = notifications.sorted { $0.sent == $1.sent ? $0.id < $1.id : $0.sent > $1.sent }
        let start = query.after.flatMap { id in all.firstIndex { $0.id == id }.map { $0 + 1 } } ?? 0
        let rest = all[start...].filter { notification in
            let status = Self.status(of: notification)
            let isOfStatus =
                query.status == nil || query.status == status
                || (unreadHasUnseen && query.status == .unread && status == .unseen)
            return isOfStatus && (query.category == nil || query.category == notification.category)
                && (query.topic == nil || query.topic == notification.topic)
        }
        return NotificationChunk(
            Array(rest.prefix(query.limit)),
            hasMore: hasLinks ? rest.count > query.limit : nil
        )
    }

    static func status(of notification: InboxNotification) -> ListQuery.Status {
        if notification.isArchived { return .archived }
        if notification.isRead { return .read }
        return notification.isSeen ? .unread : .unseen
    }

    mutating func page(
        _ predicate: StorePredicate,
        after cursor: InboxPageCursor? = nil,
        size: Int
    ) throws -> StorePage {
        var assembly = try PageAssembly(predicate, after: cursor, size: size)
        while let (number, query) = assembly.nextQuery { assembly.add(answer(query), for: number) }
        return assembly.page
    }
}
