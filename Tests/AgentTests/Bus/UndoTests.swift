import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import Subprocess
import TestSupport
import Testing

/// The last archive or delete is taken back over the bus, and with `feedbell undo`.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct UndoTests {
    private func withInbox(_ body: @Sendable (InProcessAgent, FakeService) async throws -> Void) async throws {
        try await InProcessAgent.with { agent in
            let service = try agent.service()
            let inbox = FakeInbox(notifications: ["n1", "n2"].map { .sample($0) }, counts: Counts(total: 2))
            await service.setInbox(inbox)
            try await agent.account.wait(AgentInbox.totalCount, is: 2)
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
        try await withInbox { agent, service in
            // Each attempt fails, and the next ones wait for the end of the backoff.
            for _ in 0..<1000 { await service.fail(ServiceFailure(.transient, "down")) }
            try await agent.account.call(AgentInbox.archive, ["n1"])
            try await agent.account.call(AgentInbox.archive, ["n2"])
            var applied = service.applied.makeAsyncIterator()
            #expect(await [applied.next(), applied.next()] == [.archive("n1"), .archive("n2")])
            #expect(try await ids(agent).isEmpty)
            try await agent.account.wait(AgentAccount.pendingError) { !$0.elements.1.isEmpty }
            let outcome = try await Programs.run("feedbell", ["undo", "--json"])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output == "{\"account\":\"work\",\"action\":\"Archive\",\"ids\":[\"n2\"]}\n")
            #expect(try await ids(agent) == ["n2"])
            let (account, action, back) = try await agent.root.call(AgentRoot.undo, "work")
            #expect((account, action, back) == ("work", "Archive", ["n1"]))
            #expect(try await ids(agent) == ["n1", "n2"])
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
        }
    }

    @Test("What the service cannot reverse is an error, and nothing to take back is another") func errors()
        async throws
    {
        try await withInbox { agent, _ in
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "x") } == AgentErrors.notFound)
            let nothing = try await Programs.run("feedbell", ["undo"])
            #expect(nothing.status == .exited(5))
            #expect(nothing.errors == "feedbell: There is no archive or delete to take back.\n")
            try await agent.account.call(AgentInbox.archive, ["n1"])
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            let sent = try await Programs.run("feedbell", ["undo"])
            #expect(sent.status == .exited(6))
            #expect(sent.errors == "feedbell: It was sent to the service already, which cannot take it back.\n")
            #expect(await errorName { _ = try await agent.root.call(AgentRoot.undo, "") } == AgentErrors.notFound)
        }
    }
}
