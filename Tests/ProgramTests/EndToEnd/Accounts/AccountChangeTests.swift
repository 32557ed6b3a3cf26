import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

private let table =
    "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\ntoken_command = [\"pass\"]\n"

/// `feedbell accounts remove`, `sign-out`, `edit` and `test`, as processes.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountChangeTests {
    private static func run(_ words: [String], _ file: TemporaryFile, input: String = "") async throws
        -> Programs.Outcome
    {
        try await Programs.run("feedbell", ["accounts"] + words + ["--config", file.path], input: input)
    }

    /// Adds an account with a token in a file.
    private static func add(_ name: String, user: String, _ file: TemporaryFile) async throws {
        let url = Sandbox.current.baseURL
        let hosts = ["--hub-url", url, "--api-url", url, "--socket-url", url]
        let options = [name, "--token-stdin", "--no-secret-service", "--config", file.path]
        let token = try await Sandbox.current.token(for: Recipient(user))
        let outcome = try await AccountsCommand.add(
            options + AccountsCommand.required(user: user) + hosts,
            input: token,
            isVerified: true
        )
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test("A removed account leaves no file and no token, and the agent disconnects it", .sandbox(users: ["anna"]))
    func removal() async throws {
        try await TemporaryFile.with("# mine\n") { file in
            try await Self.add("work", user: "anna", file)
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let question = try await Self.run(["remove", "work"], file)
                #expect(question.status == .exited(64))
                #expect(question.errors.contains("Cannot prompt without a terminal. Pass --yes."))
                #expect(file.ofAccount("work").exists)
                let outcome = try await Self.run(["remove", "work", "--yes"], file)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                let token = file.directory + "/tokens/work"
                #expect(outcome.output == "Removed the account \"work\".\nRemoved its secret, \(token).\n")
                #expect(!file.ofAccount("work").exists && !TemporaryFile(path: token).exists)
                #expect(try await agent.root.get(AgentRoot.accounts) == [])
                #expect(try file.read() == "# mine\n")
                let again = try await Self.run(["remove", "work", "--yes"], file)
                #expect(again.status == .exited(64))
                #expect(again.errors.contains("There is no account \"work\"."))
            }
        }
    }

    @Test("The question says how many actions were not sent yet, and no is the answer of Enter")
    func question() async throws {
        try await TemporaryFile.with("") { file in
            let added = try await AccountsCommand.add(
                ["work", "--no-token", "--config", file.path] + AccountsCommand.required
                    + ["--hub-url", "--api-url", "--socket-url"].flatMap { [$0, "http://127.0.0.1:1"] }
            )
            #expect(added.status == .exited(0), "\(added.errors)")
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.call(AgentInbox.markAllRead)
                try await agent.account.wait(AgentAccount.pendingActions, is: 1)
                let command = ["feedbell", "accounts", "remove", "work", "--config", file.path]
                let words = "1 of its actions was not sent yet, and will be discarded."
                let question = "Remove work with its token, its state and its popups? [y/N]: "
                let no = try await TerminalDialogue.run(command, [(words, ""), (question, "\n")])
                #expect(no.status == 64 && no.shown.contains("Nothing was changed."))
                #expect(file.ofAccount("work").exists)
                let yes = try await TerminalDialogue.run(command, [(words, ""), (question, "y\n")])
                #expect(yes.status == 0, "\(yes.shown)")
                #expect(!file.ofAccount("work").exists)
                try await agent.root.wait(AgentRoot.accounts, is: [])
            }
        }
    }

    @Test("The secret in the keyring is removed, or nothing if the keyring stays locked") func keyring() async throws {
        try await TemporaryFile.with("") { file in
            try await withBus { bus in
                let own = AccountsCommand.attributes(ofSecretOf: "work")
                let other = FakeSecretService.Item(["application": "org.feedbell.Agent", "account": "home"], "b")
                let fake = FakeSecretService(bus: bus, items: [other, .init(own, "a", isLocked: true)])
                try await fake.appear()
                let account = file.ofAccount("work")
                try FileManager.default.createDirectory(atPath: account.directory, withIntermediateDirectories: false)
                try account.write(
                    "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
                        + "token_secret = true\n"
                )
                await fake.answers(.dismiss)
                for command in ["remove", "sign-out"] {
                    let dismissed = try await Self.run([command, "work", "--yes"], file)
                    #expect(dismissed.status == .exited(77))
                    #expect(dismissed.errors.contains("Nothing was changed."), "\(dismissed.errors)")
                }
                #expect(await fake.items.count == 2 && account.exists)
                await fake.answers(.agree)
                let signedOut = try await Self.run(["sign-out", "work", "--yes"], file)
                #expect(signedOut.output == "Removed its secret from the Secret Service, \"Feedbell: work\".\n")
                #expect(await fake.items == [other] && account.exists)
                let removed = try await Self.run(["remove", "work", "--yes"], file)
                #expect(removed.output == "Removed the account \"work\".\n", "\(removed.errors)")
                #expect(await fake.items == [other] && !account.exists)
            }
        }
    }

    @Test(
        "Of an account in the user's file, the lines to delete are said",
        arguments: [
            ("# a\n[popups]\ngroup_above = 5\n\n" + table, "lines 5 to 9"),
            ("\n" + table + "inbox_url = \"https://a.example\"\n[popups]\n", "lines 2 to 7"),
            (table + "[[accounts.work.stores]]\nid = \"a\"\ntags = [\n  \"x\"\n]\n\n[popups]\n", "lines 1 to 10"),
            ("accounts.work = { provider = 'suprsend', public_key = 'k', distinct_id = 'd' }", "line 1"),
        ] as [(String, String)]
    )
    func ownTable(contents: String, lines: String) async throws {
        try await TemporaryFile.with(contents) { file in
            let outcome = try await Self.run(["remove", "work", "--yes"], file)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains("To remove \"work\", delete \(lines) there."), "\(outcome.errors)")
            #expect(try file.read() == contents)
        }
    }

    /// Waits until the account "work" is signed out, which is no problem.
    private static func expectSignedOut(_ agent: BuiltAgent) async throws {
        try await agent.account.wait(AgentAccount.state, is: "unauthorized")
        let (name, sentence) = try await agent.account.get(AgentAccount.lastError).elements
        #expect(name == "org.feedbell.Error.SignedOut")
        #expect(sentence == "Signed out. Sign in: feedbell accounts token work")
        #expect(try await agent.account.get(AgentAccount.attentionNeeded) == false)
        #expect(try await agent.root.get(AgentRoot.attentionNeeded) == false)
        let status = try await Programs.run("feedbell", ["status"])
        #expect(status.status == .exited(0) && status.output.contains(sentence), "\(status.output)")
    }

    @Test(
        "Signed out, an account stays configured, is no problem, and says how to sign in",
        .sandbox(users: ["anna"], expectsNoViolations: false)
    )
    func signOut() async throws {
        try await TemporaryFile.with("") { file in
            try await Self.add("work", user: "anna", file)
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let outcome = try await Self.run(["sign-out", "work", "--yes"], file)
                #expect(outcome.output == "Removed its secret, \(file.directory)/tokens/work.\n", "\(outcome.errors)")
                try await Self.expectSignedOut(agent)
                #expect(file.ofAccount("work").exists)
            }
            try await BuiltAgent.alone(file) { agent in
                try await Self.expectSignedOut(agent)
                let list = try await Programs.run("feedbell", ["list", "--limit", "500"])
                #expect(list.status == .exited(4), "\(list.errors)")
                #expect(list.errors.contains("Sign in: feedbell accounts token work"), "\(list.errors)")
                let test = try await Self.run(["test", "work"], file)
                #expect(test.status == .exited(4))
                let finding = "✗ Signed out.\n    → Sign in: feedbell accounts token work\n"
                #expect(test.output.contains(finding) && !test.output.contains("cannot be read"), "\(test.output)")
                let token = try await Sandbox.current.token(for: Recipient("anna"))
                let stored = try await Self.run(["token", "work"], file, input: token)
                #expect(stored.status == .exited(0), "\(stored.errors)")
                try await agent.account.wait(AgentAccount.state, is: "online")
                #expect(try Files.names(file.directory + "/tokens") == ["work"])
                let tested = try await Self.run(["test", "work"], file)
                #expect(tested.status == .exited(0) && tested.output.contains("Account work"), "\(tested.output)")
                let unknown = try await Self.run(["test", "nosuch"], file)
                #expect(unknown.status == .exited(5))
                #expect(unknown.output.contains("There is no account \"nosuch\". Configured accounts: work."))
            }
        }
    }

    @Test(
        "An edited account keeps what it does not name, and changes only if the service accepts it",
        .sandbox(users: ["anna", "bob"], expectsNoViolations: false)
    )
    func edit() async throws {
        try await TemporaryFile.with("") { file in
            try await Self.add("work", user: "anna", file)
            let account = file.ofAccount("work")
            try account.write(
                try account.read() + "page_size = 7\n[[accounts.work.stores]]\nid = \"a\"\nread = false\n"
            )
            let before = try account.read()
            let refused = try await Self.run(["edit", "work", "--distinct-id", "bob"], file)
            #expect(refused.status == .exited(77), "\(refused.errors)")
            #expect(try account.read() == before)
            let other = try await Self.run(["edit", "work", "--api-key", "x"], file)
            #expect(other.status == .exited(64) && other.errors.contains("SuprSend has no option --api-key."))
            let outcome = try await Self.run(["edit", "work", "--language", "es"], file)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("Changed \(account.path).\n"))
            let text = try account.read()
            #expect(text.contains("language = \"es\"\n") && text.contains("page_size = 7\n"))
            #expect(text.contains("stores = [{ id = \"a\", read = false }]\n"))
            #expect(text.contains("token_file = \"\(file.directory)/tokens/work\"\n"))
            let token = try await Sandbox.current.token(for: Recipient("bob"))
            let both = try await Self.run(
                ["edit", "work", "--distinct-id", "bob", "--token-stdin", "--no-secret-service"],
                file,
                input: token
            )
            #expect(both.status == .exited(0), "\(both.errors)")
            #expect(try account.read().contains("distinct_id = \"bob\"\n"))
            let command = try await Self.run(["edit", "work"], file)
            #expect(command.status == .exited(64), "\(command.errors)")
        }
    }

    @Test("A token that another one replaces is removed, also one that an earlier version has left")
    func replacedTokens() async throws {
        try await TemporaryFile.with("") { file in
            try await withBus { (bus) async throws in
                let fake = FakeSecretService(bus: bus)
                try await fake.appear()
                let required = AccountsCommand.required + ["--config", file.path]
                let options = ["work", "--token-stdin", "--no-secret-service"]
                let added = try await AccountsCommand.add(options + required, input: "first")
                #expect(added.status == .exited(0), "\(added.errors)")
                let token = TemporaryFile(path: file.directory + "/tokens/work")
                #expect(token.exists)
                let edit = ["edit", "work", "--no-verify"]
                let stored = try await Self.run(edit + ["--token-stdin"], file, input: "second")
                #expect(stored.status == .exited(0), "\(stored.errors)")
                #expect(stored.output.contains("\nRemoved its previous token, \(token.path).\n"), "\(stored.output)")
                #expect(
                    await fake.items == [
                        .init(AccountsCommand.attributes(ofSecretOf: "work"), "second", label: "Feedbell: work")
                    ]
                )
                #expect(!token.exists)

                let moved = try await Self.run(edit + ["--token-stdin", "--no-secret-service"], file, input: "third")
                #expect(
                    moved.output.contains("Removed its previous token from the Secret Service, \"Feedbell: work\".\n"),
                    "\(moved.output)"
                )
                #expect(await fake.items.isEmpty)
                #expect(try token.read() == "third\n")

                let own = try await Self.run(edit + ["--token-file", token.directory + "/../tokens/work"], file)
                #expect(own.status == .exited(0), "\(own.errors)")
                #expect(try token.read() == "third\n", "another path of the same file")
                let words = ["accounts"] + edit + ["--config", file.path, "--token-command", "pass", "work"]
                let command = try await Programs.run("feedbell", words)
                #expect(command.status == .exited(0), "\(command.errors)")
                #expect(!token.exists)

                try token.write("left\n")
                let removed = try await Self.run(["remove", "work", "--yes"], file)
                #expect(removed.output.contains("Removed its secret, \(token.path).\n"), "\(removed.output)")
                #expect(removed.output.contains("Its secret stays where it is.\n") && !token.exists)
            }
        }
    }

    @Test("An edit that changes nothing says so, and so does one that fails") func unchanged() async throws {
        try await TemporaryFile.with("") { file in
            let added = try await AccountsCommand.add(
                ["work", "--no-token", "--config", file.path] + AccountsCommand.required
            )
            #expect(added.status == .exited(0), "\(added.errors)")
            let account = file.ofAccount("work")
            try account.write("# mine\n" + (try account.read()))
            let edit = ["edit", "work", "--distinct-id", "anna"]
            let same = try await Self.run(edit + ["--no-verify"], file)
            #expect(same.status == .exited(0), "\(same.errors)")
            #expect(same.output == "Nothing was changed: the account has these values already.\n")
            #expect(try account.read().hasPrefix("# mine\n"))
            let failed = try await Self.run(edit + ["--hub-url", "http://127.0.0.1:1"], file)
            #expect(failed.status == .exited(69))
            let advice =
                "Nothing was changed. To change the account without a request to the service, use --no-verify.\n"
            #expect(failed.errors.hasSuffix(advice), "\(failed.errors)")
        }
    }

    @Test("On a terminal edit asks for each value, and Enter keeps the present one") func editDialogue() async throws {
        try await TemporaryFile.with("") { file in
            let added = try await AccountsCommand.add(
                ["work", "--no-token", "--config", file.path] + AccountsCommand.required
            )
            #expect(added.status == .exited(0), "\(added.errors)")
            let dialogue = try await TerminalDialogue.run(
                ["feedbell", "accounts", "edit", "work", "--no-verify", "--config", file.path],
                [
                    ("The workspace's public key (SS.PUBK.…) [SS.PUBK.sandbox]: ", "\n"),
                    ("Your user ID in this workspace, often your e-mail address [anna]: ", "änna\n"),
                    ("The tenant [default]: ", "\n"),
                    ("Your token (not shown; empty to keep it): ", "\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(
                try file.ofAccount("work").read() == """
                    [accounts.work]
                    provider = "suprsend"
                    public_key = "SS.PUBK.sandbox"
                    distinct_id = "änna"

                    """
            )
        }
    }

    @Test("An account in the user's file is not edited") func editOfOwnFile() async throws {
        try await TemporaryFile.with("\n" + table) { file in
            let outcome = try await Self.run(["edit", "work", "--language", "es", "--no-verify"], file)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains("Programs do not change \(file.path). Edit \"work\" from line 2 there."))
        }
    }
}
