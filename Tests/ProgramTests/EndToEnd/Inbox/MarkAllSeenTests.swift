import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MarkAllSeenTests {
    @Test("MarkAllSeen works on the account of any service", arguments: TestedService.allCases)
    func anyService(service: TestedService) async throws {
        try await service.withAgent { sandbox, agent in
            for number in 1...3 { try await sandbox.publish(service.fields("Nr \(number)")) }
            for _ in 1...3 { _ = try await agent.popup() }
            try await agent.account.wait(AgentInbox.unseenCount, is: 3)
            // Visible at once, while nothing reaches the service.
            await sandbox.inject(service.refusal(503, path: service.apiPath, times: 10_000))
            try await agent.account.call(AgentInbox.markAllSeen)
            #expect(try await agent.account.get(AgentInbox.unseenCount) == 0)
            for notification in try await agent.account.call(AgentInbox.list, [:]) {
                #expect(notification["seen"] != .int64(0))
            }
            try await sandbox.execute("clear-faults")
            try await sandbox.wait { state in service.rows(in: state).allSatisfy(\.isSeen) ? true : nil }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(try await agent.account.get(AgentInbox.unseenCount) == 0)
            #expect(try await agent.account.get(AgentInbox.unreadCount) == 3)
        }
    }
}
