import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent follows its configuration file.
@Suite(.sessionBus, .sandbox(users: ["anna", "bob"]), .timeLimit(.minutes(5))) struct ConfigurationFileTests {
    private static let manager = FileManager.default

    private static func path(_ names: String...) -> [ObjectPath] { names.map { AgentNames.accountPath($0) } }

    /// As editors do: a new file in the place of the old one.
    private static func replace(_ path: String, by text: String) throws {
        let new = TemporaryFile(path: path + ".new")
        try new.write(text)
        #expect(rename(new.path, path) == 0)
    }

    @Test("A file that is written or replaced is applied, and unchanged accounts keep their connections")
    func changes() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let since = try await agent.account.get(AgentAccount.stateSince)
                let both = AgentConfiguration.account() + AgentConfiguration.account("other", user: "bob")
                try Self.replace(file.path, by: both)
                try await agent.root.wait(AgentRoot.accounts, is: Self.path("work", "other"))
                try file.write(both + "[popups]\ngroup_above = 7\n")
                try await agent.program.wait(for: "configuration read", times: 2)
                try file.write(AgentConfiguration.account())
                try await agent.root.wait(AgentRoot.accounts, is: Self.path("work"))
                #expect(try await agent.account.get(AgentAccount.stateSince) == since)
            }
        }
    }

    @Test("The keys of the inbox in the terminal are those of the file, also after a change of them alone")
    func inboxKeys() async throws {
        let text = AgentConfiguration.account()
        try await TemporaryFile.with(text + "[inbox.keys]\nundo = \"F2\"\n") { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.root.wait(AgentRoot.inboxKeys, is: ["undo": ["F2"]])
                try file.write(text + "[inbox.keys]\narchive = [\"e\"]\n")
                try await agent.root.wait(AgentRoot.inboxKeys, is: ["archive": ["e"]])
            }
        }
    }

    @Test("A file with a mistake keeps the running configuration, and is reported until it is corrected")
    func mistake() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let wrong = AgentConfiguration.account() + "page_sise = 5\n"
                let problem =
                    "\(file.path):9: \"page_sise\" is not a key of [accounts.work]. "
                    + "The nearest valid key is \"page_size\"."
                try Self.replace(file.path, by: wrong)
                try await agent.root.wait(AgentRoot.configurationError, is: problem)
                #expect(try await agent.root.get(AgentRoot.attentionNeeded))
                #expect(try await agent.account.get(AgentAccount.state) == "online")
                let status = try await Programs.run("feedbell", ["status"])
                #expect(status.status == .exited(4))
                #expect(status.output.contains("Not all of the configuration is used: \(problem)"))
                let doctor = try await Programs.run("feedbell", ["doctor", "--config", file.path])
                #expect(doctor.status == .exited(4), "\(doctor.errors)")
                #expect(doctor.output.contains("The agent does not use all of the configuration: "))
                // Saved once more with the same mistake: not logged again.
                try Self.replace(file.path, by: wrong + "# comment\n")
                let other = problem.replacing("page_sise", with: "page_sice")
                try Self.replace(file.path, by: wrong.replacing("page_sise", with: "page_sice"))
                try await agent.root.wait(AgentRoot.configurationError, is: other)
                try await agent.program.wait(for: "configuration rejected", times: 2)
                try Self.replace(file.path, by: AgentConfiguration.account())
                try await agent.root.wait(AgentRoot.configurationError, is: "")
                _ = try await agent.program.wait(for: "configuration read")
                #expect(agent.program.log.filter { $0.contains("configuration rejected") }.count == 2)
                #expect(try await !agent.root.get(AgentRoot.attentionNeeded))
                #expect(try await Programs.run("feedbell", ["status"]).status == .exited(0))
            }
        }
    }

    @Test("A removed file keeps the running configuration") func removal() async throws {
        try await withDefaultFile { file, agent in
            try Self.manager.createDirectory(atPath: file.directory, withIntermediateDirectories: true)
            try file.write(AgentConfiguration.account())
            try await agent.root.wait(AgentRoot.accounts, is: Self.path("work"))
            try Self.manager.removeItem(atPath: file.path)
            try await agent.root.wait(AgentRoot.configurationError) { $0.contains("The file was removed.") }
            #expect(try await agent.root.get(AgentRoot.accounts) == Self.path("work"))
            try await agent.root.call(AgentRoot.reload)
            #expect(try await agent.root.get(AgentRoot.accounts) == [])
            #expect(try await agent.root.get(AgentRoot.configurationError) == "")
        }
    }

    /// Shell redirections and programs that synchronize files truncate a file some time before they write it.
    @Test(
        "A file that is empty for a while keeps the running configuration and its popups",
        arguments: ["", " \n\t\n"]
    )
    func truncation(text: String) async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.server.serving {
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await Sandbox.current.waitForConnection()
                    let id = try await Sandbox.current.publish(["header": "Open"], to: Recipient("anna"))
                    let popup = try await agent.popup()
                    try await agent.program.wait(for: "popup shown", times: 1)
                    try file.write(text)
                    try await agent.root.wait(AgentRoot.configurationError) { $0.contains("The file is empty.") }
                    #expect(try await agent.root.get(AgentRoot.accounts) == Self.path("work"))
                    try file.write(AgentConfiguration.account())
                    try await agent.root.wait(AgentRoot.configurationError, is: "")
                    #expect(await agent.server.closeCalls == [])
                    try await agent.server.invoke(id: popup.id)
                    try await agent.waitForRequest("interacted", of: id)
                    try file.write("")
                    try await agent.root.wait(AgentRoot.configurationError) { $0.contains("The file is empty.") }
                    try await agent.root.call(AgentRoot.reload)
                    #expect(try await agent.root.get(AgentRoot.accounts) == [])
                }
            }
        }
    }

    @Test("A FIFO in the place of the file is not waited for, and keeps the running configuration")
    func irregularFile() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                let fifo = file.path + ".fifo"
                #expect(mkfifo(fifo, 0o600) == 0 && rename(fifo, file.path) == 0)
                try await agent.root.wait(AgentRoot.configurationError) { $0.contains("It is no regular file") }
                #expect(try await agent.root.get(AgentRoot.accounts) == Self.path("work"))
                try Self.replace(file.path, by: AgentConfiguration.account("other"))
                try await agent.root.wait(AgentRoot.accounts, is: Self.path("other"))
            }
        }
    }

    /// Runs an agent with the default file in a directory that does not exist yet.
    private func withDefaultFile(_ body: (TemporaryFile, BuiltAgent) async throws -> Void) async throws {
        try await TemporaryFile.with("") { place in
            let file = TemporaryFile(path: place.directory + "/xdg/feedbell/config.toml")
            try await BuiltAgent.withDefaultConfiguration(xdg: place.directory + "/xdg") { agent in
                try await body(file, agent)
            }
        }
    }

    @Test("A directory that is created later, symbolic links and their targets are followed") func links()
        async throws
    {
        try await withDefaultFile { file, agent in
            #expect(try await agent.root.get(AgentRoot.accounts) == [])
            let base = String(file.directory.dropLast("/xdg/feedbell".count))
            for name in ["one", "two"] {
                try Self.manager.createDirectory(atPath: "\(base)/\(name)", withIntermediateDirectories: true)
                try TemporaryFile(path: "\(base)/\(name)/config.toml").write(AgentConfiguration.account(name))
            }
            try Self.manager.createDirectory(atPath: base + "/xdg", withIntermediateDirectories: true)
            try Self.manager.createSymbolicLink(atPath: file.directory, withDestinationPath: "../one")
            try await agent.root.wait(AgentRoot.accounts, is: Self.path("one"))
            try Self.manager.createSymbolicLink(atPath: base + "/xdg/new", withDestinationPath: "../two")
            #expect(rename(base + "/xdg/new", file.directory) == 0)
            try await agent.root.wait(AgentRoot.accounts, is: Self.path("two"))
            try Self.replace(base + "/two/config.toml", by: AgentConfiguration.account("three"))
            try await agent.root.wait(AgentRoot.accounts, is: Self.path("three"))
        }
    }

    @Test("SIGHUP reads the configuration again") func hangUp() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                agent.program.send(SIGHUP)
                _ = try await agent.program.wait(for: "configuration read")
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
        }
    }
}
