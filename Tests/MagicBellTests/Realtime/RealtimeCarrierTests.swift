import MagicBell
import TestSupport
import Testing

@Suite("The carrier of the realtime feed", .timeLimit(.minutes(5)))
struct RealtimeCarrierTests {
    @Test("Without a configured carrier, Ably is used if the API offers it and the user has a channel there")
    func automatic() {
        let configuration = UserConfiguration(channel: "c")
        #expect(RealtimeCarrier.automatic([.ably], configuration) == .ably)
        #expect(RealtimeCarrier.automatic([.ably], nil) == .socket)
        #expect(RealtimeCarrier.automatic([], configuration) == .socket)
        #expect(RealtimeCarrier(rawValue: "ably") == .ably && RealtimeCarrier(rawValue: "socket") == .socket)
    }

    @Test("The configuration is loaded once, and again in the next run") func configuredOnce() async throws {
        let service = ScriptedService()
        for run in 1...2 {
            try await RealtimeWorld.with(carrier: nil, service: service) { world in
                try await world.online().breakDown()
                _ = try await world.lost()
                await world.feed.reconnect()
                await world.expect(.connecting)
                _ = try await world.acceptAbly(2)
                await world.expect(.connected(isContinuous: false))
            }
            #expect(await service.count("configuration") == run)
        }
    }

    @Test(
        "A failure of the configuration is retried; without one, the service's own socket is used",
        arguments: [.success(nil), .failure(MagicBellError(.notFound, "no", status: 404))]
            as [Result<UserConfiguration?, MagicBellError>]
    )
    func failure(answer: Result<UserConfiguration?, MagicBellError>) async throws {
        let service = ScriptedService()
        await service.configure(.failure(MagicBellError(.unreachable, "no")), answer)
        try await RealtimeWorld.with(carrier: nil, service: service) { world in
            await world.expect(.connecting)
            try await world.expectLost(nextAttemptIn: 1)
            await world.feed.reconnect()
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await world.socket.urls.first?.hasPrefix("wss://socket.example?") == true)
        }
    }

    @Test("An API without Ably is not asked for a configuration") func noAbly() async throws {
        let service = ScriptedService(capabilities: [])
        try await RealtimeWorld.with(carrier: nil, service: service) { world in
            await world.expect(.connecting, .connected(isContinuous: false))
            #expect(await service.count("configuration") == 0)
        }
    }
}
