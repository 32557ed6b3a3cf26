import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent with a file of accounts.d that cannot be used.
@Suite(.sessionBus, .sandbox(users: ["anna", "bob"]), .timeLimit(.minutes(5))) struct UnusedAccountTests {
    /// Runs `body` with the file of an account `home` beside the configuration of `work`.
    private func withFiles(_ home: String, _ body: (_ file: TemporaryFile, _ home: TemporaryFile) async throws -> Void)
        async throws
    {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            let added = file.ofAccount("home")
            try FileManager.default.createDirectory(atPath: added.directory, withIntermediateDirectories: false)
            try added.write(home)
            try await body(file, added)
        }
    }

    /// At the sandbox of the present test.
    private static var home: String { AgentConfiguration.account("home", user: "bob") }

    @Test(
        "Started with an empty file of an account, the agent shows why, goes on without it, and takes it once corrected"
    )
    func start() async throws {
        try await withFiles("") { file, home in
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let problem = try await agent.root.get(AgentRoot.configurationError)
                #expect(problem.hasPrefix("\(home.path):1: A file in accounts.d has one account"))
                #expect(try await agent.root.get(AgentRoot.attentionNeeded))
                try await agent.server.serving {
                    let popup = try await agent.popup()
                    #expect(popup.summary == "Not all accounts are used")
                    #expect(popup.body.contains("home"))
                }
                let status = try await Programs.run("feedbell", ["status"])
                #expect(status.status == .exited(4))
                #expect(status.output.contains("Not all of the configuration is used: \(problem)"))
                let doctor = try await Programs.run("feedbell", ["doctor", "--config", file.path])
                #expect(doctor.output.contains(problem))
                let reload = try await Programs.run("feedbell", ["reload"])
                #expect(reload.status != .exited(0) && reload.errors.contains(problem))
                try home.write(Self.home)
                try await agent.root.wait(AgentRoot.accounts) { $0.contains(AgentNames.accountPath("home")) }
                try await agent.account("home").wait(AgentAccount.state, is: "online")
                try await agent.root.wait(AgentRoot.configurationError, is: "")
                #expect(agent.program.log.count { $0.contains("a file of the configuration is not used") } == 1)
            }
        }
    }

    @Test(
        "While the agent runs, an account whose file gets a mistake stays as it is, and other files are applied",
        arguments: ["", "nonsense", "[accounts.home]\nprovider = \"suprsend\"\npage_sise = 1\n"]
    )
    func running(text: String) async throws {
        try await withFiles(Self.home) { file, home in
            try await BuiltAgent.alone(file) { agent in
                try await agent.account("home").wait(AgentAccount.state, is: "online")
                let since = try await agent.account("home").get(AgentAccount.stateSince)
                try home.write(text)
                try await agent.root.wait(AgentRoot.configurationError) { $0.hasPrefix(home.path) }
                try file.write(AgentConfiguration.account() + "[inbox.keys]\nundo = \"F2\"\n")
                try await agent.root.wait(AgentRoot.inboxKeys, is: ["undo": ["F2"]])
                #expect(try await agent.root.get(AgentRoot.configurationError).hasPrefix(home.path))
                #expect(try await agent.account("home").get(AgentAccount.stateSince) == since)
                try FileManager.default.removeItem(atPath: home.path)
                try await agent.root.wait(AgentRoot.accounts, is: [AgentNames.accountPath("work")])
                try await agent.root.wait(AgentRoot.configurationError, is: "")
            }
        }
    }

    @Test("Settings can be changed while the file of an account cannot be used") func settings() async throws {
        try await withFiles("") { file, _ in
            let words = ["settings", "set", "popups.timeout", "5", "--config", file.path]
            let set = try await Programs.run("feedbell", words)
            #expect(set.status == .exited(0), "\(set.errors)")
        }
    }
}
