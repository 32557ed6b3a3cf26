import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The realtime feed with Ably's fallback hosts", .timeLimit(.minutes(5)))
struct AblyFallbackTests {
    private static let hosts = HostFallback.Hosts(
        primary: "wss://p.example",
        fallbacks: ["wss://a.example", "wss://b.example"],
        internetCheck: "https://up.example/is-up.txt"
    )
    private static let unreachable = TransportError(.unreachable, "unreachable")
    private static let token = #"{"token":"tok-1","keyName":"app.key","issued":1000,"expires":3601000}"#

    @Test("When the primary host is unreachable and the internet is not, the next host is tried without a wait")
    func fallback() async throws {
        let socket = ScriptedSocket(failures: [Self.unreachable, TransportError(.refused(status: 503), "503")])
        let service = ScriptedService()
        await service.hold()
        try await RealtimeWorld.with(service: service, socket: socket, ablyHosts: Self.hosts) { world in
            await world.rest.answer(201, Self.token)
            await world.rest.answer(200, "yes\n")
            await service.release()
            await world.expect(.connecting)
            let connection = try await world.acceptAbly(1)
            await world.expect(.connected(isContinuous: false))
            #expect(connection.url.hasPrefix("wss://a.example/?"))
            let hosts = await world.socket.urls.map { String($0.prefix { $0 != "?" }) }
            #expect(hosts == ["wss://p.example/", "wss://b.example/", "wss://a.example/"])
            #expect(await world.rest.requests.last?.url == "https://up.example/is-up.txt")
            // The next attempt begins with the primary host.
            connection.breakDown()
            try await world.expectLost(nextAttemptIn: 5)
            await world.clock.sleeper(for: .seconds(5))
            world.clock.advance(by: .seconds(5))
            await world.expect(.connecting)
            #expect(try await world.acceptAbly(2).url.hasPrefix("wss://p.example/?"))
        }
    }

    @Test("Without the internet, no other host is tried", arguments: [0, 1, 2])
    func offline(variant: Int) async throws {
        let socket = ScriptedSocket(failures: [Self.unreachable])
        let service = ScriptedService()
        await service.hold()
        try await RealtimeWorld.with(service: service, socket: socket, ablyHosts: Self.hosts) { world in
            await world.rest.answer(201, Self.token)
            switch variant {
            case 0: await world.rest.answer(.failure(Self.unreachable))
            case 1: await world.rest.answer(200, "<html>Sign in</html>")
            default: await world.rest.answer(404, "yes")
            }
            await service.release()
            await world.expect(.connecting)
            let (error, _) = try await world.lost()
            #expect(error.kind == .unreachable)
            #expect(await world.socket.urls.count == 1)
        }
    }

    @Test("A host that refuses the connection itself has no fallback") func refused() async throws {
        let socket = ScriptedSocket(failures: [TransportError(.refused(status: 401), "401")])
        try await RealtimeWorld.with(socket: socket, ablyHosts: Self.hosts) { world in
            await world.expect(.connecting)
            _ = try await world.lost()
            #expect(await world.socket.urls.count == 1)
            #expect(await world.rest.requests.count == 1)
        }
    }

    private static let restHosts = HostFallback.Hosts(
        primary: "https://rest.example",
        fallbacks: ["a", "b", "c", "d"].map { "https://\($0).example" }
    )

    @Test("A token is asked of other hosts when the REST host fails", arguments: [1, 2, 3])
    func tokenFallback(failures: Int) async throws {
        let service = ScriptedService()
        await service.hold()
        try await RealtimeWorld.with(service: service, ablyRESTHosts: Self.restHosts) { world in
            for number in 1...failures {
                if number.isMultiple(of: 2) {
                    await world.rest.answer(503, "<html>Unavailable</html>")
                } else {
                    await world.rest.answer(.failure(Self.unreachable))
                }
            }
            await world.rest.answer(201, Self.token)
            await service.release()
            _ = try await world.online()
            let hosts = await world.rest.requests.map {
                String($0.url.dropFirst("https://".count).prefix { $0 != "/" })
            }
            let expected = ["rest.example", "d.example", "c.example", "b.example"]
            #expect(hosts == Array(expected.prefix(failures + 1)))
        }
    }

    @Test("At most three other hosts are asked for a token, and none after a refusal", arguments: [true, false])
    func tokenFallbackEnds(isRefusal: Bool) async throws {
        let service = ScriptedService()
        await service.hold()
        try await RealtimeWorld.with(service: service, ablyRESTHosts: Self.restHosts) { world in
            for _ in 1...5 { await world.rest.answer(isRefusal ? 401 : 500, #"{"error":{"code":40101}}"#) }
            await service.release()
            await world.expect(.connecting)
            _ = try await world.lost()
            #expect(await world.rest.requests.count == (isRefusal ? 1 : 4))
        }
    }
}
