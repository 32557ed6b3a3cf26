import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The examples of the manual pages and of the README, as a user types them, beside an agent and a simulated service.
///
/// packaging/checks/test-consumer builds the README's program in Swift.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct ManualExampleTests {
    /// Examples that cannot succeed here, by how they begin, and a part of what they say then.
    private static let refusals = [
        ("feedbell inbox --window", "The window is not installed."),
        ("feedbell inbox --show", "There is neither the window nor a terminal."),
        ("feedbell unarchive", "cannot unarchive notifications."),
        ("feedbell delete 01K1VN", "cannot delete notifications."),
        ("feedbell delete --tag", "does not support this."),
        ("feedbell read --category", "Pass --yes."), ("feedbell seen --all", "Pass --yes."),
        ("feedbell preferences topic", "does not support subscriptions to topics."),
        ("feedbell preferences edit", "needs a terminal."),
        ("feedbell preferences digest reports", "Cannot change \"monthdays\""),
        ("feedbell accounts add work --token", "already has an account \"work\"."),
        ("feedbell accounts add", "Cannot prompt without a terminal."),
        ("new-token | feedbell accounts add", "has this inbox already."),
        ("feedbell accounts edit work", "Cannot prompt without a terminal."),
        ("feedbell accounts sign-in", "does not sign in with the browser"),
        ("feedbell accounts token", "is not stored by Feedbell."),
        ("new-token | feedbell accounts token", "is not stored by Feedbell."),
        ("feedbell accounts sign-out", "has a secret that Feedbell did not store."),
        ("feedbell accounts remove work", "Pass --yes."),
        ("feedbell autostart off", "Sessions cannot start Feedbell as it is installed"),
        ("feedbell doctor", ""),
        ("feedbell-agent --config", "agent"),
    ]

    /// A user's home with an account that a program has added, and programs that examples call.
    private struct Home {
        let directory: String
        let agent: BuiltAgent

        var account: TemporaryFile { TemporaryFile(path: "\(directory)/feedbell/accounts.d/work.toml") }

        static func environment(_ directory: String) throws -> [Environment.Key: String?] {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            return [
                "HOME": directory, "XDG_CONFIG_HOME": directory, "XDG_STATE_HOME": directory + "/state",
                "XDG_CACHE_HOME": directory + "/cache", "DISPLAY": ":99", "WAYLAND_DISPLAY": nil, "TERMINAL": nil,
                "PATH": "\(directory)/bin:\(try Programs.directory):\(path)",
            ]
        }

        static func with(_ body: (Home) async throws -> Void) async throws {
            let token = try await Sandbox.current.token(for: Recipient("anna"))
            try await TemporaryFile.with(AgentConfiguration.account()) { file in
                let directory = file.directory
                let files = FileManager.default
                for folder in ["feedbell/accounts.d", "bin"] {
                    try files.createDirectory(atPath: "\(directory)/\(folder)", withIntermediateDirectories: true)
                }
                for (line, names) in [
                    ("echo '\(token)'", ["pass", "new-token"]), ("echo \"$0 $*\"", ["mpv", "present"]),
                    ("exit 0", ["xdg-open", "xdg-terminal-exec"]),
                ] {
                    for name in names {
                        try TemporaryFile(path: "\(directory)/bin/\(name)").write("#!/bin/sh\n\(line)\n")
                        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(directory)/bin/\(name)")
                    }
                }
                try TemporaryFile(path: "\(directory)/feedbell/accounts.d/work.toml").write(
                    AgentConfiguration.account() + "[[accounts.work.stores]]\nid = \"archive\"\narchived = true\n"
                )
                try await BuiltAgent.withDefaultConfiguration(environment: try environment(directory)) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await Sandbox.current.waitForConnection()
                    try await body(Home(directory: directory, agent: agent))
                }
            }
        }

        /// Runs an example, with two new notifications in place of those that it names.
        func run(_ example: String) async throws {
            let saved = try account.read()
            let url = Sandbox.current.baseURL
            var line = example.replacing(
                "--provider SERVICE OPTION…",
                with: "--provider suprsend --public-key SS.PUBK.sandbox --distinct-id anna "
                    + ["hub", "api", "socket"].map { "--\($0)-url \(url)" }.joined(separator: " ")
            )
            if line != example { line = line.replacing("add work", with: "add second") }
            line = line.replacing("…", with: "x").replacing("reports", with: "builds")
            for name in ["01K1VNB0E0EXPRE00000000002", "01K1VN", "01K1VP", "01K1"] where line.contains(name) {
                line = line.replacing(name, with: try await publish())
            }
            if line.contains("feedbell follow") { return try await follow(line) }
            let outcome = try await sh(line)
            let refusal = refusals.first { example.hasPrefix($0.0) && !example.hasSuffix("remove work --yes") }
            if outcome.status != .exited(0), let refusal, !example.hasPrefix("feedbell accounts edit work --token") {
                let text = outcome.errors
                #expect(refusal.1.isEmpty || text.contains(refusal.1), "\(example): \(text)")
            } else {
                #expect(outcome.status == .exited(0), "\(example): \(outcome.errors)")
            }
            // What the example has removed or changed.
            if try !account.exists || account.read() != saved {
                try account.write(saved)
                try await agent.root.call(AgentRoot.reload)
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }

        func sh(_ line: String) async throws -> Programs.Outcome {
            let script = "cd '\(directory)'\n\(line)"
            return try await Programs.run("sh", ["-c", script], environment: try Self.environment(directory))
        }

        func publish() async throws -> String {
            try await Sandbox.current.publish([
                "header": "Build 4711 failed", "text": "build main", "url": "https://ci.example.com/4711",
                "n_category": "builds", "tags": ["urgent"],
                "actions": [["id": "first-button", "name": "Open", "url": "https://ci.example.com/4711"]],
            ])
        }

        /// Such an example runs until it is ended: it has to print something, or to mark a notification as read.
        private func follow(_ line: String) async throws {
            let environment = try Self.environment(directory)
            try await RunningProgram.with("sh", ["-c", "exec \(line)"], environment: environment) { program in
                try await waiting(for: "what \(line) does", every: .milliseconds(300)) {
                    let id = try await publish()
                    let requests = await Sandbox.current.requests
                    return !program.log.isEmpty
                        || requests.contains { $0.path.hasSuffix("/read") && !$0.path.contains(id) }
                } until: {
                    $0
                }
            }
        }
    }

    @Test("Every example of the manual pages does what it says, or says why it cannot") func manuals() async throws {
        var examples: [String] = []
        for program in ["feedbell", "feedbell-agent"] { examples += try await CommandTree.read(program).examples }
        #expect(examples.count > 100)
        for (beginning, _) in Self.refusals {
            #expect(examples.contains { $0.hasPrefix(beginning) }, "no example begins with \(beginning)")
        }
        try await Home.with { home in
            for example in examples where example != "feedbell stop" { try await home.run(example) }
            #expect(try await home.sh("feedbell stop").status == .exited(0))
        }
    }

    @Test("Every command in the README does what it says") func readme() async throws {
        let commands = try DocumentedCode.blocks("sh", of: "README.md").flatMap { $0.split(separator: "\n") }
            .map { $0.split(separator: " #")[0].trimmingSpaces }.filter { $0.hasPrefix("feedbell ") }
        #expect(commands.count > 8)
        try await Home.with { home in
            for command in commands where command != "feedbell stop" {
                _ = try await home.publish()
                if command == "feedbell undo" { try await home.run("feedbell archive 01K1VN") }
                try await home.run(command)
            }
        }
    }

    @Test(
        "The program in Python in the README prints what arrives",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/gi"),
            "python3-gi is not installed"
        )
    )
    func python() async throws {
        let program = try #require(DocumentedCode.blocks("python", of: "README.md").first)
        try await Home.with { home in
            try await RunningProgram.with("env", ["/usr/bin/python3", "-c", program]) { python in
                try await waiting(for: "a title", every: .milliseconds(300)) {
                    _ = try await home.publish()
                    return python.log.contains("Build 4711 failed")
                } until: {
                    $0
                }
            }
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
