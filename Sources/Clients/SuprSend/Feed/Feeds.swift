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
    /// - Throws: `invalidArgument` for invalid options, `invalidState` when no user is identified, and after the client's
    ///   shutdown.
    public func initialize(_ options: FeedOptions = FeedOptions()) throws(SuprSendError) -> Feed {
        try context.checkNotShutDown()
        try options.validate()
        let hosts = try options.hosts?.completed(by: context.hosts).validated() ?? context.hosts
        let feed = Feed(context: context, identity: try identity.required(), options: options, hosts: hosts)
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
    public func removeAll() async {
        let feeds = entries.withLock { entries in
            defer { entries = [] }
            return entries.compactMap(\.feed)
        }
        for feed in feeds { await feed.remove() }
    }
}
