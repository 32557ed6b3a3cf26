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

    /// A request that was begun may arrive until the computer gives it up, also after its agent was killed.
    @Test("What an agent was sending at its end is sent again when it cannot arrive any more") func begunRequest()
        async throws
    {
        let (store, clock) = (StateStore(), ManualClock())
        let environment = AgentEnvironment(now: { Timestamp(milliseconds: 1_000_000) }, clock: clock)
        try await InProcessAgent.with(environment: environment, store: store) { agent in
            let service = try agent.service()
            await service.holdChanges()
            for id in ["n1", "n2"] { await service.arrive(.sample(id)) }
            try await agent.account.call(AgentInbox.markRead, ["n1"])
            #expect(await service.applied.next() == .read("n1"))
            try await agent.account.call(AgentInbox.markUnread, ["n1"])
            try await agent.account.call(AgentInbox.markRead, ["n2"])
        }
        #expect(try await store.rows(in: .actions, of: "work").map(\.begun) == [1_000_000, nil, nil])
        try await InProcessAgent.with(environment: environment, store: store) { agent in
            let service = try agent.service()
            #expect(await service.applied.next() == .read("n2"))
            await clock.sleepers(1, for: .seconds(20))
            clock.advance(by: .seconds(20))
            for expected in [Change.read("n1"), .unread("n1")] { #expect(await service.applied.next() == expected) }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
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
