import Basics
import ClientKit
import Logging
import TestSupport
import Testing

@testable import SuprSend

/// A whole feed whose socket is a stock Socket.IO server, without connection state recovery; its REST side is in
/// memory.
@Suite(.timeLimit(.minutes(5))) struct StockServerFeedTests {
    private func running(on server: StockServer, _ body: (Feed, FakeInbox, AsyncStream<FeedEvent>) async throws -> Void)
        async throws
    {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await NIOTransport.withTransport(logger: logger) { transport in
            let inbox = FakeInbox()
            let clock = FastClock(factor: 40)
            let context = try RequestContext.test(
                http: inbox,
                webSocket: transport,
                hosts: Hosts(socket: server.host),
                environment: ClientEnvironment(
                    now: { Timestamp(milliseconds: clock.wall).date },
                    clock: clock,
                    jitter: { 0 }
                )
            )
            let feed = try SuprSendClient(context, identifiedAs: "user-1").feeds.initialize()
            let events = await feed.events()
            try await withThrowingTaskGroup { group in
                group.addTask { await feed.run() }
                try await body(feed, inbox, events)
                group.cancelAll()
            }
        }
    }

    private func online(_ events: AsyncStream<FeedEvent>) async {
        _ = await events.next { if case .connection(.online) = $0 { true } else { false } }
    }

    private func offline(_ events: AsyncStream<FeedEvent>) async -> SuprSendError? {
        await events.pick { if case .connection(.offline(let error?, _)) = $0 { error } else { nil } }
    }

    private func announcement(_ events: AsyncStream<FeedEvent>) async -> (id: String, catchUp: Bool)? {
        await events.pick { if case .newNotification(let row, let catchUp) = $0 { (row.id, catchUp) } else { nil } }
    }

    @Test("Notifications of a stock server are announced") func announcements() async throws {
        try await StockServer.running { server async throws in
            try await running(on: server) { feed, inbox, events async throws in
                await online(events)
                await inbox.publish(row("a"), row("b", age: -1))
                try await server.emit(["new_notification", ["n_id": "a"], "7-0"])
                #expect(await announcement(events)?.id == "a")
                try await server.ask(["new_notification", ["n_id": "b"]])
                #expect(await announcement(events)?.id == "b")
            }
        }
    }

    @Test("After a restart of the server, the feed catches up and receives live events") func restart() async throws {
        try await StockServer.running(port: LastingPort.next()) { server async throws in
            try await running(on: server) { feed, inbox, events async throws in
                await online(events)
                // Rows of the first list are not announced. This server does not send `joined_room`, so the list
                // is loaded later.
                try await waiting(for: "the list", seeing: { await feed.data.status }) { $0 == .success }
                try server.kill()
                #expect(await offline(events)?.kind == .unreachable)
                await inbox.publish(row("missed"))
                try await StockServer.running(port: server.port) { again async throws in
                    let announced = await announcement(events)
                    #expect(announced?.id == "missed")
                    #expect(announced?.catchUp == true)
                    await inbox.publish(row("live", age: -1))
                    try await again.emit(["new_notification", ["n_id": "live"]])
                    #expect(await announcement(events)?.id == "live")
                }
            }
        }
    }

    @Test("After a disconnect and several refusals, the feed connects and catches up") func disconnectAndRefusals()
        async throws
    {
        try await StockServer.running { server async throws in
            try await running(on: server) { feed, inbox, events async throws in
                await online(events)
                try await waiting(for: "the list", seeing: { await feed.data.status }) { $0 == .success }
                // Several times: a slow listener receives only the latest state of the connection.
                for _ in 1...5 { try await server.refuse("limit reached") }
                try await server.disconnectAll()
                var refused: SuprSendError?
                while refused?.message.contains("limit reached") != true, !Task.isCancelled {
                    refused = await offline(events)
                }
                #expect(refused?.kind == .unreachable)
                await inbox.publish(row("missed"))
                #expect(await announcement(events)?.id == "missed")
            }
        }
    }
}
