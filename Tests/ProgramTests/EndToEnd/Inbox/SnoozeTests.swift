import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Notifications that the user puts off pop up again once.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SnoozeTests {
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    @Test(
        "A snoozed notification leaves the list, and pops up again at its time",
        .sandbox(users: ["anna"]),
        .builtAgent()
    )
    func snooze() async throws {
        let agent = BuiltAgent.current
        let id = try await Sandbox.current.publish(["header": "Nr 1", "text": "x"])
        let first = try await agent.popup()
        #expect(first.summary == "Nr 1")
        let changes = try await agent.account.signals(of: AgentInbox.self)
        let until = Self.now + 2_000
        try await agent.account.call(AgentInbox.snooze, [id], until)
        let changed = try await changes.pick { try AgentInbox.notificationChanged.decode($0) }
        #expect(try NotificationRecord(#require(changed).1).snoozed == until)
        #expect(try await Self.ids(agent, ["snoozed": .bool(true)]) == [id])
        #expect(try await agent.account.get(AgentInbox.hiddenUnread) == ["": 1])
        #expect(try await agent.account.get(AgentInbox.unreadCount) == 1, "it is the service's")
        #expect(try await Self.ids(agent, ["snoozed": .bool(false)]).isEmpty)
        #expect(try await Self.ids(agent, [:]) == [id])
        let list = try await Programs.run("feedbell", ["list"])
        #expect(list.status == .exited(0), "\(list.errors)")
        #expect(list.output.isEmpty)
        let again = try await agent.popup()
        #expect(again.summary == "Nr 1" && Self.now >= until)
        #expect(try await Self.ids(agent, ["snoozed": .bool(true)]).isEmpty)
        #expect(try await agent.account.get(AgentInbox.hiddenUnread) == [:])
        _ = try await Sandbox.current.publish(["header": "Nr 2", "text": "x"])
        #expect(try await agent.popup().summary == "Nr 2", "only once")
    }

    @Test(
        "One that is read or archived meanwhile, here or elsewhere, does not pop up",
        .sandbox(users: ["anna"]),
        .builtAgent()
    )
    func handled() async throws {
        let (agent, sandbox) = (BuiltAgent.current, Sandbox.current)
        var ids: [String] = []
        for number in 1...4 {
            ids.append(try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]))
            _ = try await agent.popup()
        }
        try await agent.account.call(AgentInbox.markRead, [ids[3]])
        try await agent.account.call(AgentInbox.snooze, ids, Self.now + 1_500)
        try await agent.account.call(AgentInbox.markRead, [ids[0]])
        try await sandbox.execute("act", ["n_id": .string(ids[1]), "action": "archive"])
        try await sandbox.execute("act", ["n_id": .string(ids[2]), "action": "read"])
        #expect(try await agent.popup().summary == "Nr 4", "it was read before")
        try await waiting(for: "the end of each snooze") {
            try await Self.ids(agent, ["snoozed": .bool(true)])
        } until: {
            $0 == []
        }
        _ = try await sandbox.publish(["header": "Nr 5", "text": "x"])
        #expect(try await agent.popup().summary == "Nr 5")
    }

    @Test("It survives a restart, also without the service", .sandbox(users: ["anna"])) func restart() async throws {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            var until: Int64 = 0
            try await BuiltAgent.keepingState(beside: file) { agent in
                let id = try await sandbox.publish(["header": "Nr 1", "text": "x"])
                try await agent.waitForList(count: 1)
                until = Self.now + 2_500
                try await agent.account.call(AgentInbox.snooze, [id], until)
                // The copy is written.
                #expect(try await agent.account.call(AgentInbox.list, ["text": .string("nr")]).count == 1)
            }
            await sandbox.inject(.status(503, method: "GET", path: "/v1/feed", times: 1_000))
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.server.serving {
                    let popup = try await agent.popup()
                    #expect(popup.summary == "Nr 1" && Self.now >= until)
                }
            }
        }
    }

    @Test("One whose time comes during a pause pops up after it, also by the next agent", .sandbox(users: ["anna"]))
    func paused() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.server.serving {
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    let id = try await Sandbox.current.publish(["header": "Nr 1", "text": "x"])
                    #expect(try await agent.popup().summary == "Nr 1")
                    try await agent.root.call(AgentRoot.pause, 0)
                    try await agent.account.call(AgentInbox.snooze, [id], Self.now + 300)
                    try await waiting(for: "the end of each snooze") {
                        try await Self.ids(agent, ["snoozed": .bool(true)])
                    } until: {
                        $0 == []
                    }
                }
            }
            for summary in ["Nr 1", "Nr 2"] {
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.server.serving {
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        if summary == "Nr 2" { _ = try await Sandbox.current.publish(["header": "Nr 2", "text": "x"]) }
                        try await agent.root.call(AgentRoot.resume)
                        #expect(try await agent.popup().summary == summary, "once")
                    }
                }
            }
        }
    }

    @Test("The command takes ids and a time, and refuses others", .sandbox(users: ["anna"]), .builtAgent())
    func command() async throws {
        let agent = BuiltAgent.current
        var ids: [String] = []
        for number in 1...2 {
            ids.append(try await Sandbox.current.publish(["header": .string("Nr \(number)"), "text": "x"]))
        }
        try await agent.waitForList(count: 2)
        func run(_ words: String...) async throws -> Programs.Outcome { try await Programs.run("feedbell", words) }
        #expect(try await run("snooze", ids[0], ids[1], "until", "23:59").status == .exited(0))
        #expect(try await run("list", "--snoozed").output.split(separator: "\n").count == 2)
        #expect(try await run("unsnooze", ids[0]).status == .exited(0))
        #expect(try await run("list").output.hasSuffix("\tNr 1\n"))
        for words in [[ids[0], "soon"], ["1h"], [ids[0], "until", "2020-01-01"], [ids[0], "until"]] {
            let outcome = try await Programs.run("feedbell", ["snooze"] + words)
            #expect(outcome.status == .exited(64) && !outcome.errors.isEmpty, "\(words)")
        }
        let unknown = try await run("snooze", "01K1VNB0E0EXPRE00000000002", "1h")
        #expect(unknown.status == .exited(5), "\(unknown.errors)")
        let past = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentInbox.snooze, [ids[0]], 1)
        }
        #expect(past?.name == .invalidArgs)
    }

    private static func ids(_ agent: BuiltAgent, _ options: [String: Value]) async throws -> [String] {
        try await agent.account.call(AgentInbox.list, options).map { NotificationRecord($0).id }
    }
}
