import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import TestSupport
import Testing

/// Faults of the computer, of gateways and of a simulated MagicBell.
@Suite(.sessionBus, .sandbox(.magicBell()), .timeLimit(.minutes(5))) struct MagicBellFaultTests {
    private let sandbox = Sandbox.current

    @Test("A broken connection is found, and what came meanwhile is shown once", arguments: ["ably", "socket"])
    func lostConnection(realtime: String) async throws {
        let configuration = AgentConfiguration.magicBell(realtime: realtime)
        try await BuiltAgent.with(configuration, environment: BuiltAgent.shortWaits) { agent in
            let first = try await sandbox.waitForConnection()
            // The notifications of the first list count as old.
            try await agent.account.wait(AgentAccount.lastEvent) { $0 != 0 }
            try await sandbox.execute("ably", ["fail_resumes": 1, "omit_resumed": 1])
            // Its event is lost with the connection.
            try await sandbox.execute("publish", ["title": "Missed", "announce": false])
            try await sandbox.execute("drop", ["how": "reset"])
            #expect(try await agent.popup().summary == "Missed")
            try await sandbox.waitForConnection(after: first)
            try await sandbox.publish(["title": "Next"])
            #expect(try await agent.popup().summary == "Next")
        }
    }

    @Test("The pending actions of a user are not sent for another one under the same name") func otherUser()
        async throws
    {
        let id = try await sandbox.publish(["title": "A"], to: Recipient("user-1"))
        try await TemporaryFile.with(AgentConfiguration.magicBell()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentInbox.unreadCount, is: 1)
                await sandbox.inject(.page(502, method: "POST", path: "/notifications/", times: 10_000))
                try await agent.account.call(AgentInbox.markRead, [id])
                try await agent.account.wait(AgentAccount.pendingActions, is: 1)
            }
            try await sandbox.execute("clear-faults")
            try file.write(AgentConfiguration.magicBell("work", .user("user-2")))
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(try await agent.account.get(AgentAccount.pendingActions) == 0)
            }
            #expect(await sandbox.magicBellInbox("user-1")[id]?.readAt == nil)
            try file.write(AgentConfiguration.magicBell())
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.wait(for: id) { $0?.readAt != nil }
            }
        }
    }

    @Test("A burst is one summary and few requests") func burst() async throws {
        try await BuiltAgent.with(AgentConfiguration.magicBell()) { agent in
            try await sandbox.execute(
                "publish",
                ["notifications": .array(Array(repeating: ["title": "Burst"], count: 60))]
            )
            try await agent.account.wait(AgentInbox.unreadCount, is: 60)
            let reads = await sandbox.requests.count { $0.method == "GET" && $0.path.hasPrefix("/notifications") }
            #expect(reads < 30)
        }
    }
}
