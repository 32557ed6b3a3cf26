import ClientKit

/// The contents of a store between two runs of a program: the newest notifications and the counts.
struct StoreSnapshot: SnapshotContents, Equatable {
    /// The maximum number of notifications: as many as one request returns.
    static let maximumNotifications = 100

    /// Whose store it is: project, user, predicate.
    var owner: [String]
    var notifications: [InboxNotification]
    var total: Int
    var unread: Int
    var unseen: Int

    init(_ contents: StoreContents, of owner: [String]) {
        self.owner = owner
        notifications = Array(contents.notifications.prefix(Self.maximumNotifications))
        (total, unread, unseen) = (contents.totalCount, contents.unreadCount, contents.unseenCount)
    }

    /// The contents of a store that has not been fetched yet.
    var contents: StoreContents {
        StoreContents(
            notifications: notifications,
            totalCount: max(total, notifications.count),
            unreadCount: max(0, unread),
            unseenCount: max(0, unseen)
        )
    }
}
