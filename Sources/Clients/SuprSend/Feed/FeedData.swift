import ClientKit

/// The contents of a feed at one moment.
public struct FeedData: Sendable, Equatable {
    /// The state of loading.
    public enum Status: Sendable, Hashable {
        /// Nothing was requested yet.
        case initial
        /// The first page is loading.
        case loading
        /// The last load succeeded.
        case success
        /// The last load failed; the rows are the previous ones.
        case error
        /// A further page, or the first one again, is loading.
        case fetchingMore
    }

    /// The loaded part of the list.
    public struct PageInfo: Sendable, Hashable {
        /// The number of rows in the active store: the service's number while more rows exist, otherwise the loaded
        /// rows.
        public var total: Int
        /// Whether the service has rows beyond the loaded ones.
        public var hasMore: Bool
        /// The number of rows per request.
        public var pageSize: Int

        /// Creates the state of a list, such as for a preview or a test.
        public init(total: Int, hasMore: Bool = false, pageSize: Int = 20) {
            self.total = total
            self.hasMore = hasMore
            self.pageSize = pageSize
        }
    }

    /// The counts. Never negative.
    public struct Meta: Sendable, Hashable {
        /// Notifications since the inbox was last opened.
        public var badge: Int
        /// The service's count of each configured store, by id.
        public var stores: [String: Int]

        /// Creates counts, such as for a preview or a test.
        public init(badge: Int = 0, stores: [String: Int] = [:]) {
            self.badge = badge
            self.stores = stores
        }
    }

    /// The loaded rows of the active store: pinned first, then newest. Ids are unique.
    public internal(set) var notifications: [FeedNotification]
    /// The configured stores; empty: the feed shows all notifications that are not archived.
    public internal(set) var stores: [NotificationStore]
    /// The active store.
    public internal(set) var store: NotificationStore
    /// The loaded part of the list.
    public internal(set) var pageInfo: PageInfo
    /// The counts.
    public internal(set) var meta: Meta
    /// The state of loading.
    public internal(set) var status: Status

    /// Creates contents, such as for a preview or a test. Without a ``pageInfo``, the list consists of these
    /// notifications.
    public init(
        notifications: [FeedNotification] = [],
        stores: [NotificationStore] = [],
        store: NotificationStore = .default,
        pageInfo: PageInfo? = nil,
        meta: Meta = Meta(),
        status: Status = .success
    ) {
        self.notifications = notifications
        self.stores = stores
        self.store = store
        self.pageInfo = pageInfo ?? PageInfo(total: notifications.count)
        self.meta = meta
        self.status = status
    }
}
