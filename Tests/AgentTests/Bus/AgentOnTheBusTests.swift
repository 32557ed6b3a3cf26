import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import FoundationEssentials
import Inbox
import TestSupport
import Testing

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AgentOnTheBusTests {
    @Test("Each account has an object, which GetManagedObjects lists", .inProcessAgent(accounts: ["work", "a b/ü"]))
    func managedObjects() async throws {
        let agent = InProcessAgent.current
        let paths = try await agent.root.get(AgentRoot.accounts)
        #expect(paths == [AgentNames.accountPath("work"), AgentNames.accountPath("a b/ü")])
        for path in paths {
            let name = try await Proxy(agent.bus, AgentNames.busName, path).get(AgentAccount.accountName)
            #expect(path == AgentNames.accountPath(name))
        }
        #expect(Set(try await agent.root.getManagedObjects().keys) == Set(paths))
        #expect(try await agent.root.get(AgentRoot.version) == "1.2.3")
    }

    @Test("The connection state of an account is in its properties and in AttentionNeeded", .inProcessAgent())
    func connectionStates() async throws {
        let agent = InProcessAgent.current
        let account = agent.account
        #expect(try await account.get(AgentAccount.state) == "connecting")
        let service = try agent.service()
        let failure = ServiceFailure(.unauthorized, "The token has expired.")
        let since = Timestamp(milliseconds: 77)
        service.send(
            .connection(
                Connection(
                    state: .unauthorized,
                    since: since,
                    nextAttempt: Timestamp(milliseconds: 99),
                    failure: failure
                )
            )
        )
        try await account.wait(AgentAccount.state, is: "unauthorized")
        #expect(try await account.get(AgentAccount.stateSince) == 77)
        #expect(try await account.get(AgentAccount.nextAttempt) == 99)
        #expect(
            try await account.get(AgentAccount.lastError)
                == Structure(AgentErrors.unauthorized.text, "The token has expired.")
        )
        #expect(try await account.get(AgentAccount.attentionNeeded))
        try await agent.root.wait(AgentRoot.attentionNeeded, is: true)
        service.send(.connection(Connection(state: .connecting, since: since)))
        try await account.wait(AgentAccount.state, is: "connecting")
        #expect(try await account.get(AgentAccount.lastError).elements.1 == "The token has expired.")
        service.send(.connection(Connection(state: .online, since: since)))
        try await account.wait(AgentAccount.state, is: "online")
        #expect(try await account.get(AgentAccount.lastError) == Structure("", ""))
        try await agent.root.wait(AgentRoot.attentionNeeded, is: false)
        try await account.call(AgentAccount.reconnect)
        try await agent.root.call(AgentRoot.reconnect)
        #expect(await service.reconnects == 2)
    }

    @Test("A reload keeps unchanged accounts", .inProcessAgent(accounts: ["work", "home"])) func reload() async throws {
        let agent = InProcessAgent.current
        let work = try agent.service("work")
        let changes = try await agent.root.signals(of: ObjectManagerInterface.self)
        try agent.configuration.replace(InProcessAgent.text(["work", "other"]))
        try await agent.root.call(AgentRoot.reload)
        #expect(try await agent.root.get(AgentRoot.accounts) == ["work", "other"].map(AgentNames.accountPath))
        #expect(agent.services.count == 3)
        #expect(try agent.service("work") === work)
        var signals: [String] = []
        while signals.count < 2 {
            let message = try #require(await changes.next())
            if let (path, interfaces) = try ObjectManagerInterface.interfacesAdded.decode(message) {
                #expect(path == AgentNames.accountPath("other"))
                #expect(Set([AgentAccount.name.text, AgentInbox.name.text]).isSubset(of: interfaces.keys))
                #expect(interfaces[AgentAccount.name.text]?["Name"] == .string("other"))
                signals.append("added")
            } else if let (path, interfaces) = try ObjectManagerInterface.interfacesRemoved.decode(message) {
                #expect(path == AgentNames.accountPath("home") && interfaces.contains(AgentInbox.name.text))
                signals.append("removed")
            }
        }
        #expect(Set(signals) == ["added", "removed"])
        await work.arrive(.sample("n1"))
        try await agent.account("work").wait(AgentInbox.totalCount, is: 1)
    }

    @Test("A reload restarts a changed account", .inProcessAgent()) func changedAccount() async throws {
        let agent = InProcessAgent.current
        let old = try agent.service()
        await old.arrive(.sample("n1"))
        try await agent.account.wait(AgentInbox.totalCount, is: 1)
        try agent.configuration.write(InProcessAgent.text(["work"]) + "page_size = 5\n")
        try await agent.root.call(AgentRoot.reload)
        #expect(try agent.service() !== old)
        func ids() async throws -> [Value?] { try await agent.account.call(AgentInbox.list, [:]).map { $0["id"] } }
        #expect(try await ids() == [.string("n1")], "as it was")
        await old.arrive(.sample("n2"))
        try await agent.service().arrive(.sample("n3"))
        try await waiting(for: "the new list", seeing: ids) { $0 == [.string("n3")] }
    }

    @Test("A reload rejects an invalid configuration", .inProcessAgent()) func invalidConfiguration() async throws {
        let agent = InProcessAgent.current
        try agent.configuration.write("[popups]\ntimeuot = 3\n")
        let error = await #expect(throws: DBusError.self) { try await agent.root.call(AgentRoot.reload) }
        #expect(error?.name == .invalidArgs)
        #expect(
            error?.message.hasSuffix(
                "config.toml:2: \"timeuot\" is not a key of [popups]. The nearest valid key is \"timeout\"."
            ) == true
        )
        #expect(try await agent.root.get(AgentRoot.accounts).count == 1)
    }

    @Test("A pause is kept across restarts, until its end has passed or the user resumes popups")
    func pauseAcrossRestarts() async throws {
        let wall = WallClock(milliseconds: 1_000_000)
        let environment = AgentEnvironment(now: { wall.now }, clock: ManualClock())
        let store = StateStore()
        func restart(_ body: (InProcessAgent) async throws -> Void) async throws {
            try await InProcessAgent.with(environment: environment, store: store, body)
        }
        try await restart { try await $0.root.call(AgentRoot.pause, 1_060_000) }
        wall.set(milliseconds: 1_059_999)
        try await restart { agent in
            try await agent.root.wait(AgentRoot.paused, is: true)
            #expect(try await agent.root.get(AgentRoot.heldBack) == ["pause"])
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 1_060_000)
        }
        wall.set(milliseconds: 1_060_000)
        try await restart { agent in
            try await waiting(for: "the end of the pause", seeing: { try await store.pause() }) { $0 == nil }
            #expect(try await !agent.root.get(AgentRoot.paused))
            try await agent.root.call(AgentRoot.pause, 0)
        }
        try await restart { agent in
            try await agent.root.wait(AgentRoot.paused, is: true)
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 0)
            try await agent.root.call(AgentRoot.resume)
        }
        #expect(try await store.pause() == nil)
    }

    @Test("A pause ends at its time, and a pause without an end when it is resumed") func pause() async throws {
        let clock = ManualClock()
        let wall = WallClock(milliseconds: 1_000_000)
        let environment = AgentEnvironment(now: { wall.now }, clock: clock)
        try await InProcessAgent.with(environment: environment) { agent in
            await clock.sleepers(1)
            try await agent.root.call(AgentRoot.pause, 1_060_000)
            #expect(try await agent.root.get(AgentRoot.paused))
            #expect(try await agent.root.get(AgentRoot.heldBack) == ["pause"])
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 1_060_000)
            await clock.sleepers(2)
            wall.set(milliseconds: 1_060_000)
            clock.advance(by: .seconds(60))
            try await agent.root.wait(AgentRoot.paused, is: false)
            try await agent.root.wait(AgentRoot.heldBack, is: [])
            try await agent.root.wait(AgentRoot.pausedUntil, is: 0)
            try await agent.root.call(AgentRoot.pause, 0)
            #expect(try await agent.root.get(AgentRoot.pausedUntil) == 0)
            #expect(try await agent.root.get(AgentRoot.paused))
            try await agent.root.call(AgentRoot.resume)
            #expect(try await agent.root.get(AgentRoot.paused) == false)
            let error = await #expect(throws: DBusError.self) { try await agent.root.call(AgentRoot.pause, 5) }
            #expect(error?.name == .invalidArgs)
        }
    }

    @Test("Only one agent owns the bus name", .inProcessAgent()) func singleOwner() async throws {
        let agent = InProcessAgent.current
        let second = try await InProcessAgent.agent(agent.configuration, FakeServices())
        await #expect(throws: AgentFailure.alreadyRunning) { try await second.run() }
    }

    @Test("A replaced agent ends, and the new one serves the bus name") func replacedAgent() async throws {
        try await TemporaryFile.with(InProcessAgent.text(["work"])) { file in
            let (first, second) = (FakeServices(), FakeServices())
            let predecessor = try await InProcessAgent.agent(file, first)
            let successor = try await InProcessAgent.agent(file, second)
            try await withBus { bus in
                let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    async let end = Self.failure(of: predecessor)
                    _ = await owners.next { $0.new != nil }
                    group.addTask { try await successor.run(replacing: true) }
                    let failure = await end
                    #expect(failure == .replaced && failure?.exitCode == 0)
                    let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                    await second["work"]?.arrive(.sample("n1"))
                    try await account.wait(AgentInbox.totalCount, is: 1)
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }

    private static func failure(of agent: Agent) async -> AgentFailure? {
        do throws(AgentFailure) {
            try await agent.run()
            return nil
        } catch {
            return error
        }
    }

    /// Two agents that are connected at the same time would show things twice.
    @Test("A replacing agent waits until the previous one has ended", arguments: [false, true])
    func waitForPreviousAgent(endsByItself: Bool) async throws {
        let clock = ManualClock()
        let predecessor = try await Bus.connect(to: .address(SessionBus.address))
        _ = try await predecessor.requestName(AgentNames.busName, flags: [.allowReplacement, .doNotQueue])
        try await TemporaryFile.with(InProcessAgent.text(["work"])) { file in
            let services = FakeServices()
            let successor = try await InProcessAgent.agent(file, services, AgentEnvironment(clock: clock))
            try await withBus { bus in
                let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
                let old = await predecessor.uniqueName
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await successor.run(replacing: true) }
                    _ = await owners.next { $0.new != nil && $0.new != old }
                    await clock.sleeper(for: .seconds(3))
                    await services["work"]?.arrive(.sample("n1"))
                    let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                    #expect(try await account.get(AgentInbox.totalCount) == 0)
                    if endsByItself { await predecessor.close() } else { clock.advance(by: .seconds(3)) }
                    try await account.wait(AgentInbox.totalCount, is: 1)
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
        await predecessor.close()
    }
}
