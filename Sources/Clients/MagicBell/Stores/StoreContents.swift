/// The contents of a store at one moment: the loaded notifications, newest first, and the counts.
///
/// The contents are a value, so that their indexes stay valid while the store changes. Notifications sent in the same
/// millisecond are ordered by id.
public struct StoreContents: Sendable, Equatable {
    /// The loaded notifications.
    public var notifications: [InboxNotification]
    /// The number of notifications that match the predicate, loaded or not.
    public var totalCount: Int
    /// The number of unread notifications among them.
    public var unreadCount: Int
    /// The number of unseen notifications among them.
    public var unseenCount: Int
    /// Whether ``NotificationStore/fetch()`` would load further notifications; true before the first page.
    public var hasNextPage: Bool
    /// Whether all three counts are those of the service. The user API (v2) reports only the unread ones; the other
    /// counts are then those of the loaded notifications.
    public var countsAreComplete: Bool

    /// Creates the contents of a store; without arguments, of one that has not been fetched.
    public init(
        notifications: [InboxNotification] = [],
        totalCount: Int = 0,
        unreadCount: Int = 0,
        unseenCount: Int = 0,
        hasNextPage: Bool = true,
        countsAreComplete: Bool = true
    ) {
        self.notifications = notifications
        self.totalCount = totalCount
        self.unreadCount = unreadCount
        self.unseenCount = unseenCount
        self.hasNextPage = hasNextPage
        self.countsAreComplete = countsAreComplete
    }
}

extension StoreContents: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of loaded notifications.
    public var endIndex: Int { notifications.count }
    /// The notification at `index`, which must be valid.
    public subscript(index: Int) -> InboxNotification { notifications[index] }
}
