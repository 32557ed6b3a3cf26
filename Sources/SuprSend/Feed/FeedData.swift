import ClientKit

/// Everything a feed shows, at one moment.
public struct FeedData: Sendable, Equatable {
    /// How far the list is loaded.
    public enum Status: Sendable, Hashable {
        /// Nothing asked for yet.
        case initial
        /// The first page is on its way.
        case loading
        /// The last load succeeded.
        case success
        /// The last load failed; the rows are those from before.
        case error
        /// A further page, or the first one again, is on its way.
        case fetchingMore
    }

    /// Which part of the service's list is loaded.
    public struct PageInfo: Sendable, Hashable {
        /// Rows in the active store: according to the service as long as it has more of them, else those that are here.
        public var total: Int
        /// Whether the service has rows beyond the loaded ones.
        public var hasMore: Bool
        /// Rows asked for at once.
        public var pageSize: Int
    }

    /// The numbers beside the list. Never negative.
    public struct Meta: Sendable, Hashable {
        /// Notifications since the inbox was last opened.
        public var badge: Int
        /// The service's count of each configured store, by id.
        public var stores: [String: Int]
    }

    /// The loaded rows of the active store: pinned first, then newest. No id twice.
    public internal(set) var notifications: [FeedNotification]
    /// The configured stores; none: the feed shows everything that is not archived.
    public internal(set) var stores: [NotificationStore]
    /// The active store.
    public internal(set) var store: NotificationStore
    /// Which part of the service's list is loaded.
    public internal(set) var pageInfo: PageInfo
    /// The numbers beside the list.
    public internal(set) var meta: Meta
    /// How far the list is loaded.
    public internal(set) var status: Status
    /// The service's count of unread notifications in the whole inbox; nil: not asked for, or not known yet.
    package var unread: Int?
    /// When the newest row of all stores was made, if all that was missed is announced; the Unix epoch if there is no row.
    package var caughtUp: Milliseconds?
}
