import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Start, exit codes and messages of the built programs.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct StartAndExitTests {
    @Test("A second agent reports the first and ends") func secondAgent() async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { _ in
                let second = try await Programs.run("feedbell-agent", ["--config", file.path])
                #expect(second.status == .exited(3))
                #expect(second.errors.contains("Another feedbell-agent is running in this session."))
            }
        }
    }

    @Test("An agent with --replace replaces the running one") func replace() async throws {
        try await TemporaryFile.with("") { file in
            let (_, status) = try await RunningProgram.with("feedbell-agent", ["--config", file.path]) { first in
                _ = try await first.wait(for: "ready")
                try await RunningProgram.with("feedbell-agent", ["--config", file.path, "--replace"]) { second in
                    _ = try await second.wait(for: "ready")
                    #expect(try await Programs.run("feedbell", ["status"]).status == .exited(0))
                }
            }
            #expect(status == .exited(0))
        }
    }

    @Test("A stopped agent is named by the doctor, and replaced together with its state file")
    func replaceStopped() async throws {
        try await TemporaryFile.with("") { file in
            let environment: [Environment.Key: String?] = [
                "XDG_STATE_HOME": file.directory + "/state", "FEEDBELL_TIMEOUT": "1",
            ]
            let options = ["--config", file.path]
            let (_, status) = try await RunningProgram.with("feedbell-agent", options, environment: environment) {
                first in
                _ = try await first.wait(for: "ready")
                first.send(SIGSTOP)
                let doctor = try await Programs.run("feedbell", ["doctor"])
                let words = doctor.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(words.contains("The agent (process \(first.processID)) runs but does not answer"), "\(words)")
                let start = try await Programs.run("feedbell", ["start"], environment: environment)
                #expect(start.status == .exited(70) && start.errors.contains("The agent is busy"), "\(start)")
                let replacing = options + ["--replace"]
                try await RunningProgram.with("feedbell-agent", replacing, environment: environment) { second in
                    _ = try await second.wait(for: "ready")
                    await first.ended()
                    #expect(try await Programs.output("feedbell", ["start"]) == "The agent is already running.\n")
                    #expect(try await Programs.run("feedbell", ["status"]).status == .exited(0))
                    #expect(!second.log.contains { $0.contains("uses \"") })
                }
            }
            #expect(status == .exited(0))
        }
    }

    @Test("An agent with an invalid or missing configuration ends with 78") func invalidConfiguration() async throws {
        try await TemporaryFile.with("[accounts.work]\nprovidre = \"suprsend\"\n") { file in
            let agent = try await Programs.run("feedbell-agent", ["--config", file.path])
            #expect(agent.status == .exited(78))
            #expect(agent.errors.contains("config.toml:1: [accounts.work] has no \"provider\"."))
        }
        let agent = try await Programs.run("feedbell-agent", ["--config", "/nonexistent/config.toml"])
        #expect(agent.status == .exited(78))
        #expect(agent.errors.contains("/nonexistent/config.toml: Cannot read the file."))
    }

    @Test("Without a session bus the agent and the command report it and end") func noBus() async throws {
        let nowhere: [Environment.Key: String?] = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
        let agent = try await Programs.run("feedbell-agent", [], environment: nowhere)
        #expect(agent.status == .exited(75))
        #expect(agent.errors.contains("Cannot use the session bus."))
        let command = try await Programs.run("feedbell", ["status"], environment: nowhere)
        #expect(command.status == .exited(3))
        #expect(command.errors.hasPrefix("feedbell: Cannot use the session bus."))
    }

    @Test(
        "Without the variables of the session, as in a job of cron, the command finds the user's bus",
        .enabled("This user may not create a mount namespace.") {
            try await Programs.run("unshare", ["--user", "--map-root-user", "--mount", "true"]).status == .exited(0)
        }
    ) func busWithoutVariables() async throws {
        // In this namespace the user has the number 0.
        let script = """
            mount -t tmpfs feedbell /run
            feedbell status
            mkdir -p -m 700 /run/user/0
            dbus-daemon --session --address=unix:path=/run/user/0/bus --nofork --nopidfile 2>/dev/null &
            until [ -S /run/user/0/bus ]; do sleep 0.1; done
            feedbell status
            kill $!
            """
        let outcome = try await Programs.run(
            "unshare",
            ["--user", "--map-root-user", "--mount", "sh", "-c", script],
            environment: ["DBUS_SESSION_BUS_ADDRESS": nil, "SUDO_USER": nil]
        )
        let lines = outcome.errors.split(separator: "\n")
        try #require(lines.count == 2, "\(outcome.errors)")
        let advice = "Run feedbell while you are logged in to a desktop session."
        #expect(lines[0].hasPrefix("feedbell: Cannot use the session bus. \(advice) (Cannot find the session bus"))
        #expect(lines[1].hasPrefix("feedbell: No Feedbell agent is running in this session."))
    }

    @Test("The agent ends when the session bus ends") func lostBus() async throws {
        try await TemporaryFile.with("") { file in
            let (_, status) = try await RunningProgram.with("feedbell-agent", ["--config", file.path]) { agent in
                _ = try await agent.wait(for: "ready")
                kill(SessionBus.processID, SIGKILL)
                _ = try await agent.wait(for: "Cannot use the session bus.")
                await agent.ended()
            }
            #expect(status == .exited(75))
        }
    }

    @Test("Without an agent, status reports how to start it") func statusWithoutAnAgent() async throws {
        let command = try await Programs.run("feedbell", ["status"])
        #expect(command.status == .exited(3))
        #expect(command.output == "")
        #expect(
            command.errors
                == "feedbell: No Feedbell agent is running in this session. "
                + "Start it with: feedbell start\n"
        )
    }

    /// The part of systemd's manager that starts a unit.
    private enum Manager: Interface {
        static let name: InterfaceName = "org.freedesktop.systemd1.Manager"
        static let startUnit = Method(
            "StartUnit",
            in: (Argument<String>("name"), Argument<String>("mode")),
            out: (Argument<ObjectPath>("job"))
        )
        static let members: [any Member] = [startUnit]
    }

    @Test("With a service manager, start starts the unit and waits for the agent") func startByUnit() async throws {
        try await withBus { (bus: Bus) async throws in
            var manager = ExportedObject("/org/freedesktop/systemd1")
            manager.handle(Manager.startUnit) { unit, mode in
                guard unit == "feedbell.service", mode == "replace" else { throw DBusError(.invalidArgs, "") }
                _ = try await bus.requestName(AgentNames.busName)
                return "/org/freedesktop/systemd1/job/1"
            }
            try await bus.export(manager)
            _ = try await bus.requestName("org.freedesktop.systemd1")
            let start = try await Programs.run("feedbell", ["start"])
            #expect(start.status == .exited(0), "\(start.errors)")
            #expect(start.output == "The agent is running.\n")
        }
    }

    @Test("Where nothing can start the agent, start says so and names the program") func startOfNothing() async throws {
        let start = try await Programs.run("feedbell", ["start"])
        #expect(start.status == .exited(3))
        #expect(
            start.errors
                == "feedbell: Neither systemd nor D-Bus can start the agent: Feedbell is not installed there. "
                + "Start it with: feedbell-agent\n"
        )
    }

    @Test("status --check ends with 7 when no account is online, and with 0 when one is", .builtAgent())
    func statusCheck() async throws {
        #expect(try await Programs.run("feedbell", ["status", "--check"]).status == .exited(0))
        let agent = BuiltAgent.current
        agent.program.send(SIGTERM)
        await agent.program.ended()
        try await BuiltAgent.alone(AgentConfiguration.account(url: "http://127.0.0.1:1")) { _ in
            for arguments in [["status", "--check"], ["status", "--check", "--json"]] {
                let check = try await Programs.run("feedbell", arguments)
                #expect(check.status == .exited(7) && check.output.contains("work"))
            }
            #expect(try await Programs.run("feedbell", ["status"]).status == .exited(0))
        }
    }

    @Test("Status shows the accounts, their unread counts and the pause", .builtAgent()) func statusOfAccounts()
        async throws
    {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        _ = try await sandbox.publish(["header": "One", "text": "x"])
        _ = try await agent.popup()
        try await agent.waitForUnread(1)
        let online = try await Programs.run("feedbell", ["status"])
        #expect(online.status == .exited(0))
        let lines = online.output.split(separator: "\n")
        #expect(lines.first == "Feedbell 0.2.0: 1 unread")
        #expect(lines.last?.hasPrefix("work (suprsend, anna): online since ") == true)
        #expect(lines.last?.hasSuffix(", 1 unread") == true)
        try await agent.root.call(AgentRoot.pause, 0)
        #expect(
            try await Programs.output("feedbell", ["status"]).hasPrefix(
                "Feedbell 0.2.0: 1 unread, popups are paused\n"
            )
        )
    }

    @Test("Status ends with 4 when an account is unauthorized", .sandbox(users: ["anna"], expectsNoViolations: false))
    func unauthorizedAccount()
        async throws
    {
        try await BuiltAgent.alone(AgentConfiguration.account(hasToken: false)) { agent in
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            let status = try await Programs.run("feedbell", ["status"])
            #expect(status.status == .exited(4))
            #expect(status.output.contains("work (suprsend, anna): unauthorized since "))
        }
    }
}
