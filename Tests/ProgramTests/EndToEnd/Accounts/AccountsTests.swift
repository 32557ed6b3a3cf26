import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell accounts` and `feedbell accounts add`, as processes.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountsTests {
    @Test("The agent connects an added account", .sandbox(users: ["anna"])) func addAccount() async throws {
        let sandbox = Sandbox.current
        let token = try await sandbox.token(for: Recipient("anna"))
        let url = sandbox.baseURL
        try await GNOMEKeyring.running { _ in
            try await TemporaryFile.with("# mine\n[popups]\ngroup_above = 2 # few\n") { file in
                try await BuiltAgent.alone(file) { agent in
                    let none = try await Programs.run("feedbell", ["accounts", "--json"])
                    #expect(none.status == .exited(0), "\(none.errors)")
                    #expect(none.output == "[]\n")
                    let hosts = ["--hub-url", url, "--api-url", url, "--socket-url", url]
                    let outcome = try await AccountsCommand.add(
                        ["work", "--token-stdin", "--config", file.path] + AccountsCommand.required + hosts,
                        input: token + "\n",
                        isVerified: true
                    )
                    #expect(outcome.status == .exited(0), "\(outcome.errors)")
                    #expect(
                        outcome.output == """
                            Added the account "work" to \(file.ofAccount("work").path).
                            Stored its token in the Secret Service as "Feedbell: work".
                            The agent connects it now. Check with: feedbell status

                            """
                    )
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try file.read() == "# mine\n[popups]\ngroup_above = 2 # few\n")
                    let text = try file.ofAccount("work").read()
                    #expect(text.hasPrefix("[accounts.work]\n"))
                    #expect(text.contains("\ntoken_secret = true\n") && !text.contains(token))

                    let list = try await Programs.run("feedbell", ["accounts"])
                    #expect(list.status == .exited(0), "\(list.errors)")
                    #expect(list.output == "work\tsuprsend\tanna\tonline\n")
                    let json = try await Programs.run("feedbell", ["accounts", "list", "--json"])
                    #expect(json.status == .exited(0), "\(json.errors)")
                    let row = "{\"name\":\"work\",\"provider\":\"suprsend\",\"state\":\"online\",\"user\":\"anna\"}"
                    #expect(json.output == "[\(row)]\n")
                    #expect(!agent.program.log.contains { $0.contains(token) })
                }
            }
        }
    }

    @Test("feedbell accounts without an agent reports that none is running") func withoutAnAgent() async throws {
        let outcome = try await Programs.run("feedbell", ["accounts"])
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.contains("No Feedbell agent is running in this session."))
    }

    @Test("An account added to a configuration of another agent is not reported as connected")
    func anotherConfiguration() async throws {
        func last(_ outcome: Programs.Outcome) -> String {
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            return outcome.output.split(separator: "\n").last.map(String.init) ?? ""
        }
        try await TemporaryFile.with("") { own in
            try await TemporaryFile.with("") { other in
                try await BuiltAgent.alone(own) { _ in
                    let elsewhere = try await AccountsCommand.add(
                        ["work", "--no-token", "--config", other.path] + AccountsCommand.required
                    )
                    #expect(
                        last(elsewhere) == "The running agent uses another configuration and does not connect it. "
                            + "To use this one: feedbell-agent --config FILE --replace"
                    )
                    let hosts = ["--hub-url", "--api-url", "--socket-url"].flatMap { [$0, "http://127.0.0.1:1"] }
                    let here = try await AccountsCommand.add(
                        ["home", "--no-token", "--config", own.path] + AccountsCommand.required + hosts
                    )
                    #expect(last(here) == "The agent connects it now. Check with: feedbell status")
                    let same = try await AccountsCommand.add(
                        ["home", "--no-token", "--config", other.path] + AccountsCommand.required + hosts
                    )
                    #expect(last(same).hasPrefix("The running agent already had an account with this name"))
                    try own.write("[popups\n")
                    let broken = try await AccountsCommand.add(
                        ["third", "--no-token", "--config", other.path] + AccountsCommand.required(user: "bob")
                    )
                    #expect(last(broken).hasPrefix("The running agent does not connect it yet. "))
                    #expect(last(broken).contains("This is not valid TOML"))
                }
            }
        }
    }

    /// Nothing is there yet, neither a directory nor a Secret Service.
    @Test("The first account creates the configuration and a token file for the user alone") func firstAccount()
        async throws
    {
        try await TemporaryFile.with("") { home in
            let config = home.directory + "/new/feedbell/config.toml"
            let path = home.directory + "/new/feedbell/accounts.d/a%2Fb.toml"
            let outcome = try await AccountsCommand.add(
                ["a/b", "--token-stdin", "--config", config] + AccountsCommand.required,
                input: "secret.token"
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let token = home.directory + "/new/feedbell/tokens/a%2Fb"
            #expect(
                outcome.output == """
                    Added the account "a/b" to \(path).
                    There is no Secret Service in this session (GNOME Keyring, KWallet or KeePassXC). Stored its \
                    token in \
                    \(token), readable only by you.
                    No agent is running. To start one with this configuration: feedbell-agent --config FILE

                    """
            )
            #expect(try Files.text(token) == "secret.token\n")
            #expect(try Files.mode(path) == 0o600)
            #expect(try Files.mode(token) == 0o600)
            for directory in ["/new", "/new/feedbell", "/new/feedbell/accounts.d", "/new/feedbell/tokens"] {
                #expect(try Files.mode(home.directory + directory) == 0o700)
            }
            #expect(try Files.text(path).hasPrefix("[accounts.\"a/b\"]\n"))
            #expect(try Files.text(path).contains("token_file = \"\(token)\"\n"))
            #expect(try Files.names(home.directory + "/new/feedbell") == ["accounts.d", "tokens"])
            #expect(try Files.names(home.directory + "/new/feedbell/tokens") == ["a%2Fb"])
        }
    }

    /// In the usual place, with a keyring that is not wanted.
    @Test("With --no-secret-service the token is stored in a file although there is a keyring") func tokenFileByChoice()
        async throws
    {
        try await TemporaryFile.with("") { home in
            try await withBus { bus in
                let fake = FakeSecretService(bus: bus)
                try await fake.appear()
                let outcome = try await Programs.run(
                    "feedbell",
                    ["accounts", "add", "work", "--no-verify", "--token-stdin", "--no-secret-service"]
                        + AccountsCommand.required,
                    environment: ["XDG_CONFIG_HOME": home.directory],
                    input: "secret.token\n"
                )
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                let start =
                    "No Feedbell agent is running in this session. Start it with: feedbell start\n"
                #expect(outcome.output.hasSuffix(start))
                #expect(try Files.text(home.directory + "/feedbell/tokens/work") == "secret.token\n")
                #expect(
                    try Files.text(home.directory + "/feedbell/accounts.d/work.toml").contains(
                        "/feedbell/tokens/work\"\n"
                    )
                )
                #expect(await fake.items.isEmpty)
            }
        }
    }

    @Test("An account is added beside the symbolic link to the user's file, which does not change")
    func symbolicLinks() async throws {
        try await TemporaryFile.with("# kept\n") { file in
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            let link = TemporaryFile(path: file.directory + "/links/link.toml")
            try manager.createDirectory(atPath: link.directory, withIntermediateDirectories: false)
            try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "../config.toml")
            let outcome = try await AccountsCommand.add(
                ["work", "--no-token", "--config", link.path] + AccountsCommand.required
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let added = link.ofAccount("work")
            #expect(outcome.output.hasPrefix("Added the account \"work\" to \(added.path).\n"))
            #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == "../config.toml")
            #expect(try Files.mode(file.path) == 0o640)
            #expect(try file.read() == "# kept\n")
            #expect(try Files.mode(added.path) == 0o600)
            #expect(!(try added.read().contains("token")))
        }
    }

    @Test("--token-file and --token-command are written to the configuration") func tokenSources() async throws {
        try await TemporaryFile.with("") { file in
            let config = ["--config", file.path] + AccountsCommand.required
            let token = file.directory + "/token"
            #expect(
                FileManager.default.createFile(
                    atPath: token,
                    contents: Data("t\n".utf8),
                    attributes: [.posixPermissions: 0o600]
                )
            )
            let one = try await Programs.run(
                "sh",
                [
                    "-c", "cd \"$0\" && exec feedbell accounts add one --no-verify --token-file token \"$@\"",
                    file.directory,
                ] + config
            )
            #expect(one.status == .exited(0), "\(one.errors)")
            _ = try await AccountsCommand.add(
                ["two", "--config", file.path] + AccountsCommand.required(user: "bob") + [
                    "--token-command", "pass", "--clip", "a \"b\" \\ $c",
                ]
            )
            #expect(try file.ofAccount("one").read().contains("token_file = \"\(token)\"\n"))
            let text = try file.ofAccount("two").read()
            #expect(text.contains("token_command = [\"pass\", \"--clip\", \"a \\\"b\\\" \\\\ $c\"]\n"))
        }
    }

    /// At the same time, and none is lost.
    @Test("Accounts that are added at the same time are all kept") func concurrentAdditions() async throws {
        try await TemporaryFile.with("") { file in
            try await withThrowingTaskGroup { group in
                for number in 1...6 {
                    group.addTask {
                        try await AccountsCommand.add(
                            ["n\(number)", "--no-token", "--config", file.path]
                                + AccountsCommand.required(user: "n\(number)")
                        ).status
                    }
                }
                for try await status in group { #expect(status == .exited(0)) }
            }
            let names = (1...6).map { "n\($0).toml" }
            #expect(try Files.names(file.directory + "/accounts.d") == names)
        }
    }

    @Test("The command adds an account to a configuration with quiet hours") func quietHours() async throws {
        let quiet = "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\n"
        try await TemporaryFile.with(quiet) { file in
            let outcome = try await AccountsCommand.add(
                ["work", "--no-token", "--config", file.path] + AccountsCommand.required
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(try file.read() == quiet)
            #expect(try file.ofAccount("work").read().hasPrefix("[accounts.work]\n"))
        }
    }
}
