import AgentInterface
import DBus
import FoundationEssentials
import Glibc
import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// Faults of the computer, of gateways and of a simulated MagicBell.
@Suite(.sessionBus, .sandbox(.magicBell()), .timeLimit(.minutes(3))) struct MagicBellFaultTests {
    private let sandbox = Sandbox.current

    @Test("Every acknowledged action reaches the service despite kills") func kills() async throws {
        var ids: [String] = []
        for number in 0..<8 { ids.append(try await sandbox.publish(["title": .string("\(number)")])) }
        try await TemporaryFile.with(AgentConfiguration.magicBell()) { file in
            for round in 0..<4 {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.call(AgentInbox.markRead, [ids[2 * round]])
                    try await agent.account.call(AgentInbox.archive, [ids[2 * round + 1]])
                    agent.program.send(SIGKILL)
                    await agent.program.ended()
                }
            }
            let all = ids
            try await BuiltAgent.keepingState(beside: file) { agent in
                for (index, id) in all.enumerated() {
                    try await agent.wait(for: id) { row in
                        index.isMultiple(of: 2) ? row?.readAt != nil : row?.archivedAt != nil
                    }
                }
                try await agent.account.wait(AgentAccount.pendingActions, is: 0)
            }
        }
        #expect(await sandbox.violations.isEmpty)
    }

    @Test("A broken connection is found, and what came meanwhile is shown once", arguments: ["ably", "socket"])
    func lostConnection(realtime: String) async throws {
        let configuration = AgentConfiguration.magicBell(realtime: realtime)
        try await BuiltAgent.with(configuration, environment: BuiltAgent.shortWaits) { agent in
            let first = try await sandbox.waitForConnection()
            try await sandbox.perform(.magicBell(.configureAbly(AblySettings(failingResumes: 1, omittedFlags: 1))))
            // Its event is lost with the connection.
            try await sandbox.perform(.magicBell(.publish([["title": "Missed"]], announced: false)))
            try await sandbox.perform(.magicBell(.drop(.hangUp(.reset))))
            #expect(try await agent.popup().summary == "Missed")
            try await sandbox.waitForConnection(after: first)
            try await sandbox.publish(["title": "Next"])
            #expect(try await agent.popup().summary == "Next")
        }
    }

    @Test("Actions survive the pages of a gateway", arguments: [400, 403, 404, 502]) func gateway(status: Int)
        async throws
    {
        let id = try await sandbox.publish(["title": "A"])
        try await BuiltAgent.with(AgentConfiguration.magicBell(), environment: BuiltAgent.shortWaits) { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: 1)
            let path = "/notifications/\(id)"
            try await sandbox.perform(.fault(.page(status, method: "POST", path: path, times: 10_000)))
            try await agent.account.call(AgentInbox.markRead, [id])
            _ = try await sandbox.wait { state in
                state.requests.count { $0.method == "POST" && $0.path.hasPrefix(path) } >= 2 ? true : nil
            }
            #expect(try await agent.account.get(AgentInbox.unreadCount) == 0, "it shows all the same")
            #expect(try await agent.account.get(AgentAccount.pendingActions) == 1)
            try await sandbox.perform(.clearFaults)
            try await agent.wait(for: id) { $0?.readAt != nil }
            try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        }
    }

    @Test("An action that is forbidden is reverted and reported; others are sent") func forbidden() async throws {
        let ids = [try await sandbox.publish(["title": "A"]), try await sandbox.publish(["title": "B"])]
        try await BuiltAgent.with(AgentConfiguration.magicBell()) { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: 2)
            let fault = RequestFault.magicBell(403, code: "forbidden", path: "/notifications/\(ids[0])/archive")
            try await sandbox.perform(.fault(fault))
            let failures = try await agent.account.signals(of: AgentInbox.self)
            try await agent.account.call(AgentInbox.archive, ids)
            for await signal in failures {
                guard let (action, failed, _, _) = try AgentInbox.actionFailed.decode(signal) else { continue }
                #expect(action == "Archive" && failed == [ids[0]])
                break
            }
            try await agent.wait(for: ids[1]) { $0?.archivedAt != nil }
            try await agent.account.wait(AgentInbox.totalCount, is: 1)
            #expect(try await agent.account.get(AgentAccount.state) == "online")
        }
    }

    @Test("The pending actions of a user are not sent for another one under the same name") func otherUser()
        async throws
    {
        let id = try await sandbox.publish(["title": "A"], to: Recipient("user-1"))
        try await TemporaryFile.with(AgentConfiguration.magicBell()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentInbox.unreadCount, is: 1)
                try await sandbox.perform(.fault(.page(502, method: "POST", path: "/notifications/", times: 10_000)))
                try await agent.account.call(AgentInbox.markRead, [id])
                try await agent.account.wait(AgentAccount.pendingActions, is: 1)
            }
            try await sandbox.perform(.clearFaults)
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
            try await sandbox.perform(.magicBell(.publish(Array(repeating: ["title": "Burst"], count: 60))))
            try await agent.account.wait(AgentInbox.unreadCount, is: 60)
            let reads = await sandbox.requests.count { $0.method == "GET" && $0.path.hasPrefix("/notifications") }
            #expect(reads < 30)
        }
    }
}
