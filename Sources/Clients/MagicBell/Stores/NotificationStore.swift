import Basics
import Synchronization

/// A list of the notifications that match a predicate, newest first, with their counts.
///
/// The properties are the present state: two of them may belong to different moments. ``contents`` is one moment.
///
/// ```swift
/// let unread = try user.store.build(read: false)
/// try await unread.fetch()
/// for notification in unread { print(notification.title) }
/// ```
///
/// A store is loaded page by page with ``fetch()``, and again from the start with ``refresh()``. Once fetched, or
/// followed with ``updates()``, it is kept up to date while ``MagicBellUser/run()`` or ``MagicBellClient/run()`` runs.
///
/// After ``dispose()``, or after its user was disconnected, a store is empty, its sequences have ended, and its methods
/// throw `invalidState`.
public final class NotificationStore: Sendable {
    /// Which notifications it contains.
    public let predicate: StorePredicate

    let number: StoreNumber
    let stores: Stores
    /// The list when the bounds of the collection were last read.
    let measured = Mutex<[InboxNotification]>([])

    init(_ number: StoreNumber, _ predicate: StorePredicate, _ stores: Stores) {
        self.number = number
        self.predicate = predicate
        self.stores = stores
    }

    // MARK: Contents

    /// The loaded notifications and the counts, of one moment.
    public var contents: StoreContents {
        stores.locked { $0.state.stores[number]?.contents ?? StoreContents() }
    }

    /// The loaded notifications, newest first.
    public var notifications: [InboxNotification] { contents.notifications }

    /// The number of notifications that match the predicate, loaded or not; zero before the first page.
    public var totalCount: Int { contents.totalCount }

    /// The number of unread notifications that match the predicate; zero before the first page.
    public var unreadCount: Int { contents.unreadCount }

    /// The number of unseen notifications that match the predicate; zero before the first page.
    public var unseenCount: Int { contents.unseenCount }

    /// Whether ``fetch()`` would load further notifications; true before the first page.
    public var hasNextPage: Bool { contents.hasNextPage }

    // MARK: Loading

    /// Loads the next page, or the first one. Calls at the same time share a request.
    ///
    /// - Returns: The notifications that it added; none, without a request, when the list is complete.
    @discardableResult
    public func fetch() async throws(MagicBellError) -> [InboxNotification] { try await stores.fetch(number) }

    /// Like ``fetch()``, with another page size than the client's.
    ///
    /// - Parameter pageSize: The number of notifications of the request, 1 to 100. Some of them may be loaded already:
    ///   the service numbers its pages.
    @discardableResult
    public func fetch(pageSize: Int) async throws(MagicBellError) -> [InboxNotification] {
        try MagicBellClient.check(pageSize: pageSize)
        return try await stores.fetch(number, size: pageSize)
    }

    /// Loads the first page and the counts again, which replace what is loaded. If it fails, nothing changes.
    ///
    /// - Returns: The notifications of the first page.
    @discardableResult
    public func refresh() async throws(MagicBellError) -> [InboxNotification] { try await stores.refresh(number) }

    /// Like ``refresh()``, with another page size than the client's.
    ///
    /// - Parameter pageSize: The number of notifications, 1 to 100.
    @discardableResult
    public func refresh(pageSize: Int) async throws(MagicBellError) -> [InboxNotification] {
        try MagicBellClient.check(pageSize: pageSize)
        return try await stores.refresh(number, size: pageSize)
    }

    /// Ends the store: its sequences end, and its later calls throw. Building its predicate again creates another one.
    public func dispose() { stores.dispose(self) }
}
