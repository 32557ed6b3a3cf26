import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The session bus, or who shows notifications, is killed.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct LostBusTests {
    private let sandbox = Sandbox.current

    /// The agent ends so that it is started again, and the next one, on another bus, sends what was not sent.
    @Test("Pending actions are sent by the next agent after the session bus was killed") func killedBus() async throws {
        let id = try await sandbox.publish(["header": "One", "text": "x"])
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            let state: [Environment.Key: String?] = ["XDG_STATE_HOME": file.directory + "/state"]
            await sandbox.inject(.status(503, method: "PATCH", times: 10_000))
            let (_, status) = try await RunningProgram.with(
                "feedbell-agent",
                ["--config", file.path],
                environment: state
            ) { agent in
                _ = try await agent.wait(for: "ready")
                try await RunningProgram.with("feedbell", ["follow"]) { follower in
                    _ = try await follower.wait(for: "\"ready\"")
                    #expect(try await Programs.run("feedbell", ["read", id]).status == .exited(0))
                    let set = ["preferences", "set", "refund-news", "off"]
                    #expect(try await Programs.run("feedbell", set).status == .exited(0))
                    kill(SessionBus.processID, SIGKILL)
                    _ = try await agent.wait(for: "critical: Cannot use the session bus.")
                    await agent.ended()
                    await follower.ended()
                    #expect(follower.log.last?.hasPrefix("feedbell: ") == true, "\(follower.log)")
                }
            }
            #expect(status == .exited(75))
            for arguments in [["status"], ["list"], ["read", id], ["follow"]] {
                let command = try await Programs.run("feedbell", arguments)
                #expect(command.status == .exited(3))
                #expect(command.errors.hasPrefix("feedbell: Cannot use the session bus."), "\(command.errors)")
            }
            try await sandbox.execute("clear-faults")
            _ = try await SessionBus.running {
                try await RunningProgram.with("feedbell-agent", ["--config", file.path], environment: state) { _ in
                    _ = try await sandbox.wait { state in
                        let storedInbox = state.service[InboxKey(user: "anna")]
                        let preference = storedInbox.preferences.category("refund-news")?["preference"]
                        return storedInbox.row(id)?.isRead == true && preference == "opt_out" ? true : nil
                    }
                }
            }
        }
    }

    /// The next server does not show the popups of the first one again, and shows those of notifications that came
    /// between the two.
    @Test("Popups continue after the notification server is killed and replaced")
    func replacedServer() async throws {
        try await BuiltAgent.alone { agent in
            // A terminal's input stays open.
            let open = "exec feedbell-sandbox notifications < <(exec tail -f --pid=$$ /dev/null)"
            try await RunningProgram.with("bash", ["-c", open]) { terminal in
                _ = try await terminal.wait(for: "Notifications appear here.")
                _ = try await sandbox.waitForConnection()
                for number in 1...2 {
                    _ = try await sandbox.publish(["header": .string("Early \(number)"), "text": "x"])
                }
                // The agent has the answers, too.
                try await agent.program.wait(for: "popup shown", times: 2)
                terminal.send(SIGKILL)
                try await agent.bus.waitForOwner(of: FreedesktopNotifications.busName) { $0 == nil }
            }
            for number in 1...2 {
                _ = try await sandbox.publish(["header": .string("Between \(number)"), "text": "x"])
            }
            let account = agent.account
            try await account.wait(AgentInbox.totalCount, is: 4)
            try await agent.server.serving {
                var shown: [String?] = []
                for _ in 1...2 { shown.append(await agent.server.notifications.next()?.summary) }
                #expect(shown == ["Between 1", "Between 2"])
                _ = try await sandbox.publish(["header": "Late", "text": "x"])
                #expect(await agent.server.notifications.next()?.summary == "Late", "and nothing twice")
            }
        }
    }
}
