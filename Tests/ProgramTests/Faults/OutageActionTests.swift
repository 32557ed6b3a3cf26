import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The connection is lost, or as good as lost, in every way it can be. Whatever was sent meanwhile is shown once and in
/// order, and what the user did meanwhile reaches the service once.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct OutageActionTests {
    enum Outage: Sendable, CaseIterable {
        /// The server process restarts: close code 1001, then refused connections for some time.
        case restart
        /// The connection is reset, and the upgrade answered with 503 for a while.
        case overload
        /// `41`: the server puts us out.
        case putOut
        /// `44`: for a while, the server refuses the credentials.
        case refused
        /// The connection is silent, which only missing pings show.
        case halfOpen
        /// A tenth of all pieces is lost.
        case loss
        /// A second in each direction.
        case latency
    }

    private struct World {
        let agent: BuiltAgent
        let sandbox: Sandbox
        let relay: Relay

        func begin(_ outage: Outage) async throws {
            switch outage {
            case .restart:
                await sandbox.inject(RequestFault(.close, times: 1_000))
                try await sandbox.execute("drop", ["how": "close"])
            case .overload:
                await sandbox.inject(.status(503, times: 1_000))
                try await sandbox.execute("drop", ["how": "reset"])
            case .putOut: try await sandbox.execute("drop", ["how": "disconnect"])
            case .refused:
                try await sandbox.execute("refuse", ["times": 1_000])
                try await sandbox.execute("drop", ["how": "reset"])
            case .halfOpen: relay.set(.blackHole)
            case .loss: relay.set(.loss(0.1))
            case .latency: relay.set(.latency(.seconds(1)))
            }
            switch outage {
            case .refused: try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            case .loss, .latency: break
            case .restart, .overload, .putOut, .halfOpen:
                try await agent.account.wait(AgentAccount.state, is: "offline")
            }
        }

        func end(_ outage: Outage) async throws {
            switch outage {
            case .restart, .overload: try await sandbox.execute("clear-faults")
            case .refused: try await sandbox.execute("refuse", ["times": 0])
            case .halfOpen: relay.set(.none)
            case .putOut, .loss, .latency: break
            }
        }
    }

    @Test(
        "The agent recovers by itself from every kind of outage; nothing is lost or repeated",
        arguments: Outage.allCases
    )
    func nothingLostNothingTwice(_ outage: Outage) async throws {
        var options = SandboxOptions(users: ["anna"])
        // Two missed pings are soon noticed, except where the network itself is slow.
        (options.pingInterval, options.pingTimeout) = outage == .halfOpen ? (200, 800) : (1_000, 20_000)
        options.recovery = false
        try await Sandbox.with(options) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let url = "http://127.0.0.1:\(relay.port)"
                let text = AgentConfiguration.account(url: url) + "[popups]\ngroup_above = 10\n"
                try await BuiltAgent.with(text, sandbox: sandbox, environment: BuiltAgent.shortWaits) { agent in
                    let world = World(agent: agent, sandbox: sandbox, relay: relay)
                    let first = try await sandbox.publish(["header": "First", "text": "x"])
                    #expect(try await agent.popup().summary == "First")
                    let second = try await sandbox.publish(["header": "Second", "text": "x"])
                    #expect(try await agent.popup().summary == "Second")

                    try await world.begin(outage)
                    for number in 1...3 {
                        _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"])
                    }
                    // While nothing passes, a request would wait for its end in time, which is not what this is about.
                    if outage != .halfOpen { try await agent.account.call(AgentInbox.markRead, [first]) }
                    try await world.end(outage)
                    try await agent.account.wait(AgentAccount.state, is: "online")

                    // In order, once each. The last one comes after all that may come twice.
                    var shown: [String] = []
                    while shown.count < 3 { shown.append(try await agent.popup().summary) }
                    try await agent.account.call(AgentInbox.archive, [second])
                    _ = try await sandbox.publish(["header": "Last", "text": "x"])
                    repeat { shown.append(try await agent.popup().summary) } while shown.last != "Last"
                    #expect(shown == ["Nr 1", "Nr 2", "Nr 3", "Last"])

                    // It is held for a while.
                    try await agent.waitForRequest("archive", of: second, at: sandbox)
                    try await agent.account.wait(AgentAccount.pendingActions, is: 0)
                    let rows = await sandbox.inbox("anna").rows
                    #expect(rows.first { $0.id == first }?.isRead == (outage != .halfOpen))
                    #expect(rows.first { $0.id == second }?.isArchived == true)
                    for path in ["\(first)/read", "\(second)/archive"] {
                        let carriedOut = await sandbox.requests.filter { $0.path.hasSuffix(path) && !$0.isSpoilt }
                        #expect(carriedOut.count == (outage == .halfOpen && path.hasPrefix(first) ? 0 : 1), "\(path)")
                    }
                }
            }
        }
    }

    /// An action that the agent sent over the silent connection is sent again after the outage, and takes effect once.
    @Test(
        "An action sent over a silent connection takes effect once",
        .sandbox(SandboxOptions(users: ["anna"], pingInterval: 200, pingTimeout: 800))
    )
    func silentConnection() async throws {
        let sandbox = Sandbox.current
        try await Relay.with(to: sandbox.port) { relay in
            let url = "http://127.0.0.1:\(relay.port)"
            let text = AgentConfiguration.account(url: url)
            try await BuiltAgent.with(text, environment: BuiltAgent.shortWaits) { agent in
                let id = try await sandbox.publish(["header": "First", "text": "x"])
                #expect(try await agent.popup().summary == "First")
                relay.set(.blackHole)
                try await agent.account.call(AgentInbox.markRead, [id])
                try await agent.account.wait(AgentAccount.state, is: "offline")
                #expect(try await agent.account.get(AgentAccount.pendingActions) == 1)
                relay.set(.none)
                try await agent.account.wait(AgentAccount.pendingActions, is: 0)
                #expect(await sandbox.inbox("anna").rows.first?.isRead == true)
                #expect(await sandbox.requests.count { $0.path.hasSuffix("\(id)/read") } == 1)
            }
        }
    }

    /// The old token is refused, with `44` and with 401, while there are things to do; the file holds the new one a
    /// moment later.
    @Test(
        "The agent recovers by itself when its refused token is replaced",
        .sandbox(SandboxOptions(users: ["anna"], recovery: false))
    )
    func refusedTokenIsReplaced() async throws {
        try await TemporaryFile.with("", named: "token") { file in
            let sandbox = Sandbox.current
            try file.write(try await sandbox.token(for: Recipient("anna"), lifetime: 3600) + "\n")
            let text =
                AgentConfiguration.account(url: sandbox.baseURL, hasToken: false)
                + "token_file = \"\(file.path)\"\n"
            try await BuiltAgent.with(text, environment: BuiltAgent.shortWaits) { agent in
                let id = try await sandbox.publish(["header": "First", "text": "x"])
                #expect(try await agent.popup().summary == "First")
                try await sandbox.execute("rotate-tokens")
                try await sandbox.execute("drop", ["how": "reset"])
                _ = try await sandbox.publish(["header": "Meanwhile", "text": "x"])
                try await agent.account.call(AgentInbox.markRead, [id])
                try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                try file.write(try await sandbox.token(for: Recipient("anna"), lifetime: 3600) + "\n")
                try await agent.account.wait(AgentAccount.state, is: "online")
                // Before the last one, whose event may overtake the list with what came meanwhile.
                #expect(try await agent.popup().summary == "Meanwhile")
                _ = try await sandbox.publish(["header": "Last", "text": "x"])
                #expect(try await agent.popup().summary == "Last")
                try await agent.account.wait(AgentAccount.pendingActions, is: 0)
                #expect(await sandbox.inbox("anna").rows.first { $0.id == id }?.isRead == true)
            }
        }
    }
}
