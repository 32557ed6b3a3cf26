import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// Notifications that a rule collects.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DigestOnTheBusTests {
    private static let rules = "[[rules]]\ntitle = \"news*\"\ndigest = \"1m\"\nsound = \"none\"\n"

    @Test("A digest is one summary after its time, and other popups do not wait for it") func digest() async throws {
        let (wall, clock) = (WallClock(milliseconds: 1_763_726_400_000), ManualClock())
        let environment = AgentEnvironment(now: { wall.now }, localTime: wall.localTime, clock: clock)
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with(popups: Self.rules, environment: environment) { agent in
                    let service = try agent.service()
                    for number in 1...2 {
                        await service.arrive(.sample("n\(number)", title: "news \(number)"))
                    }
                    await service.arrive(.sample("n3", title: "other"))
                    #expect(await server.notifications.next()?.summary == "other")
                    await clock.sleeper(for: .seconds(60))
                    wall.set(milliseconds: wall.now.milliseconds + 60_000)
                    clock.advance(by: .seconds(60))
                    let digest = await server.notifications.next()
                    #expect(digest?.summary == "2 new notifications" && digest?.body == "news 2\nnews 1")
                    #expect(digest?.hints["suppress-sound"] == .bool(true))
                    #expect(await server.calls.count == 2)
                }
            }
        }
    }
}
