import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The desktop starts an agent that does not run, with the built agent and activation files of D-Bus.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct ActivationTests {
    private let sandbox = Sandbox.current

    /// Runs `body` on a bus that starts the agent for both of its names. The agent ends with the bus.
    private func withActivatableAgent(
        _ configuration: String = AgentConfiguration.account(),
        _ body: (TemporaryFile, OpenedAddresses) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await TemporaryFile.with(configuration) { file in
                let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
                let programs = try Programs.directory
                let start = """
                    /usr/bin/env XDG_STATE_HOME=\(file.directory)/state DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent \
                    PATH=\(opened.directory):\(programs):\(path) feedbell-agent --config \(file.path)
                    """
                let names = [AgentNames.busName, AgentNames.applicationName].map(\.text)
                let files = names.map { ("\($0).service", "[D-BUS Service]\nName=\($0)\nExec=\(start)\n") }
                try await SessionBus.running(serviceFiles: Dictionary(uniqueKeysWithValues: files)) {
                    try await body(file, opened)
                }
            }
        }
    }

    /// As a desktop does it, by another program.
    private func activate(_ method: String, _ arguments: [String]) async throws {
        let call = [
            "call", "--session", "--timeout", "60", "--dest", AgentNames.applicationName.text,
            "--object-path", AgentNames.applicationPath.text, "--method", "org.freedesktop.Application.\(method)",
        ]
        let command = try await Command.run("gdbus", call + arguments)
        #expect(command.succeeded, "\(command.errors)")
    }

    @Test("Without a service manager, start starts the agent by D-Bus activation") func start() async throws {
        try await withActivatableAgent { _, _ in
            for sentence in ["The agent is running.\n", "The agent is already running.\n"] {
                let start = try await Programs.run("feedbell", ["start"])
                #expect(start.status == .exited(0), "\(start.errors)")
                #expect(start.output == sentence)
            }
        }
        let service = "[D-BUS Service]\nName=\(AgentNames.busName)\nExec=/bin/false\n"
        try await SessionBus.running(serviceFiles: ["\(AgentNames.busName).service": service]) {
            let start = try await Programs.run("feedbell", ["start"])
            #expect(start.status == .exited(3))
            #expect(start.errors.hasPrefix("feedbell: The agent did not start: "))
            #expect(start.errors.hasSuffix(" See why: feedbell-agent\n"))
            try await TemporaryFile.with("[popups]\ntimeout =\n", named: "config.toml") { file in
                let home = file.directory + "/home"
                try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: home + "/feedbell",
                    withDestinationPath: file.directory
                )
                let environment: [Environment.Key: String?] = ["XDG_CONFIG_HOME": home]
                let start = try await Programs.run("feedbell", ["start"], environment: environment)
                #expect(start.status == .exited(3))
                #expect(start.errors.contains("/feedbell/config.toml:2: "), "\(start.errors)")
            }
        }
    }

    @Test(
        "A click on a popup of an agent that has ended starts it, opens the link and is sent once",
        arguments: [
            ["header": "Sale", "text": "x", "url": "https://example.com/sale"] as JSON,
            ["header": "Sale", "text": "See https://example.com/sale now."],
        ]
    )
    func clickOnADeadAgent(fields: JSON) async throws {
        let id = try await sandbox.publish(fields)
        try await withActivatableAgent { _, opened in
            try await activate("ActivateAction", ["open", "[<'\(id)'>]", "{'activation-token': <'token-1'>}"])
            #expect(try await opened.next() == ["https://example.com/sale", "token-1", "token-1"])
            try await sandbox.waitForRequest { $0.path.hasSuffix("/\(id)/interacted") }
            try await withBus { bus in
                try await bus.waitForOnlineAgent()
                let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                try await account.wait(AgentAccount.pendingActions, is: 0)
                #expect(try await account.call(AgentInbox.get, id)["interacted"] != .int64(0))
            }
            #expect(await sandbox.requests.filter { $0.path.hasSuffix("/interacted") }.count == 1)
            #expect(!FileManager.default.fileExists(atPath: opened.directory + "/opened"), "opened once")
        }
        #expect(await sandbox.violations.isEmpty)
    }

    @Test("The desktop entry opens the inbox's page of the account that names one, and restarts its badge") func page()
        async throws
    {
        _ = try await sandbox.publish(["header": "Sale", "text": "x"])
        let home = "[accounts.home]\nprovider = \"magicbell\"\napi_key = \"k\"\nemail = \"a@example.com\"\n"
        let hosts = "api_url = \"http://127.0.0.1:9\"\nsocket_url = \"http://127.0.0.1:9\"\n"
        let text = home + hosts + AgentConfiguration.account() + "inbox_url = \"https://example.com/inbox\"\n"
        try await withActivatableAgent(text) { _, opened in
            try await activate("Activate", ["{'desktop-startup-id': <'token-2'>}"])
            #expect(try await opened.next() == ["https://example.com/inbox", "token-2", "token-2"])
            try await sandbox.waitForRequest { $0.path == "/v1/feed/reset_bell_count" }
            #expect(await sandbox.inbox("anna").badge(now: 0) == 0)
        }
    }

    @Test("The command of the desktop entry opens the inbox also if the agent runs, for menus that do not use D-Bus")
    func command() async throws {
        let entry = try String(
            contentsOf: Checkout.root.appending(path: "packaging/installed/desktop/org.feedbell.Agent.desktop.in"),
            encoding: .utf8
        )
        let line = try #require(entry.split(separator: "\n").first { $0.hasPrefix("Exec=@bindir@/") })
        let words = line.dropFirst("Exec=@bindir@/".count).split(separator: " ").map(String.init)
        let text = AgentConfiguration.account() + "inbox_url = \"https://example.com/inbox\"\n"
        try await withActivatableAgent(text) { _, opened in
            for token in ["token-1", "token-2"] {  // It starts the agent, then it finds one.
                let environment: [Environment.Key: String?] = ["XDG_ACTIVATION_TOKEN": token]
                repeat {  // A page that was opened a moment ago is not opened again.
                    let outcome = try await Programs.run(words[0], Array(words.dropFirst()), environment: environment)
                    try #require(outcome.status == .exited(0), "\(outcome.errors)")
                } while !FileManager.default.fileExists(atPath: opened.directory + "/opened")
                #expect(try await opened.next() == ["https://example.com/inbox", token, token])
            }
        }
    }

    @Test("If the agent cannot start, the menu's entry and its command open the window", arguments: [true, false])
    func failedStart(byBus: Bool) async throws {
        try await withActivatableAgent("[popups]\ntimeout =\n") { _, _ in
            try await withBus { bus in
                let window = FakeWindow()
                try await window.own(bus)
                if byBus {
                    try await activate("Activate", ["{'activation-token': <'token-1'>}"])
                } else {
                    let environment: [Environment.Key: String?] = ["XDG_ACTIVATION_TOKEN": "token-1"]
                    let start = try await Programs.run("feedbell", ["start", "--inbox"], environment: environment)
                    #expect(start.status == .exited(0), "\(start.errors)")
                }
                #expect(await window.next() == .activate(token: .string("token-1")))
                #expect(try await bus.nameOwner(of: AgentNames.applicationName) == nil)
            }
        }
    }

    @Test("Without such a page, the inbox is shown in a terminal") func terminal() async throws {
        _ = try await sandbox.publish(["header": "Sale", "text": "x"])
        try await withActivatableAgent { _, opened in
            let terminal = opened.directory + "/xdg-terminal-exec"
            let script = """
                #!/bin/sh
                directory=$(dirname "$0")
                "$@" </dev/null >"$directory/.window" 2>&1
                mv "$directory/.window" "$directory/window"

                """
            try Data(script.utf8).write(to: URL(filePath: terminal))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: terminal)
            try await withBus { bus in
                // Starts the agent.
                try await Proxy(bus, AgentNames.busName, AgentNames.agentPath).call(AgentRoot.resume)
                let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                try await account.wait(AgentInbox.totalCount, is: 1)
            }
            try await activate("Activate", ["{}"])
            let window = opened.directory + "/window"
            try await waiting(for: "the window") { FileManager.default.fileExists(atPath: window) }
            let text = try String(contentsOf: URL(filePath: window), encoding: .utf8)
            // It is no terminal, so the list is printed.
            #expect(text.contains("Sale") && !text.contains("Press Enter"), "\(text)")
        }
    }
}
