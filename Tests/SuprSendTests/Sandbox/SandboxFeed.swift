import Basics
import ClientKit
import FoundationEssentials
import Logging
import Sandbox
import Testing

@testable import SuprSend

/// A feed that runs over real connections against a sandbox, in a time of their own that passes faster.
struct SandboxFeed: Sendable {
    let sandbox: Sandbox
    let clock: FastClock
    let client: SuprSendClient
    private let feed: Feed
    private let events: AsyncStream<FeedEvent>

    /// Runs a feed beside a sandbox, whose inbox holds one notification, and lets `body` begin when the feed has loaded
    /// it. It may still be trying to connect.
    ///
    /// - Parameter prepare: Is called before the feed starts.
    static func running(
        prepare: (Sandbox) async throws -> Void = { _ in },
        _ body: (SandboxFeed) async throws -> Void
    ) async throws {
        // Waits of a minute take a second and a half. The heartbeat suits such a feed: the sandbox's own timers are not
        // faster.
        let clock = FastClock(factor: 40)
        let options = SandboxOptions(pingInterval: 200, pingTimeout: 120_000)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Sandbox.with(options, wall: { clock.wall }) { sandbox in
            try await sandbox.publish(["n_id": "first"])
            try await prepare(sandbox)
            try await NIOTransport.withTransport(logger: logger) { transport in
                let world = try await SandboxFeed(sandbox, clock, transport, logger)
                try await withThrowingTaskGroup { group in
                    group.addTask { await world.feed.run() }
                    await world.waitForFirst()
                    try await body(world)
                    group.cancelAll()
                }
            }
            #expect(await sandbox.violations == [])
        }
    }

    private init(_ sandbox: Sandbox, _ clock: FastClock, _ transport: NIOTransport, _ logger: Logger) async throws {
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
        client = try SuprSendClient(context, identifiedAs: "user-1") { _ in
            SandboxToken.make(entityID: "user-1", expiresAt: clock.wall / 1000 + 86_400)
        }
        feed = try client.feeds.initialize()
        events = await feed.events()
        (self.sandbox, self.clock) = (sandbox, clock)
    }

    private func waitForFirst() async {
        for await event in events {
            if case .storeUpdate(let data) = event, data.notifications.map(\.id) == ["first"] { return }
        }
    }

    /// Expects that the feed announces two further notifications once each, is online then, shows what the service has,
    /// and needs few requests for it.
    func expectRecovery() async throws {
        var (published, announced): ([String], [String]) = ([], [])
        var difference: String?
        for _ in 1...2 {
            let id = try await sandbox.publish([:])
            published.append(id)
            for await event in events {
                if case .newNotification(let row, _) = event { announced.append(row.id) }
                difference = await self.difference()
                if announced.contains(id), difference == nil { break }
            }
        }
        #expect(announced.filter { $0 != "first" } == published)
        #expect(difference == nil)
        let requests = await sandbox.requests
        #expect(requests.count <= 40, "\(requests.map { "\($0.method) \($0.path)" })")
    }

    /// What differs from the service; nil: nothing, and the feed is online.
    private func difference() async -> String? {
        let (state, data, inbox) = (await feed.connectionState, await feed.data, await sandbox.inbox())
        guard case .online = state else { return "\(state)" }
        let (shown, rows) = (data.notifications.map(\.id), inbox.rows.map(\.id))
        if shown != rows { return "rows \(shown), not \(rows)" }
        let badge = inbox.badge(now: clock.wall)
        return data.meta.badge == badge ? nil : "badge \(data.meta.badge), not \(badge)"
    }
}
