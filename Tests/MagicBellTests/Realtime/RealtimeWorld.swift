import Basics
import ClientKit
import FoundationEssentials
import Logging
import MagicBell
import TestSupport
import Testing

/// A running realtime feed with a service in memory and a manual clock. Delays between attempts are the longest ones.
struct RealtimeWorld: Sendable {
    let feed: RealtimeFeed
    let service: ScriptedService
    let rest: ScriptedAblyREST
    let socket: ScriptedSocket
    let clock: ManualClock
    private let updates: Mailbox<RealtimeUpdate>.Messages

    static let start = Date(timeIntervalSince1970: 1_767_225_600)

    /// The next report of the feed.
    func next() async -> RealtimeUpdate? { await updates.next() }

    /// The next reports must be these.
    func expect(_ expected: RealtimeUpdate..., sourceLocation: SourceLocation = #_sourceLocation) async {
        for update in expected { #expect(await next() == update, sourceLocation: sourceLocation) }
    }

    /// The error of the next "lost", which follows now, and the seconds until the next attempt.
    func lost(sourceLocation: SourceLocation = #_sourceLocation) async throws -> (MagicBellError, TimeInterval) {
        let update = await next()
        guard case .lost(let error, let date?) = update else {
            Issue.record("the next report is \(update as Any)", sourceLocation: sourceLocation)
            throw Unexpected()
        }
        return (error, date.timeIntervalSince(Self.start))
    }

    func expectLost(
        nextAttemptIn seconds: TimeInterval,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let delay = try await lost(sourceLocation: sourceLocation).1
        #expect(delay == seconds, sourceLocation: sourceLocation)
    }

    struct Unexpected: Error {}

    static func with(
        carrier: RealtimeCarrier? = .ably,
        service: ScriptedService = ScriptedService(),
        socket: ScriptedSocket = ScriptedSocket(),
        ablyHosts: HostFallback.Hosts? = nil,
        ablyRESTHosts: HostFallback.Hosts? = nil,
        _ body: @escaping @Sendable (RealtimeWorld) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let rest = ScriptedAblyREST()
        let feed = RealtimeFeed(
            carrier: carrier,
            api: service,
            webSocket: socket,
            http: rest,
            ablyREST: "https://rest.example",
            ablyRealtime: "wss://ably.example",
            ablyHosts: ablyHosts,
            ablyRESTHosts: ablyRESTHosts,
            socket: "wss://socket.example",
            environment: ClientEnvironment(now: { start }, clock: clock, jitter: { 1 }),
            logger: Logger(label: "test")
        )
        let updates = Mailbox<RealtimeUpdate>()
        let world = RealtimeWorld(
            feed: feed,
            service: service,
            rest: rest,
            socket: socket,
            clock: clock,
            updates: updates.messages
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await feed.run { updates.send($0) }
                updates.close()
            }
            group.addTask { try await body(world) }
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: Ably

    static let connected = """
        {"action":4,"connectionId":"c1","connectionDetails":{"connectionKey":"c1!k1","connectionStateTtl":120000,\
        "maxIdleInterval":15000}}
        """

    /// Accepts the connection of that number as Ably, and attaches the channel.
    func acceptAbly(_ number: Int, flags: Int = 0, connected: String = connected) async throws -> ScriptedConnection {
        let connection = try await socket.connection(number)
        connection.push(connected)
        _ = try await connection.frame(1)
        connection.push(#"{"action":11,"channel":"c","channelSerial":"s:0","flags":\#(flags)}"#)
        return connection
    }

    /// The first connection, attached and reported.
    func online(connected: String = connected) async throws -> ScriptedConnection {
        await expect(.connecting)
        let connection = try await acceptAbly(1, connected: connected)
        await expect(.connected(isContinuous: false))
        return connection
    }

    /// The value of a query item of a URL.
    static func query(_ name: String, of url: String) -> String? {
        let items = url.split(separator: "?").last?.split(separator: "&") ?? []
        return items.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
