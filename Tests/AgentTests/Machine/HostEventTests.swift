import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Logging
import TestSupport
import Testing

@testable import Agent

/// Events of the host are reported to every account.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct HostEventTests {
    @Test(
        "Sleep, network and clock events are reported to every account",
        arguments: [
            (.suspend, "suspend"), (.reconnectNow, "reconnectNow"),
            (.setNetworkUnavailable(true), "setNetworkUnavailable true"),
            (.wallClockChanged(by: .seconds(3600)), "wallClockChanged by 3600.0 seconds"),
        ] as [(HostPowerState.Effect, String)]
    )
    func hostEvents(_ effect: HostPowerState.Effect, _ expected: String) async throws {
        try await withAgent { agent, services, _ in
            await agent.perform(effect)
            for name in ["home", "work"] { #expect(await services[name]?.hostEvents == [expected]) }
        }
    }

    @Test("A new route begins an attempt of each account that is not online") func newRoute() async throws {
        try await withAgent { agent, services, bus in
            services["home"]?.send(.connection(Connection(state: .online, since: 1)))
            try await Proxy(bus, AgentNames.busName, AgentNames.accountPath("home"))
                .wait(AgentAccount.state, is: "online")
            await agent.perform(.retryNow)
            #expect(await services["home"]?.hostEvents == [])
            #expect(await services["work"]?.hostEvents == ["reconnectNow"])
        }
    }

    /// Runs an agent with the accounts "home" and "work".
    private func withAgent(_ body: (Agent, FakeServices, Bus) async throws -> Void) async throws {
        let services = FakeServices()
        try await TemporaryFile.with(InProcessAgent.text(["home", "work"])) { file in
            let agent = try await InProcessAgent.agent(file, services)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await agent.run() }
                try await withBus { bus in
                    try await bus.waitForOwner(of: "org.feedbell.Agent1")
                    try await body(agent, services, bus)
                }
                group.cancelAll()
            }
        }
    }

    @Test("The system bus may be requested before it connects or when it is missing")
    func systemBus() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let missing = SystemBus(.address("unix:path=/nonexistent/bus"), logger: logger)
        let present = SystemBus(.address(SessionBus.address), logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            async let first = missing.bus
            async let second = present.bus
            group.addTask { await missing.run() }
            group.addTask { await present.run() }
            let (none, some) = await (first, second)
            #expect(none == nil)
            #expect(try await some?.nameOwner(of: .bus) == .bus)
            group.cancelAll()
            try await group.waitForAll()
            #expect(await present.bus == nil)
        }
        let nowhere = SystemBus(nil, logger: logger)
        await nowhere.run()
        #expect(await nowhere.bus == nil)
    }
}
