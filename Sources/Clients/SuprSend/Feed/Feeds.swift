import Basics
import ClientKit
import Synchronization

/// Creates and ends the feeds of the identified user.
public final class Feeds: Sendable {
    private struct Entry {
        weak var feed: Feed?
    }

    private let context: RequestContext
    private let identity: ActiveIdentity
    private let entries = Mutex<[Entry]>([])

    init(context: RequestContext, identity: ActiveIdentity) {
        self.context = context
        self.identity = identity
    }

    /// Creates a feed of the user's inbox. Nothing is sent before a method of the feed is called.
    ///
    /// - Throws: `invalidArgument` for invalid options, `invalidState` when no user is identified, and after the
    ///   client's shutdown.
    public func initialize(_ options: FeedOptions = FeedOptions()) throws(SuprSendError) -> Feed {
        try makeFeed(options, storage: nil)
    }

    /// Creates a feed that survives the program: it begins with the newest notifications and the counts of the last
    /// run, before anything is requested, and keeps those of this run. Nothing is sent before a method of the feed is
    /// called.
    ///
    /// The feed then loads what has changed. ``Feed/run()`` announces as caught up the notifications of the time
    /// between. At most 100 notifications of the first store are kept, as they are: if others may read the storage, it
    /// must be encrypted. ``SuprSendClient/reset(unsubscribePush:)`` removes what the user's feeds keep.
    ///
    /// ```swift
    /// let storage = FileStorage(directory: applicationSupport)
    /// let feed = try await client.feeds.initialize(keptIn: storage)
    /// show(await feed.data)
    /// await feed.run()
    /// ```
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - storage: Where it is kept. One storage can keep the feeds of several users and tenants; two feeds of one
    ///     user and tenant need a storage each.
    /// - Throws: As ``initialize(_:)``. What cannot be read is left out.
    public func initialize(
        _ options: FeedOptions = FeedOptions(),
        keptIn storage: any SuprSendStorage
    ) async throws(SuprSendError) -> Feed {
        let feed = try makeFeed(options, storage: storage)
        await feed.restore()
        return feed
    }

    private func makeFeed(_ options: FeedOptions, storage: (any SuprSendStorage)?) throws(SuprSendError) -> Feed {
        try context.checkNotShutDown()
        try options.validate()
        let hosts = try options.hosts?.completed(by: context.hosts).validated() ?? context.hosts
        let feed = Feed(
            context: context,
            identity: try identity.required(),
            options: options,
            hosts: hosts,
            storage: storage
        )
        entries.withLock { entries in
            entries.removeAll { $0.feed == nil }
            entries.append(Entry(feed: feed))
        }
        return feed
    }

    /// Ends a feed: its socket, its ``Feed/run()``, its events. Its data is empty, and later calls throw.
    public func removeInstance(_ feed: Feed) async {
        entries.withLock { $0.removeAll { $0.feed == nil || $0.feed === feed } }
        await feed.remove()
    }

    func wallClockChanged() {
        for feed in entries.withLock({ $0.compactMap(\.feed) }) { feed.deadline.signal() }
    }

    /// Ends every feed.
    public func removeAll() async { await removeAll(discardingKept: false) }

    /// - Parameter isDiscarding: Whether to remove what they keep in the app's storage.
    func removeAll(discardingKept isDiscarding: Bool) async {
        let feeds = entries.withLock { entries in
            defer { entries = [] }
            return entries.compactMap(\.feed)
        }
        for feed in feeds {
            await feed.remove()
            if isDiscarding { await feed.storage?.discard() }
        }
    }
}
