import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Subprocess
import TestSupport
import Testing

/// The last archive, delete, mark-all-read or snooze is taken back over the bus, and with `feedbell undo`.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct UndoTests {
    private func withInbox(
        environment: AgentEnvironment = AgentEnvironment(),
        store: StateStore = StateStore(),
        _ body: @Sendable (InProcessAgent, FakeService) async throws -> Void
    ) async throws {
        try await InProcessAgent.with(environment: environment, store: store) { agent in
            let service = try agent.service()
            let inbox = FakeInbox(notifications: ["n1", "n2"].map { .sample($0) }, counts: Counts(unread: 2, total: 2))
            await service.setInbox(inbox)
            try await agent.account.wait(AgentAccount.lastEvent) { $0 > 0 }
            try await body(agent, service)
        }
    }

    private func ids(_ agent: InProcessAgent) async throws -> [String] {
        try await agent.account.call(AgentInbox.list, ["archived": .bool(false)]).map { NotificationRecord($0).id }
            .sorted()
    }

    private func errorName(_ body: () async throws -> Void) async -> ErrorName? {
        await #expect(throws: DBusError.self) { try await body() }?.name
    }

    @Test("What waits because the service is unreachable is taken back, one request after the other") func waiting()
        async throws
    {
        // Each attempt fails, and the next ones wait for the end of the backoff, which does not come.
        let clock = ManualClock()
        try await withInbox(environment: AgentEnvironment(clock: clock)) { agent, service in
            for _ in 0..<1000 { await service.fail(ServiceFailure(.transient, "down")) }
            try await agent.account.call(AgentInbox.archive, ["n1"])
            try await agent.account.call(AgentInbox.archive, ["n2"])
            await clock.sleepers(2, for: time)
            clock.advance(by: time)
            #expect(Set(await applied(by: service, count: 2)) == [.archive("n1"), .archive("n2")])
            #expect(try await ids(agent).isEmpty)
            try await agent.account.wait(AgentAccount.pendingError) { !$0.elements.1.isEmpty }
            let outcome = try await Programs.run("feedbell", ["undo", "--account", "work", "--json"])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output == "{\"account\":\"work\",\"action\":\"Archive\",\"ids\":[\"n2\"]}\n")
            #expect(try await ids(agent) == ["n2"])
            let (account, action, back) = try await agent.root.call(AgentRoot.undo, "work")
            #expect((account, action, back) == ("work", "Archive", ["n1"]))
            #expect(try await ids(agent) == ["n1", "n2"])
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
        }
    }

    private let time = Duration.seconds(11)

    @Test("Programs and the agent have the same limit of notifications that are marked as unread again") func limit() {
        #expect(AgentInbox.maximumUnreadAgain == UndoHistory.unreadLimit)
    }

    /// What the service was asked for, in the order of the requests.
    private func applied(by service: FakeService, count: Int) async -> [Change] {
        var (changes, messages) = ([Change](), service.applied.makeAsyncIterator())
        while changes.count < count, let change = await messages.next() { changes.append(change) }
        return changes
    }

    @Test("What the service cannot reverse is held, taken back unsent, and an error once it is sent") func held()
        async throws
    {
        let clock = ManualClock()
        try await withInbox(environment: AgentEnvironment(clock: clock)) { agent, service in
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "x") } == AgentErrors.notFound)
            let nothing = try await Programs.run("feedbell", ["undo"])
            #expect(nothing.status == .exited(5))
            #expect(nothing.errors == "feedbell: There is nothing to take back.\n")
            try await agent.account.call(AgentInbox.archive, ["n1", "n2"])
            #expect(try await ids(agent).isEmpty)
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 0, "it is not due yet")
            let back = try await Programs.run("feedbell", ["undo"])
            #expect(back.status == .exited(0) && back.output == "n1\nn2\n")
            #expect(try await ids(agent) == ["n1", "n2"])

            try await agent.account.call(AgentInbox.archive, ["n2"])
            // The first one is not stopped.
            await clock.sleepers(2, for: time)
            clock.advance(by: time)
            #expect(await applied(by: service, count: 1) == [.archive("n2")], "n1 was never sent")
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            let sent = try await Programs.run("feedbell", ["undo"])
            #expect(sent.status == .exited(6))
            #expect(sent.errors == "feedbell: It was sent to the service already, which cannot take it back.\n")
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
        }
    }

    @Test("Over several accounts the later action is the last one, also if the wall clock was set back meanwhile")
    func severalAccounts() async throws {
        let noon: Int64 = 1_763_726_400_000
        let (clock, wall) = (ManualClock(), WallClock(milliseconds: noon))
        let environment = AgentEnvironment(now: { wall.now }, clock: clock)
        try await InProcessAgent.with(accounts: ["work", "home"], environment: environment) { agent in
            for name in ["work", "home"] {
                try await agent.service(name).arrive(.sample("n1"))
                try await agent.account(name).wait(AgentInbox.totalCount, is: 1)
            }
            try await agent.account("work").call(AgentInbox.archive, ["n1"])
            wall.set(milliseconds: noon - 3_600_000)
            clock.advance(by: .seconds(1))
            try await agent.account("home").call(AgentInbox.archive, ["n1"])
            for expected in ["home", "work"] {
                let (account, _, back) = try await agent.root.call(AgentRoot.undo, "")
                #expect(account == expected && back == ["n1"])
            }
        }
    }

    @Test("What one command did to two accounts is one step, and what cannot be taken back is said")
    func twoAccounts() async throws {
        let (clock, wall) = (ManualClock(), WallClock(milliseconds: 1_763_726_400_000))
        let environment = AgentEnvironment(now: { wall.now }, clock: clock)
        func ids(_ agent: InProcessAgent, _ name: String) async throws -> [String] {
            try await agent.account(name).call(AgentInbox.list, ["archived": .bool(false)])
                .map { NotificationRecord($0).id }.sorted()
        }
        try await InProcessAgent.with(accounts: ["work", "home"], environment: environment) { agent in
            for name in ["work", "home"] {
                let rows = ["\(name)1", "\(name)2"].map { Notification.sample($0) }
                try await agent.service(name).setInbox(FakeInbox(notifications: rows, counts: Counts(total: 2)))
                try await agent.account(name).wait(AgentAccount.lastEvent) { $0 > 0 }
            }
            try await agent.account("home").call(AgentInbox.archive, ["home2"])
            func archiveAll() async throws {
                let archived = try await Programs.output("feedbell", ["archive", "--all", "--yes"])
                #expect(archived == "3 notifications were archived.\n")
            }
            try await archiveAll()
            let undone = try await agent.root.call(AgentRoot.undoAll).map(\.elements)
            #expect(undone.map(\.0) == ["work", "home"] && undone.map(\.1) == ["Archive", "Archive"])
            #expect(undone.map { $0.2.sorted() } == [["work1", "work2"], ["home1"]])
            #expect(try await ids(agent, "work") == ["work1", "work2"])
            #expect(try await ids(agent, "home") == ["home1"], "what another program did is another step")

            try await archiveAll()
            let json = try await Programs.output("feedbell", ["undo", "--json"]).split(separator: "\n")
            #expect(json.count == 2 && json[1] == "{\"account\":\"home\",\"action\":\"Archive\",\"ids\":[\"home1\"]}")
            let before = try await Programs.output("feedbell", ["undo"])
            #expect(before == "home2\n")
            #expect(try await Programs.run("feedbell", ["undo"]).status == .exited(5))

            // One account's archives are sent, the other's are retried later.
            let archived = try await Programs.output("feedbell", ["archive", "--all", "--yes"])
            #expect(archived == "4 notifications were archived.\n")
            let work = try agent.service("work")
            for _ in 0..<1000 { await work.fail(ServiceFailure(.transient, "down")) }
            // The timers of before are not stopped.
            await clock.sleepers(7, for: time)
            clock.advance(by: time)
            for service in [work, try agent.service("home")] { _ = await applied(by: service, count: 2) }
            try await agent.account("home").wait(AgentAccount.pendingActions, is: 0)
            try await agent.account.wait(AgentAccount.pendingError) { !$0.elements.1.isEmpty }
            let half = try await Programs.run("feedbell", ["undo"])
            #expect(half.status == .exited(6) && Set(half.output.split(separator: "\n")) == ["work1", "work2"])
            #expect(
                half.errors == "feedbell: home: It was sent to the service already, which cannot take it back.\n"
            )
        }
    }

    @Test("After a restart the whole request is taken back, and what is left of its time is held") func restart()
        async throws
    {
        let noon: Int64 = 1_763_726_400_000
        let (store, wall) = (StateStore(), WallClock(milliseconds: noon))
        func environment(_ clock: ManualClock) -> AgentEnvironment {
            AgentEnvironment(now: { wall.now }, clock: clock)
        }
        try await withInbox(environment: environment(ManualClock()), store: store) { agent, _ in
            try await agent.account.call(AgentInbox.archive, ["n1", "n2"])
        }
        wall.set(milliseconds: noon + 4_000)
        let clock = ManualClock()
        try await withInbox(environment: environment(clock), store: store) { agent, service in
            await clock.sleeper(for: .seconds(7))
            #expect(try await ids(agent).isEmpty)
            let (account, action, back) = try await agent.root.call(AgentRoot.undo, "")
            #expect((account, action, back) == ("work", "Archive", ["n1", "n2"]))
            try await agent.account.wait(AgentInbox.totalCount, is: 2)
            #expect(try await ids(agent) == ["n1", "n2"])
            #expect(try await store.rows(in: .actions, of: "work").isEmpty)
        }
    }

    @Test("What was archived elsewhere meanwhile is neither sent nor taken back") func elsewhere() async throws {
        try await withInbox(environment: AgentEnvironment(clock: ManualClock())) { agent, service in
            try await agent.account.call(AgentInbox.archive, ["n1"])
            try await agent.account.call(AgentInbox.archive, ["n2"])
            await service.setInbox(FakeInbox(notifications: [.sample("n1")], counts: Counts(total: 1)))
            try await agent.account.wait(AgentInbox.totalCount, is: 0)
            let (_, _, back) = try await agent.root.call(AgentRoot.undo, "")
            #expect(back == ["n1"])
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
        }
    }

    @Test("A snooze gets its earlier time back, and one that has ended is no step") func snooze() async throws {
        try await withInbox { agent, _ in
            let hour = AgentEnvironment().now().milliseconds + 3_600_000
            func snoozed() async throws -> Value? { try await agent.account.call(AgentInbox.get, "n1")["snoozed"] }
            try await agent.account.call(AgentInbox.snooze, ["n1"], hour)
            try await agent.account.call(AgentInbox.snooze, ["n1"], hour + 1)
            let (_, action, back) = try await agent.root.call(AgentRoot.undo, "")
            #expect(action == "Snooze" && back == ["n1"])
            #expect(try await snoozed() == .int64(hour))
            _ = try await agent.root.call(AgentRoot.undo, "")
            #expect(try await snoozed() == .int64(0))
            try await agent.account.call(AgentInbox.snooze, ["n1"], hour)
            try await agent.account.call(AgentInbox.unsnooze, ["n1"])
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
        }
    }
}
