import Basics
import ClientKit
import Logging
import MagicBell
import Sandbox
import Synchronization
import TestSupport
import Testing

/// The realtime feed over the network, with the APIs of the library. The sandbox reports violations of the protocols.
@Suite("The realtime feed and the sandbox", .sandbox(.magicBell()), .timeLimit(.minutes(5)))
struct RealtimeAndSandboxTests {
    private let sandbox = Sandbox.current

    @Test("Through Ably, a broken connection is resumed without a loss") func resume() async throws {
        try await withFeed { updates in
            let first = try await sandbox.waitForConnection()
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
            try await sandbox.execute("drop", ["how": "reset", "connection": .integer(Int64(first))])
            try await sandbox.publish(["id": "B"])
            await updates.until(.connected(isContinuous: true))
            await updates.until(.event(.created(id: "B")))
            try await sandbox.execute("read-all")
            await updates.until(.event(.allRead))
        }
        try await sandbox.waitForNoConnections()
    }

    @Test("A failed resume, and a missing RESUMED, are reported as a loss of continuity", arguments: [true, false])
    func lostContinuity(isResumeRefused: Bool) async throws {
        let settings: JSON = ["fail_resumes": isResumeRefused ? 1 : 0, "omit_resumed": 1]
        try await withFeed { updates in
            let first = try await sandbox.waitForConnection()
            await updates.until(.connected(isContinuous: false))
            try await sandbox.execute("ably", settings)
            try await sandbox.execute("drop", ["how": "finish", "connection": .integer(Int64(first))])
            await updates.until(.connected(isContinuous: false))
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
        }
    }

    @Test("An expired token is replaced, and the connection is resumed") func expiredToken() async throws {
        try await withFeed { updates in
            let first = try await sandbox.waitForConnection()
            try await sandbox.execute("expire-ably-tokens")
            try await sandbox.waitForConnection(after: first)
            await updates.until(.connected(isContinuous: true))
        }
        let exchanges = await sandbox.requests.filter { $0.path.hasSuffix("/requestToken") }
        #expect(exchanges.map(\.status) == [201, 201])
    }

    @Test("A token that the server requests is sent on the same connection") func requestedToken() async throws {
        try await withFeed { updates in
            let id = try await sandbox.waitForConnection()
            try await sandbox.execute("announce", ["frame": "auth"])
            try await sandbox.wait {
                $0.magicBell.sockets.ably.connections[id]?.token.text.hasPrefix("sandbox.token-2") == true ? true : nil
            }
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
        }
    }

    @Test("A detached channel is attached again on the same connection") func detached() async throws {
        try await withFeed { updates in
            let first = try await sandbox.waitForConnection()
            await updates.until(.connected(isContinuous: false))
            try await sandbox.execute(
                "announce",
                ["frame": "detached", "code": 90001, "status": 500, "message": "moved"]
            )
            let update = await updates.next()
            let isAttached = if case .connected = update { true } else { false }
            #expect(isAttached)
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
            #expect(await sandbox.state.magicBell.sockets.ably.connections.keys.max() == first)
        }
    }

    @Test("A channel that is not permitted is asked for again") func notPermitted() async throws {
        try await withFeed(carrier: .ably) { updates in
            let first = try await sandbox.waitForConnection()
            try await sandbox.execute(
                "announce",
                ["frame": "channel-error", "code": 40160, "status": 401, "message": "not permitted"]
            )
            try await sandbox.waitForConnection(after: first)
            await updates.until(.connected(isContinuous: false))
        }
        let paths = await sandbox.requests.map(\.path)
        #expect(paths.count { $0 == "/config" } == 2)
        #expect(paths.count { $0 == "/ws/auth" } == 2)
    }

    @Test("Through the service's own socket, events are received from both APIs", arguments: [true, false])
    func ownSocket(usesUserAPI: Bool) async throws {
        try await withFeed(carrier: usesUserAPI ? nil : .socket, usesUserAPI: usesUserAPI) { updates in
            let first = try await sandbox.waitForConnection()
            await updates.until(.connected(isContinuous: false))
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
            try await sandbox.execute("drop", ["how": "reset", "connection": .integer(Int64(first))])
            let second = try await sandbox.waitForConnection(after: first)
            await updates.until(.connected(isContinuous: false))
            try await sandbox.execute("socket-close")
            try await sandbox.waitForConnection(after: second)
            await updates.until(.connected(isContinuous: false))
            try await sandbox.execute("seen-all")
            await updates.until(.event(.allSeen))
        }
        try await sandbox.waitForNoConnections()
    }

    @Test("An inbox token that the server refuses is replaced") func refusedInboxToken() async throws {
        try await withFeed(carrier: .socket) { updates in
            let first = try await sandbox.waitForConnection()
            try await sandbox.execute("socket-error", ["code": 40142, "message": "expired"])
            let second = try await sandbox.waitForConnection(after: first)
            try await sandbox.execute("expire-inbox-tokens")
            try await sandbox.execute("drop", ["how": "close", "code": 1011, "connection": .integer(Int64(second))])
            try await sandbox.waitForConnection(after: second)
            try await sandbox.publish(["id": "A"])
            await updates.until(.event(.created(id: "A")))
        }
    }

    @Test("The token of the socket is registered once for all runs, replaced when refused, and deleted")
    func keptInboxToken() async throws {
        let kept = KeptToken()
        let storage = InboxTokenStorage {
            kept.registration
        } save: {
            kept.registration = $0
        }
        @Sendable func registrations() async -> Int {
            await sandbox.requests.count { $0.method == "PUT" && $0.path.hasSuffix("/in_app/inbox/tokens") }
        }
        for _ in 1...3 {
            try await withFeed(usesUserAPI: true, tokens: storage) { await $0.until(.connected(isContinuous: false)) }
            try await sandbox.waitForNoConnections()
        }
        #expect(await registrations() == 1)
        let first = try #require(kept.registration)
        // The service has lost it.
        try await sandbox.execute("expire-inbox-tokens")
        try await withFeed(usesUserAPI: true, tokens: storage) { updates in
            // The server opens the socket before it refuses the token.
            while await registrations() < 2 { await updates.until(.connected(isContinuous: false)) }
            let other = try await waiting(for: "another token", seeing: { kept.registration }) {
                $0 != nil && $0 != first
            }
            let second = try #require(other)
            try await updates.api.deleteInboxToken(second.token)
            try await updates.api.deleteInboxToken("unknown")
            let tokens = await sandbox.magicBellInbox().tokens.registered(.inbox)
            #expect(tokens.map { $0.payload["token"]?.string } == [first.token])
            #expect(await registrations() == 2)
        }
    }

    private final class KeptToken: Sendable {
        private let kept = Mutex<InboxTokenRegistration?>(nil)

        var registration: InboxTokenRegistration? {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    /// Runs the feed of `user-1` while `body` runs. The delays between attempts are a hundredth of the real ones.
    private func withFeed(
        carrier: RealtimeCarrier? = nil,
        usesUserAPI: Bool = false,
        tokens: InboxTokenStorage = InboxTokenStorage(),
        _ body: @escaping @Sendable (Updates) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test")
        let token = usesUserAPI ? try await sandbox.token() : nil
        try await NIOTransport.withTransport(logger: logger) { transport in
            let context = try RequestContext(
                hosts: Hosts(api: sandbox.baseURL, ablyREST: sandbox.baseURL),
                http: transport,
                webSocket: transport,
                environment: ClientEnvironment(waitScale: 0.01),
                logger: logger
            )
            let api: any InboxAPI =
                if let token {
                    UserAPI(try .userToken(token), context: context)
                } else {
                    RESTAPI(try .apiKey("pk_sandbox", user: UserIdentity(externalID: "user-1")), context: context)
                }
            let feed = RealtimeFeed(
                carrier: carrier,
                api: api,
                webSocket: transport,
                http: transport,
                ablyREST: sandbox.baseURL,
                ablyRealtime: sandbox.socketURL,
                socket: sandbox.socketURL,
                inboxTokens: tokens,
                environment: context.environment,
                logger: logger
            )
            let updates = Mailbox<RealtimeUpdate>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await feed.run { updates.send($0) } }
                group.addTask { try await body(Updates(stream: updates.messages, api: api)) }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    private struct Updates: Sendable {
        let stream: Mailbox<RealtimeUpdate>.Messages
        let api: any InboxAPI

        func next() async -> RealtimeUpdate? { await stream.next() }

        /// Skips what comes before this update.
        func until(_ update: RealtimeUpdate) async {
            if await stream.next(where: { $0 == update }) == nil { Issue.record("\(update) was not reported") }
        }
    }
}
