import ClientKit
import Logging
import SuprSend
import TestSupport
import Testing

/// Our session against a stock Socket.IO server.
@Suite(.timeLimit(.minutes(5))) struct StockServerTests {
    private typealias Events = Sightings<ConnectedSession.Event>

    /// Connects to a server and passes its events on; disconnects when `body` returns.
    private func connected(
        to server: StockServer,
        credentials: JSONValue = ["distinct_id": "user-1"],
        _ body: (Events) async throws -> Void
    ) async throws -> (any Error)? {
        let (events, sink) = AsyncStream.makeStream(of: ConnectedSession.Event.self)
        return try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                let logger = Logger(label: "test")
                do {
                    try await NIOTransport.withTransport(logger: logger) { transport in
                        let driver = SessionDriver(webSocket: transport, clock: ContinuousClock(), logger: logger)
                        var recovery: Recovery?
                        try await driver.run(
                            url: SessionDriver.url(host: server.host),
                            credentials: { credentials },
                            recovery: &recovery
                        ) { event in
                            // The server has no rooms, so this comes after a time limit.
                            if event != .synchronized(recovered: false) { sink.yield(event) }
                        }
                    }
                    return nil
                } catch {
                    sink.finish()
                    return error
                }
            }
            try await body(Events(events))
            group.cancelAll()
            return try await group.next() ?? nil
        }
    }

    /// How a connection ends that this side does not end.
    private func ending(
        of server: StockServer,
        credentials: JSONValue = [:],
        when joined: () async throws -> Void = {}
    ) async throws -> SessionFailure.Kind? {
        let error = try await connected(to: server, credentials: credentials) { events async throws in
            if await events.next() != nil {
                try await joined()
                while await events.next() != nil {}
            }
        }
        return (error as? SessionFailure)?.kind
    }

    @Test("Events arrive with their arguments, and the server receives acknowledgements")
    func eventsAndAcknowledgements() async throws {
        try await StockServer.running { server async throws in
            let error = try await connected(to: server) { events async throws in
                #expect(await events.next() == .joined)
                #expect(try await server.sees() == ["connected", ["distinct_id": "user-1"]])

                try await server.emit(["new_notification", ["n_id": "01K1"]])
                #expect(await events.next() == .received(.newNotification(id: "01K1")))
                try await server.emit(["reset_badge"])
                #expect(await events.next() == .received(.badgeReset))
                try await server.emit(["several", 1, "zwei ü€😀", ["a": .null], "1754-0"])
                let several: [JSONValue] = [1, "zwei ü€😀", ["a": .null], "1754-0"]
                #expect(await events.next() == .other(name: "several", arguments: several))

                try await server.ask(["new_notification", ["n_id": "01K2"]])
                #expect(await events.next() == .received(.newNotification(id: "01K2")))
                #expect(try await server.sees() == ["acknowledged", []])
            }
            #expect(error is CancellationError)
            // The disconnect is orderly: the server receives `41`.
            #expect(try await server.sees() == ["disconnected", "client disconnect"])
        }
    }

    @Test("200 events arrive in order") func manyEventsKeepTheirOrder() async throws {
        try await StockServer.running { server async throws in
            _ = try await connected(to: server) { events async throws in
                #expect(await events.next() == .joined)
                for number in 0..<200 { try await server.emit(["n", .integer(Int64(number))]) }
                for number in 0..<200 {
                    #expect(await events.next() == .other(name: "n", arguments: [.integer(Int64(number))]))
                }
            }
        }
    }

    @Test("Each ping of the server is answered") func pingsAreAnswered() async throws {
        try await StockServer.running(pingInterval: 1, pingTimeout: 20) { server async throws in
            _ = try await connected(to: server) { events async throws in
                #expect(await events.next() == .joined)
                try await server.showPongs()
                var pongs = 0
                while pongs < 3, let sight = try await server.sees() { pongs += sight == ["pong"] ? 1 : 0 }
                #expect(pongs == 3)
            }
        }
    }

    @Test("A refused CONNECT returns the server's message and data") func refusal() async throws {
        try await StockServer.running { server async throws in
            let kind = try await ending(of: server, credentials: ["refuse": "Authentication Error: wrong auth token"])
            #expect(kind == .refused(message: "Authentication Error: wrong auth token", data: ["hint": 1]))
        }
    }

    @Test("A disconnect by the server is reported as one") func disconnectByServer() async throws {
        try await StockServer.running { server async throws in
            let kind = try await ending(of: server) {
                _ = try await server.sees()
                try await server.disconnectAll()
            }
            #expect(kind == .disconnectedByServer)
        }
    }

    /// The timeout applies to our answers, too, so a busy machine must answer within it.
    @Test("A frozen server ends the connection as silent") func frozenServer() async throws {
        try await StockServer.running(pingInterval: 1, pingTimeout: 4) { server async throws in
            #expect(try await ending(of: server) { try server.freeze() } == .silence)
        }
    }

    @Test("A killed server ends the connection as lost") func killedServer() async throws {
        try await StockServer.running { server async throws in
            let kind = try await ending(of: server) { try server.kill() }
            #expect(kind == .lost(TransportError(.closed(code: nil), "The connection to 127.0.0.1 was lost.")))
        }
    }
}
