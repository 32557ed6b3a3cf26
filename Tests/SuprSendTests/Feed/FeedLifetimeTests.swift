import Basics
import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import SuprSend

/// Known mistakes of other clients about lifetimes, of feeds and of notifications.
@Suite(.timeLimit(.minutes(5))) struct FeedLifetimeTests {
    @Test("Removing a feed closes its socket")
    func removedFeed() async throws {
        try await withFeed { world in
            await world.online()
            let connection = try await world.socket.connection(1)
            await world.client.feeds.removeInstance(world.feed)
            // In an orderly way, and before `removeInstance` returns.
            #expect(await connection.sent.last == "41")
            #expect(await connection.isClosed)
            #expect(await world.socket.attempts == 1)
        }
    }

    @Test(
        "A feed and its connection are freed after its removal, or after run() ends",
        arguments: [
            true, false,
        ]
    )
    func noReferenceLeft(isRemoved: Bool) async throws {
        let socket = ForgetfulSocket()
        let client = try SuprSendClient.test(webSocket: socket)
        let trace = try await trace(ofFeedBy: client, socket, isRemoved: isRemoved)
        while trace.feed != nil, !Task.isCancelled { await Task.yield() }
        while await socket.connection != nil, !Task.isCancelled { await Task.yield() }
        #expect(trace.feed == nil)
    }

    private struct Trace { weak var feed: Feed? }

    private func trace(ofFeedBy client: SuprSendClient, _ socket: ForgetfulSocket, isRemoved: Bool) async throws
        -> Trace
    {
        let feed = try client.feeds.initialize()
        let events = await feed.events()
        await withTaskGroup { group in
            group.addTask { await feed.run() }
            for await event in events {
                if case .connection(.online) = event { break }
            }
            #expect(await socket.connection != nil)
            if isRemoved { await client.feeds.removeInstance(feed) } else { group.cancelAll() }
        }
        return Trace(feed: feed)
    }

    @Test("A notification is removed when it expires, without polling")
    func expiry() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("a"), row("soon", age: 1000, expiry: Timestamp(milliseconds: base.milliseconds + 5000)))
        try await withFeed(inbox: inbox) { world in
            await world.shows(["a", "soon"])
            let wait = await world.clock.sleeper(within: .seconds(5) ... .seconds(10))
            world.clock.advance(by: wait)
            await world.shows(["a"])
        }
    }

    /// By how much our clock is ahead of the service's, in milliseconds.
    @Test("Expiry follows the service's clock, not the local one", arguments: [3_600_000, -3_600_000] as [Int64])
    func clockSkew(ahead: Int64) async throws {
        let inbox = FakeInbox()
        let service = Timestamp(milliseconds: base.milliseconds - ahead)
        await inbox.sayTime(service)
        await inbox.publish(
            row("a"),
            row("gone", expiry: Timestamp(milliseconds: service.milliseconds - 2000)),
            row("soon", age: 1000, expiry: Timestamp(milliseconds: service.milliseconds + 5000))
        )
        try await withFeed(inbox: inbox) { world in
            await world.shows(["a", "soon"])
            // The header has whole seconds.
            let wait = await world.clock.sleeper(within: .seconds(3) ... .seconds(8))
            world.clock.advance(by: wait)
            await world.shows(["a"])
        }
    }
}

/// A server side without a reference to its connection.
private actor ForgetfulSocket: WebSocketTransport {
    weak var connection: FakeConnection?

    private func open() -> FakeConnection {
        let new = FakeConnection(.join(pid: nil))
        connection = new
        return new
    }

    nonisolated func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        try await body(await open())
    }
}
