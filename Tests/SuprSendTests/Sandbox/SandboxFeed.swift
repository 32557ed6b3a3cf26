import Basics
import ClientKit
import FoundationEssentials
import Logging
import Sandbox
import Testing

@testable import SuprSend

/// A feed that runs over real connections against a sandbox, in a time of their own that passes faster.
struct SandboxFeed: Sendable {
    /// Times as fast as real time: waits of a minute take a second and a half.
    static let factor = 40

    let sandbox: Sandbox
    let clock: FastClock
    let client: SuprSendClient
    let feed: Feed
    let seen: Sightings

    /// The events of the feed.
    actor Sightings {
        private(set) var announced: [String] = []
        private(set) var states: [ConnectionState] = []
        private(set) var version = 0
        private var waiters = Waiters()

        func take(_ event: FeedEvent) {
            switch event {
            case .newNotification(let row, _): announced.append(row.id)
            case .connection(let state): states.append(state)
            case .storeUpdate, .notificationUpdate, .allRead: break
            }
            version += 1
            waiters.wakeAll()
        }

        func change(after version: Int) async {
            guard version == self.version else { return }
            await waiters.add().wait()
        }
    }

    /// Tabs of every kind: the first one holds everything that is not archived, so all of it is announced.
    static let stores = [
        NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
        NotificationStore(id: "Read", query: .init(read: true)),
        NotificationStore(id: "Archive", query: .init(archived: true)),
        NotificationStore(id: "Ops", query: .init(tags: ["ops", "web"])),
        NotificationStore(id: "Unread promo", query: .init(read: false, categories: ["promo", "sale"])),
    ]

    /// Notifications that belong to one or another of them.
    static func look(_ number: Int) -> JSON {
        [["tags": ["web", "x"]], ["n_category": "promo"], ["tags": ["x"]], ["tags": ["ops"], "n_category": "sale"]][
            number % 4
        ]
    }

    /// Runs a feed beside a sandbox, whose inbox holds one notification, and lets `body` begin when the feed has loaded
    /// it.
    ///
    /// - Parameters:
    ///   - prepare: Is called before the feed starts.
    ///   - isJoining: `body` begins while the feed may still be trying to connect.
    static func running(
        _ sandboxOptions: SandboxOptions = .fast(),
        _ options: FeedOptions = FeedOptions(),
        prepare: (Sandbox) async throws -> Void = { _ in },
        isJoining: Bool = false,
        token: (@Sendable (Sandbox) async throws -> String?)? = nil,
        _ body: (SandboxFeed) async throws -> Void
    ) async throws {
        let clock = FastClock(factor: factor)
        try await Sandbox.with(sandboxOptions, wall: { clock.wall }) { sandbox in
            try await sandbox.publish(["n_id": "first"])
            try await prepare(sandbox)
            try await attached(to: sandbox, clock, options, token: token) { world async throws in
                try await world.wait {
                    guard await world.feed.data.notifications.map(\.id) == ["first"] else { return false }
                    if case .online = await world.feed.connectionState { return true }
                    return isJoining
                }
                try await body(world)
            }
            #expect(await sandbox.violations == [])
        }
    }

    /// Runs a feed of a sandbox, or of a port where none may be.
    static func attached(
        to sandbox: Sandbox,
        _ clock: FastClock,
        _ options: FeedOptions = FeedOptions(),
        token: (@Sendable (Sandbox) async throws -> String?)? = nil,
        _ body: (SandboxFeed) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await NIOTransport.withTransport(logger: logger) { transport in
            let url = sandbox.baseURL
            let context = try RequestContext(
                publicKey: "SS.PUBK.sandbox",
                hosts: Hosts(hub: url, api: url, socket: url),
                http: transport,
                webSocket: transport,
                environment: ClientEnvironment(
                    now: { Timestamp(milliseconds: clock.wall).date },
                    clock: clock,
                    jitter: { 0 }
                ),
                logger: logger
            )
            let provider: UserTokenProvider = { _ in
                guard let token else {
                    return SandboxToken.make(entityID: "user-1", expiresAt: clock.wall / 1000 + 86_400)
                }
                return try await token(sandbox)
            }
            let client = try SuprSendClient(context, identifiedAs: "user-1", refreshUserToken: provider)
            let feed = try client.feeds.initialize(options)
            let world = SandboxFeed(
                sandbox: sandbox,
                clock: clock,
                client: client,
                feed: feed,
                seen: Sightings()
            )
            let events = await feed.events()
            try await withThrowingTaskGroup { group in
                group.addTask { await feed.run() }
                group.addTask {
                    for await event in events { await world.seen.take(event) }
                }
                try await body(world)
                group.cancelAll()
            }
        }
    }

    // MARK: Waiting

    /// Returns when `fact` holds; it is checked after each event of the feed.
    func wait(for fact: () async throws -> Bool) async throws {
        while true {
            let version = await seen.version
            if try await fact() { return }
            if Task.isCancelled {
                Issue.record(
                    "\(await seen.states.suffix(3)), announced \(await seen.announced); \(await description())"
                )
                throw CancellationError()
            }
            await seen.change(after: version)
        }
    }

    /// Publishes, and returns when the feed is online, equal to the service, and has announced it.
    ///
    /// Every notification that was published before has then been announced, or never will be.
    func settle() async throws {
        let last = try await sandbox.publish(["header": "the last"])
        try await wait {
            guard case .online = await feed.connectionState, await seen.announced.contains(last) else { return false }
            return await difference() == nil
        }
    }

    /// Publishes and returns when the feed has announced it.
    func publish(_ fields: JSON = [:]) async throws -> String {
        let id = try await sandbox.publish(fields)
        try await wait { await seen.announced.contains(id) }
        return id
    }

    /// The state of the feed compared with that of the service, for a wait that did not end.
    private func description() async -> String {
        let requests = await sandbox.requests.suffix(12).map { "\($0.method) \($0.path)" }
        return "\(await difference() ?? "no difference"); \(requests)"
    }

    /// The difference between the feed and the service; nil: they agree.
    func difference() async -> String? {
        let now = clock.wall
        let storedInbox = await sandbox.inbox()
        let data = await feed.data
        let truth = storedInbox.rows(of: data.store.query.asked, now: now)
        let expected = truth.map { Row(id: $0.id, isRead: $0.isRead, isSeen: $0["seen_on"]?.integer != nil) }
        let shown = data.notifications.map { Row(id: $0.id, isRead: $0.isRead, isSeen: $0.isSeen) }
        if shown != Array(expected.prefix(shown.count)) { return "rows \(shown), not \(expected)" }
        if !data.pageInfo.hasMore, shown.count < expected.count { return "rows \(shown), not \(expected)" }
        if data.meta.badge != storedInbox.badge(now: now) {
            return "badge \(data.meta.badge), not \(storedInbox.badge(now: now))"
        }
        for store in data.stores {
            let (shown, expected) = (data.meta.stores[store.id], storedInbox.unread(in: store.query.asked, now: now))
            if shown != expected { return "\(store.id) \(shown ?? -1), not \(expected)" }
        }
        if data.status != .success { return "status \(data.status)" }
        return nil
    }

    private struct Row: Equatable {
        var id: String
        var isRead: Bool
        var isSeen: Bool
    }

    /// Every notification after the first was announced, and none twice; no more requests were made than `requests`.
    func expectOrderly(requests limit: Int) async {
        let announced = await seen.announced
        let published = Set(await sandbox.inbox().rows.map(\.id)).subtracting(["first"])
        #expect(announced.count == Set(announced).count, "announced twice: \(announced)")
        #expect(Set(announced).subtracting(["first"]) == published)
        let requests = await sandbox.requests
        #expect(requests.count <= limit, "\(requests.map { "\($0.method) \($0.path)" })")
    }
}

extension NotificationStore.Query {
    /// The same for the sandbox, which has rules of its own about what belongs to it.
    fileprivate var asked: StoreQuery {
        StoreQuery(id: "asked", read: read, archived: archived, tags: tags, categories: categories)
    }
}

extension SandboxOptions {
    /// With a heartbeat that suits a feed for which time passes faster than for the sandbox's own timers.
    static func fast(recovery: Bool = true, requireToken: Bool = true) -> SandboxOptions {
        SandboxOptions(requireToken: requireToken, pingInterval: 200, pingTimeout: 120_000, recovery: recovery)
    }
}
