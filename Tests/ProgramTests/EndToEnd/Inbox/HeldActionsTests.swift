import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// What the services cannot reverse: archives at SuprSend, and deletes at MagicBell.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct HeldActionsTests {
    @Test(
        "It can be taken back, and what is not is sent when the agent ends",
        arguments: [(.suprSend, "archive"), (.magicBell, "delete")] as [(TestedService, String)]
    )
    func undo(service: TestedService, command: String) async throws {
        try await service.withAgent { sandbox, agent in
            let id = try await sandbox.publish(service.fields("One"))
            _ = try await agent.popup()
            func isGone(_ state: SandboxState) -> Bool { service.row(id, in: state).map(\.isArchived) ?? true }
            #expect(try await Programs.run("feedbell", [command, id]).status == .exited(0))
            try await agent.waitForList(count: 0)
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
            let undone = try await Programs.run("feedbell", ["undo"])
            #expect(undone.status == .exited(0) && undone.output == "\(id)\n", "\(undone.errors)")
            try await agent.waitForList(count: 1)

            #expect(try await Programs.run("feedbell", [command, id]).status == .exited(0))
            try await agent.waitForList(count: 0)
            #expect(!isGone(await sandbox.state))
            agent.program.send(SIGTERM)
            await agent.program.ended()
            #expect(isGone(await sandbox.state))
        }
    }

    @Test(
        "Marking all as read is taken back by marking what it changed as unread, and ends no snooze",
        arguments: [TestedService.suprSend, .magicBell]
    )
    func readAll(service: TestedService) async throws {
        try await service.withAgent { sandbox, agent in
            let read = try await sandbox.publish(service.fields("Read before"))
            let snoozed = try await sandbox.publish(service.fields("Snoozed"))
            let unread = try await sandbox.publish(service.fields("Unread"))
            for _ in 0..<3 { _ = try await agent.popup() }
            @Sendable func readIDs(_ state: SandboxState) -> Set<String> {
                Set([read, snoozed, unread].filter { service.row($0, in: state)?.isRead == true })
            }
            let until = Int64(4_102_444_800_000)
            try await agent.account.call(AgentInbox.markRead, [read])
            try await agent.account.call(AgentInbox.snooze, [snoozed], until)
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            // All unread ones are known when their number is the service's.
            try await agent.account.wait(AgentInbox.unreadCount, is: 2)
            try await agent.account.call(AgentInbox.markAllRead)
            _ = try await sandbox.wait { readIDs($0).count == 3 ? true : nil }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(try await agent.account.call(AgentInbox.get, snoozed)["snoozed"] == .int64(until))
            let (_, action, back) = try await agent.root.call(AgentRoot.undo, "")
            #expect(action == "MarkAllRead" && Set(back) == [snoozed, unread])
            _ = try await sandbox.wait { readIDs($0) == [read] ? true : nil }
            try await agent.account.wait(AgentInbox.unreadCount, is: 2)
            #expect(try await agent.account.call(AgentInbox.get, snoozed)["snoozed"] == .int64(until))
            // Read by itself, its snooze ends.
            try await agent.account.call(AgentInbox.markRead, [snoozed])
            try await waiting(for: "the end of the snooze") {
                try await agent.account.call(AgentInbox.get, snoozed)
            } until: {
                $0["snoozed"] == .int64(0)
            }
        }
    }
}
