import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The realtime feed through the service's own socket", .timeLimit(.minutes(5)))
struct InboxSocketFeedTests {
    private static func with(
        service: ScriptedService = ScriptedService(),
        socket: ScriptedSocket = ScriptedSocket(),
        _ body: @escaping @Sendable (RealtimeWorld) async throws -> Void
    ) async throws {
        try await RealtimeWorld.with(carrier: .socket, service: service, socket: socket, body)
    }

    private static func tokens(_ service: ScriptedService) async -> [String] {
        await service.calls.compactMap { $0.hasPrefix("inbox token ") ? String($0.dropFirst(12)) : nil }
    }

    @Test("The registered token opens the socket, and events are received in order") func connecting() async throws {
        let service = ScriptedService()
        await service.register(.success("registered+token"))
        try await Self.with(service: service) { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let connection = try await world.socket.connection(1)
            #expect(connection.url == "wss://socket.example?api_key=pk&token=registered%2Btoken")
            let made = try #require(await Self.tokens(service).first)
            #expect(made.count == 64 && made.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz".contains($0) })
            connection.push(#"{"id":"m1","channel":"user-1","name":"notifications/new","data":{"id":"n1"}}"#)
            connection.push(#"{"name":"notifications/read","data":"{\"id\":\"n1\",\"client_id\":\"x\"}"}"#)
            connection.push(#"{"name":"notifications/seen","data":{"id":"n2"}}"#)
            connection.push("nonsense")
            connection.push(#"{"name":"notifications/read/all","data":null}"#)
            await world.expect(
                .event(.created(id: "n1")),
                .event(.changed(id: "n1", .read)),
                .event(.changed(id: "n2", .seen)),
                .event(.allRead)
            )
            #expect(await connection.sent.isEmpty)
            #expect(await world.service.calls.count == 1)
        }
    }

    @Test("After every connection events may be missing; the token is registered once") func reconnecting() async throws
    {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            try await world.socket.connection(1).breakDown()
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && delay == 5)
            await world.clock.sleeper(for: .seconds(5))
            world.clock.advance(by: .seconds(5))
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await Self.tokens(world.service).count == 1)
        }
    }

    @Test("A silent server gets a ping after 40 seconds, and is lost when nothing comes for 15 more")
    func pings() async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let connection = try await world.socket.connection(1)
            await world.clock.sleeper(for: .seconds(40))
            world.clock.advance(by: .seconds(40))
            #expect(try await connection.frame(1) == "ping")
            await world.clock.sleeper(for: .seconds(15))
            connection.pong()
            await world.clock.sleeper(for: .seconds(40))
            world.clock.advance(by: .seconds(30))
            connection.push(#"{"name":"notifications/seen/all"}"#)
            await world.expect(.event(.allSeen))
            await world.clock.sleeper(for: .seconds(40))
            world.clock.advance(by: .seconds(40))
            #expect(try await connection.frame(2) == "ping")
            await world.clock.sleeper(for: .seconds(15))
            world.clock.advance(by: .seconds(15))
            let (error, delay) = try await world.lost()
            #expect(error.message.contains("stopped responding") && delay == 5)
            #expect(await connection.isClosed)
        }
    }

    @Test("After a token error another token is registered at once; a second one in a row waits")
    func tokenErrors() async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let token = try #require(await Self.tokens(world.service).first)
            let refusal = #"{"type":"error","code":40142,"message":"token \#(token) expired"}"#
            try await world.socket.connection(1).push(refusal)
            await world.expect(.connecting, .connected(isContinuous: false))
            let tokens = await Self.tokens(world.service)
            #expect(tokens.count == 2 && tokens[0] != tokens[1])
            try await world.socket.connection(2).push(refusal.replacing(tokens[0], with: tokens[1]))
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && error.codes == ["40142"] && delay == 1)
            #expect(!error.message.contains(tokens[1]) && error.message.contains("expired"))
        }
    }

    @Test("Other errors of the server do not end the connection") func otherErrors() async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let connection = try await world.socket.connection(1)
            connection.push(#"{"type":"error","code":50000,"message":"try later"}"#)
            connection.push(#"{"name":"notifications/seen/all"}"#)
            await world.expect(.event(.allSeen))
        }
    }

    @Test(
        "The server's end decides about the next attempt and the token",
        arguments: [
            (#"{"type":"close"}"#, nil, .unreachable, 30, 1), ("CLOSE", nil, .unreachable, 30, 1),
            (#"{"type":"error","code":40000,"message":"Invalid channel id: 7"}"#, nil, .rejected, 60, 2),
            (nil, 1000, .unreachable, 30, 1), (nil, 1001, .unreachable, 30, 1), (nil, 1011, .unreachable, 5, 1),
            (nil, 4006, .rateLimited, 60, 1), (nil, 4007, .rateLimited, 60, 1), (nil, 4009, .unreachable, 5, 1),
        ] as [(String?, UInt16?, MagicBellError.Kind, Double, Int)]
    )
    func ends(
        frame: String?,
        code: UInt16?,
        kind: MagicBellError.Kind,
        delay: Double,
        tokenCount: Int
    ) async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let connection = try await world.socket.connection(1)
            if let frame { connection.push(frame) } else { connection.close(with: code) }
            let lost = try await world.lost()
            #expect(lost.0.kind == kind && lost.1 == delay)
            await world.feed.reconnect()
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await Self.tokens(world.service).count == tokenCount)
        }
    }

    @Test(
        "A close that refuses the token is followed by another token at once",
        arguments: [1008, 4001, 4002, 4003] as [UInt16]
    )
    func refusingCloses(code: UInt16) async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            try await world.socket.connection(1).close(with: code)
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await Self.tokens(world.service).count == 2)
            try await world.socket.connection(2).close(with: code)
            try await world.expectLost(nextAttemptIn: 60)
        }
    }

    @Test("A text PING is answered") func textPings() async throws {
        try await Self.with { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            let connection = try await world.socket.connection(1)
            connection.push("PONG")
            connection.push("PING")
            #expect(try await connection.frame(1) == "PONG")
        }
    }

    @Test("Another token is registered after two handshakes in a row that the server refused") func handshakes()
        async throws
    {
        let refusal = TransportError(.refused(status: 500), "status 500", retryAfter: .seconds(3))
        try await Self.with(socket: ScriptedSocket(failures: [refusal, refusal])) { world in
            for count in 1...2 {
                await world.expect(.connecting)
                let (error, delay) = try await world.lost()
                #expect(error.status == 500 && delay > 3)
                #expect(await Self.tokens(world.service).count == 1, "after \(count) attempts")
                await world.feed.reconnect()
            }
            await world.expect(.connecting, .connected(isContinuous: false))
            let tokens = await Self.tokens(world.service)
            #expect(tokens.count == 2 && tokens[0] != tokens[1])
        }
    }

    @Test("Without a network, the token stays") func noNetwork() async throws {
        let failure = TransportError(.unreachable, "no route")
        try await Self.with(socket: ScriptedSocket(failures: [failure, failure, failure])) { world in
            for delay in [1.0, 2, 4] {
                await world.expect(.connecting)
                try await world.expectLost(nextAttemptIn: delay)
                await world.feed.reconnect()
            }
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await Self.tokens(world.service).count == 1)
        }
    }

    @Test("A handshake that is refused with 401 or 403 is followed by another token at once", arguments: [401, 403])
    func refusedHandshake(status: Int) async throws {
        let socket = ScriptedSocket(failures: [TransportError(.refused(status: status), "status \(status)")])
        try await Self.with(socket: socket) { world in
            await world.expect(.connecting, .connecting, .connected(isContinuous: false))
            #expect(await Self.tokens(world.service).count == 2)
        }
    }

    @Test("A refused registration is reported, and retried slowly") func refusedRegistration() async throws {
        let service = ScriptedService()
        let refusal = MagicBellError(.unauthorized, "The key is wrong.", status: 401)
        await service.register(.failure(refusal))
        try await Self.with(service: service) { world in
            await world.expect(.connecting)
            let lost = try await world.lost()
            #expect(lost.0 == refusal && lost.1 == 60)
            #expect(await world.socket.urls.isEmpty)
        }
    }

    @Test("Ending the run closes the socket") func cancelling() async throws {
        let socket = ScriptedSocket()
        try await Self.with(socket: socket) { world in
            await world.expect(.connecting, .connected(isContinuous: false))
        }
        #expect(try await socket.connection(1).isClosed)
    }
}
