import AgentInterface
import AgentTestSupport
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell doctor` as a process.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DoctorTests {
    /// No autostart file and no display of this machine, and a place for the state file.
    private static let nothingInstalled: [Environment.Key: String?] = [
        "XDG_CONFIG_DIRS": "/nonexistent", "DISPLAY": nil, "WAYLAND_DISPLAY": nil, "XDG_STATE_HOME": "/tmp",
    ]

    private func doctor(_ arguments: [String] = [], environment: [Environment.Key: String?] = [:]) async throws
        -> Programs.Outcome
    {
        let all = Self.nothingInstalled.merging(environment) { $1 }
        return try await Programs.run("feedbell", ["doctor"] + arguments, environment: all)
    }

    private func findings(_ outcome: Programs.Outcome) throws -> [Finding] {
        try JSONDecoder().decode([Finding].self, from: Data(outcome.output.utf8))
    }

    /// A configuration for the account of the running agent.
    private func withConfiguration(_ body: (String) async throws -> Void) async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            try await body(file.path)
        }
    }

    /// Without the display of who runs the tests.
    private static let noDisplay: [Environment.Key: String?] = ["DISPLAY": nil, "WAYLAND_DISPLAY": nil]

    @Test("The doctor reports a working installation and exits with 0", .builtAgent(environment: noDisplay))
    func workingInstallation() async throws {
        try await withConfiguration { path in
            let outcome = try await doctor(["--config", path])
            #expect(outcome.status == .exited(0))
            #expect(outcome.errors.isEmpty)
            #expect(
                outcome.output.hasPrefix(
                    """
                    Session
                      ✓ The session bus answers.
                      ✓ The agent is running, version \(AgentNames.version).
                      ! The agent is not set up to start: systemd unit, autostart file and D-Bus \
                    service file are missing.
                        → Install Feedbell with packaging/install.

                    Popups
                      ✓ Feedbell Terminal
                    """
                )
            )
            #expect(outcome.output.contains("\nAccount work\n  ✓ The agent is online since "))
            #expect(outcome.output.contains("\n  ✓ SuprSend accepts the credentials of \"anna\".\n"))
            #expect(outcome.output.hasSuffix("\n\nFound 2 warnings.\n"))
            let json = try await doctor(["--config", path, "--json"])
            #expect(json.status == .exited(0))
            let findings = try findings(json)
            #expect(findings.filter { $0.level != .ok }.map(\.topic) == [.agent, .links])
            #expect(findings.count == outcome.output.split(separator: "\n").filter { $0.hasPrefix("  ") }.count - 2)
            #expect(outcome.output.contains("  ! There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set.\n"))
        }
    }

    @Test("The doctor reports a state file that cannot be written, and why", arguments: [false, true])
    func stateFile(isDirectory: Bool) async throws {
        try await TemporaryFile.with("") { file in
            let state = file.directory + "/state"
            let database = state + "/feedbell/feedbell.sqlite3"
            // The second one is in the way of a directory, and also in root's.
            if isDirectory {
                try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
            } else {
                try Data().write(to: URL(fileURLWithPath: state))
            }
            let outcome = try await doctor(["--config", file.path], environment: ["XDG_STATE_HOME": state])
            #expect(outcome.status == .exited(4))
            #expect(
                outcome.output.contains("  ✗ The agent's state file \(database) cannot be written: "),
                "\(outcome.output)"
            )
        }
    }

    @Test("The display is that of the agent, and not that of the terminal in which the doctor runs")
    func display() async throws {
        let warning = "There is no display"
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file, environment: ["DISPLAY": ":7", "WAYLAND_DISPLAY": nil]) { _ in
                let report = try await doctor().output
                #expect(!report.contains(warning), "\(report)")
            }
            try await BuiltAgent.alone(file, environment: Self.noDisplay) { _ in
                let report = try await doctor(environment: ["DISPLAY": ":7"]).output
                #expect(report.contains(warning), "\(report)")
            }
        }
    }

    @Test("The doctor reports a session without bus, configuration and agent")
    func emptySession() async throws {
        let nowhere: [Environment.Key: String?] = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
        let noBus = try await doctor(environment: nowhere)
        #expect(noBus.status == .exited(4))
        #expect(noBus.output.hasPrefix("Session\n  ✗ Cannot connect to the session bus: "))
        #expect(noBus.output.contains("  ✗ There is no configuration at /nonexistent/feedbell/config.toml.\n"))
        #expect(noBus.output.hasSuffix("Found 2 problems.\n"))

        let onlyBus = try await doctor(["--popup"])
        #expect(onlyBus.status == .exited(4))
        #expect(
            onlyBus.output.contains(
                "  ✗ No Feedbell agent is running in this session.\n    → Start it with: feedbell-agent\n"
            )
        )
        #expect(onlyBus.output.contains("  ✗ No notification server is running: popups cannot be shown.\n"))
        #expect(onlyBus.output.contains("  ✗ The test popup could not be shown: "))
        #expect(onlyBus.output.hasSuffix("Found 4 problems and 2 warnings.\n"))
    }

    /// Copies the command, by another program: one that a test writes cannot be run while a program that another test
    /// starts has its file open.
    private func copyCommand(to path: String) async throws {
        let outcome = try await Programs.run(
            "cp",
            ["--remove-destination", try Programs.directory + "/feedbell", path]
        )
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test("The doctor reports that the program feedbell-agent is missing") func noAgentProgram() async throws {
        // A copy of the command in a directory of its own, with nothing beside it.
        try await TemporaryFile.with("", named: "feedbell") { file in
            try await copyCommand(to: file.path)
            let outcome = try await Programs.run("env", ["PATH=/nonexistent", file.path, "doctor"])
            #expect(outcome.status == .exited(4))
            #expect(outcome.output.contains("  ✗ The program feedbell-agent is neither beside this one nor in"))
        }
    }

    @Test("A program feedbell-agent of another version is reported, and reports the other one") func otherVersion()
        async throws
    {
        try await TemporaryFile.with("#!/bin/sh\necho 'Unexpected argument' >&2\nexit 64\n", named: "feedbell-agent") {
            file in
            let command = file.directory + "/feedbell"
            try await copyCommand(to: command)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            let sentence = "\(file.path) has another version than this program."
            let doctor = try await Programs.run("env", [command, "doctor"])
            #expect(doctor.output.contains("  ✗ \(sentence)\n    → Install all of Feedbell."), "\(doctor.output)")
            let settings = try await Programs.run("env", [command, "settings"])
            #expect(settings.status == .exited(70))
            let advice = "Install all of Feedbell in one version, and start it again."
            #expect(settings.errors == "feedbell: \(sentence) \(advice)\n")
        }
        let agent = try await Programs.run("feedbell-agent", ["call"], input: "{}")
        #expect(agent.status == .exited(64) && agent.output.isEmpty)
        #expect(agent.errors == "Standard input is no request of version \(AgentNames.version).\n")
    }

    /// Says that it waits, and what happened.
    @Test(
        "The doctor reports whether the test popup was clicked",
        .builtAgent(),
        arguments: [
            (true, "  ✓ The test popup was shown, and your click arrived.\n"),
            (false, "  ! The test popup was shown and closed without a click.\n    → If you did click: "),
        ]
    )
    func testPopup(isClicked: Bool, words: String) async throws {
        let agent = BuiltAgent.current
        try await withConfiguration { path in
            async let outcome = doctor(["--config", path, "--popup"])
            let popup = try await agent.popup()
            #expect(popup.summary == "Feedbell test" && popup.body == "Click me.")
            if isClicked {
                try await agent.server.invoke(id: popup.id)
            } else {
                try await agent.server.dismiss(id: popup.id)
            }
            let (status, output, errors) = (
                try await outcome.status, try await outcome.output, try await outcome.errors
            )
            #expect(status == .exited(0))
            #expect(output.contains(words))
            #expect(errors == "A test popup is shown. Please click it.\n")
        }
    }

    /// The token passes through agent, check and report, and is not printed.
    @Test("The doctor reports an expired token and does not print it", .sandbox(users: ["anna"])) func expiredToken()
        async throws
    {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"), lifetime: -7200)
        let text = AgentConfiguration.account(hasToken: false)
        try await TemporaryFile.with(text + "token_command = [\"echo\", \"\(token)\"]\n") { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                let outcome = try await doctor(["--config", file.path])
                #expect(outcome.status == .exited(4))
                #expect(outcome.output.contains("  ✗ The agent cannot sign in since "))
                #expect(outcome.output.contains("  ✗ The token expired 2 hours ago.\n"))
                for part in token.split(separator: ".") {
                    #expect(!outcome.output.contains(part) && !outcome.errors.contains(part))
                }
            }
        }
    }

    @Test(
        "A refused public key is named where no token is configured",
        .sandbox(SandboxOptions(publicKey: "SS.PUBK.other", users: ["anna"]), expectsNoViolations: false)
    ) func refusedPublicKey() async throws {
        let text = AgentConfiguration.account(hasToken: false)
        try await BuiltAgent.alone(text) { agent in
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            let status = try await Programs.run("feedbell", ["status"])
            #expect(status.status == .exited(4), "\(status.errors)")
            #expect(status.output.contains("public key") || status.output.contains("public_key"), "\(status.output)")
        }
    }

    @Test("The doctor reports how the agent is started") func startOfTheAgent() async throws {
        let name = "\(AgentNames.busName).service"
        let service = "[D-BUS Service]\nName=\(AgentNames.busName)\nExec=/bin/false\n"
        try await SessionBus.running(serviceFiles: [name: service]) {
            try await TemporaryFile.with("", named: "org.feedbell.Agent.desktop") { file in
                let base = file.directory + "/etc"
                try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: base + "/autostart",
                    withDestinationPath: file.directory
                )
                let output = try await doctor(environment: ["XDG_CONFIG_DIRS": "/nonexistent:\(base)"]).output
                #expect(output.contains("  ✓ Your sessions start the agent.\n"))
                #expect(output.contains("→ Start it with: feedbell start\n"))
            }
        }
    }

    @Test("A user who may not change a preset that cannot be read is sent to the administrator")
    func unreadablePreset() async throws {
        try await TemporaryFile.with("", named: "home") { home in
            let preset = TemporaryFile(path: home.directory + "/feedbell/config.toml")
            try FileManager.default.createDirectory(atPath: preset.directory, withIntermediateDirectories: true)
            try preset.write(AgentConfiguration.account(url: "http://127.0.0.1:1"))
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: preset.path)
            let output = try await doctor(environment: ["XDG_CONFIG_DIRS": home.directory]).output
            #expect(output.contains("\(preset.path): Cannot read the file."), "\(output)")
            #expect(output.contains("→ Tell your administrator.\n") && !output.contains("Name an existing file"))
        }
    }

    @Test("On a terminal the doctor uses colours and wraps lines, unless the environment forbids it")
    func terminalOutput() async throws {
        let script = ["-qec", "stty cols 60; feedbell doctor", "/dev/null"]
        let shown = try await Programs.run("script", script, environment: ["TERM": "xterm", "NO_COLOR": nil])
        #expect(shown.status == .exited(4), "\(shown.errors)")
        #expect(shown.output.contains("\u{1B}[31m✗\u{1B}[0m There is no configuration at"))
        #expect(
            shown.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 60 + "\u{1B}[31m\u{1B}[0m".count }
        )
        for plain: [Environment.Key: String?] in [
            ["TERM": "dumb", "NO_COLOR": nil], ["TERM": "xterm", "NO_COLOR": "1"],
        ] {
            let shown = try await Programs.run("script", script, environment: plain)
            #expect(shown.status == .exited(4), "\(shown.errors)")
            #expect(shown.output.contains("  ✗ There is no configuration at"))
            #expect(!shown.output.contains("\u{1B}"))
        }
    }
}
