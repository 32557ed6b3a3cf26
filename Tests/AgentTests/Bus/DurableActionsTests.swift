import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

@testable import Agent

/// User actions persist across restarts of the agent.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DurableActionsTests {
    private let down = ServiceFailure(.transient, "The service is down.")

    @Test("Pending actions are sent after a restart, and those of a later version are kept") func pendingActions()
        async throws
    {
        let store = StateStore()
        let unreachable = FakeServices(failures: [down, down, down])
        try await InProcessAgent.with(store: store, services: unreachable) { agent in
            try await agent.service().arrive(.sample("n1"))
            try await agent.account.call(AgentInbox.markRead, ["n1", "n2"])
            try await agent.account.call(AgentInbox.resetBadge)
            #expect(
                try await store.rows(in: .actions, of: "work").map(\.method) == ["MarkRead", "MarkRead", "ResetBadge"]
            )
        }
        let later = StateStore.OutboxRow(number: 8, method: "FromTheFuture", arguments: [], made: 5)
        try await store.replace([], by: [later], in: .actions, of: "work")
        try await InProcessAgent.with(store: store) { agent in
            var applied = try agent.service().applied.makeAsyncIterator()
            for expected in [Change.read("n1"), .read("n2"), .badgeReset] { #expect(await applied.next() == expected) }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(try await store.rows(in: .actions, of: "work").map(\.method) == ["FromTheFuture"])
            // New ones come after those that were there.
            try await agent.account.call(AgentInbox.markUnread, ["n1"])
            #expect(await applied.next() == .unread("n1"))
        }
    }

    /// They show, too: what was read before the restart is not unread after it.
    @Test("Pending actions are visible after a restart") func pendingState() async throws {
        let store = StateStore()
        try await store.replace(
            [],
            by: [.init(number: 7, method: "MarkRead", arguments: ["n1"], made: 5)],
            in: .actions,
            of: "work"
        )
        let environment = AgentEnvironment(clock: ManualClock())
        let services = FakeServices(failures: [down])
        try await InProcessAgent.with(environment: environment, store: store, services: services) { agent in
            let service = try agent.service()
            try await agent.account.wait(AgentAccount.pendingActions, is: 1)
            await service.arrive(.sample("n1"))
            try await agent.account.wait(AgentInbox.totalCount, is: 1)
            #expect(try await agent.account.call(AgentInbox.get, "n1")["read"] == .int64(5))
            #expect(try await agent.account.get(AgentInbox.unreadCount) == 0)
        }
    }
}
