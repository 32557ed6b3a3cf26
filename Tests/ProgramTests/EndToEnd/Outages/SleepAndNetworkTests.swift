import AgentInterface
import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Sandbox

/// The built agent on a machine that sleeps and loses its network, as reported by logind and NetworkManager.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct SleepAndNetworkTests {
    private let sandbox = Sandbox.current

    /// The titles in later `NotificationAdded` signals.
    private func added(_ agent: BuiltAgent) async throws -> AsyncStream<Message> {
        try await agent.bus.signals(
            matching: MatchRule(
                sender: AgentNames.busName,
                interface: AgentInbox.name,
                member: AgentInbox.notificationAdded.name
            )
        )
    }

    private func title(_ message: Message?) throws -> String? {
        guard let message, let (_, notification) = try AgentInbox.notificationAdded.decode(message) else { return nil }
        return try notification.value("title", as: String.self)
    }

    @Test("The agent reconnects by itself after a sleep", arguments: [true, false]) func sleep(recovery: Bool)
        async throws
    {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                let options = SandboxOptions(users: ["anna"], recovery: recovery)
                try await Sandbox.with(options) { sandbox in
                    let text = AgentConfiguration.account(url: sandbox.baseURL)
                    try await BuiltAgent.with(text, sandbox: sandbox) { agent in
                        let added = try await added(agent)
                        try await logind.inhibitors(1)
                        _ = try await sandbox.publish(["header": "Before", "text": "x"])
                        #expect(try await title(added.next()) == "Before")

                        try await logind.prepareForSleep(true)
                        try await logind.inhibitors(0)
                        #expect(
                            try await agent.account.get(AgentAccount.state) == "suspended",
                            "the machine sleeps now"
                        )
                        #expect(try await agent.account.get(AgentAccount.attentionNeeded) == false)
                        #expect(try await agent.account.get(AgentAccount.nextAttempt) == 0)
                        let realtime = await sandbox.state.realtime
                        #expect(realtime.connections.isEmpty, "it did not wait for the goodbye")
                        #expect(realtime.departed.isEmpty, "it did not say goodbye")

                        for number in 1...2 {
                            _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"])
                        }
                        try await logind.prepareForSleep(false)
                        var caughtUp: Set<String?> = []
                        for _ in 1...2 { caughtUp.insert(try await title(added.next())) }
                        #expect(caughtUp == ["Nr 1", "Nr 2"])
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        try await logind.inhibitors(1)
                        _ = try await sandbox.publish(["header": "After", "text": "x"])
                        #expect(try await title(added.next()) == "After", "nothing came twice")
                        #expect(try await agent.account.call(AgentInbox.list, [:]).count == 4)
                    }
                }
            }
        }
    }

    @Test("Reconnect() ends the suspended state") func reconnectWhileSuspended() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.logind { logind in
                try await BuiltAgent.with { agent in
                    try await logind.inhibitors(1)
                    try await logind.prepareForSleep(true)
                    try await agent.account.wait(AgentAccount.state, is: "suspended")
                    try await agent.account.call(AgentAccount.reconnect)
                    try await agent.account.wait(AgentAccount.state, is: "online")
                }
            }
        }
    }

    /// The service wants it to wait for half a minute.
    ///
    /// - Returns: When it will try again.
    private func waitLong(_ agent: BuiltAgent) async throws -> Int64 {
        let start = Int64(Date().timeIntervalSince1970 * 1000)
        let later = ServiceResponse(status: 503, headers: ["Retry-After": "30"], body: [])
        await sandbox.inject(RequestFault(.respond(later), onlyUpgrades: true))
        try await sandbox.execute("drop", ["how": "reset"])
        var nextAttempt: Int64 = 0
        try await agent.account.wait(AgentAccount.nextAttempt) {
            nextAttempt = $0
            return $0 >= start + 29_000
        }
        return nextAttempt
    }

    @Test("The agent reconnects by itself when the network is back, before the next scheduled attempt")
    func networkReturns() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.networkManager { manager in
                try await BuiltAgent.with { agent in
                    _ = try await agent.program.wait(for: "network")
                    let nextAttempt = try await waitLong(agent)
                    try await manager.network(20)
                    _ = try await agent.program.wait(for: "unavailable")
                    try await manager.network(70)
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try await agent.account.get(AgentAccount.stateSince) < nextAttempt)
                }
            }
        }
    }

    /// The server reads and writes nothing any more, as seen after a change of the Wi-Fi.
    @Test("The agent reconnects when the network route changes") func changedRoute() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.networkManager { manager in
                try await manager.primaryConnection(1)
                try await BuiltAgent.with { agent in
                    let first = try await sandbox.waitForConnection()
                    _ = try await agent.program.wait(for: "route")
                    try await sandbox.execute("drop", ["how": "silence"])
                    try await manager.primaryConnection(2)
                    let second = try await sandbox.waitForConnection(after: first)
                    #expect(second > first)
                    _ = try await sandbox.publish(["header": "Sale", "text": "x"])
                    #expect(try await agent.popup().summary == "Sale")
                }
            }
        }
    }

    @Test("A missing network is reported as the reason") func noNetwork() async throws {
        try await SessionBus.withSystemBus {
            try await DBusMock.networkManager { manager in
                try await manager.network(20)
                let configuration = AgentConfiguration.account(url: "http://127.0.0.1:1")
                try await BuiltAgent.alone(configuration) { agent in
                    let account = agent.account
                    try await account.wait(AgentAccount.lastError) {
                        $0.elements.1.hasPrefix("This computer seems to have no network. ")
                    }
                    try await manager.network(70)
                    try await account.wait(AgentAccount.lastError) { !$0.elements.1.contains("no network") }
                }
            }
        }
    }

    @Test("The agent works with an empty system bus and after its end")
    func emptySystemBus() async throws {
        try await SessionBus.withSystemBus {
            try await BuiltAgent.with { agent in
                _ = try await sandbox.publish(["header": "Nobody", "text": "x"])
                #expect(try await agent.popup().summary == "Nobody")
                kill(SessionBus.systemProcessID, SIGKILL)
                _ = try await agent.program.wait(for: "lost the system bus")
                _ = try await sandbox.publish(["header": "Nothing", "text": "x"])
                #expect(try await agent.popup().summary == "Nothing")
            }
        }
    }
}
