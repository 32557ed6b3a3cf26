import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The dialogue of `feedbell accounts add` on a terminal.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountDialogueTests {
    @Test("The dialogue checks each answer at once and repeats the question") func wrongAnswers() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
        try await TemporaryFile.with(before) { file in
            let dialogue = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                [
                    ("Which service? 1 SuprSend, 2 MagicBell: ", "3\n"),
                    ("Answer with a number from 1 to 2, or with a name.", ""),
                    ("Which service? 1 SuprSend, 2 MagicBell: ", "supr\n"),
                    ("A name for this account [work]: ", "\n"),
                    ("already has an account \"work\". Choose another name.", ""),
                    ("A name for this account [work]: ", "home\n"),
                    ("The workspace's public key (SS.PUBK.…): ", "my work!\n"),
                    ("The public key contains a blank or an invalid character.", ""),
                    ("The workspace's public key (SS.PUBK.…): ", "SS.PUBK.x\n"),
                    ("Your user ID in this workspace, often your e-mail address: ", "anna\n"),
                    ("The tenant [default]: ", "\n"),
                    ("Your token (not shown; empty for none): ", "two words\n"),
                    ("This token is invalid. It is one line without spaces.", ""),
                    ("Your token (not shown; empty for none): ", "right\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("two words"))
            #expect(try Files.text(file.directory + "/tokens/home") == "right\n")
            #expect(try file.read() == before)
            #expect(try file.ofAccount("home").read().hasPrefix("[accounts.home]\n"))
        }
    }

    @Test("Sentences of the dialogue break between words, and not within a path") func brokenLines() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
        try await TemporaryFile.with(before) { file in
            let dialogue = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "--provider", "suprsend", "--no-verify", "--config", file.path],
                [("A name for this account [work]: ", "\n"), ("A name for this account [work]: ", "\u{3}")],
                columns: 45
            )
            let lines = dialogue.shown.split { $0.isNewline }.map { $0.trimmingPrefix { $0 == " " } }
            #expect(lines.contains { $0.contains(file.path) }, "\(dialogue.shown)")
            #expect(lines.allSatisfy { $0.count <= 45 || !$0.contains(" ") }, "\(dialogue.shown)")
        }
    }

    @Test("The dialogue asks for what the chosen service needs") func otherService() async throws {
        try await TemporaryFile.with("") { file in
            let dialogue = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "home", "--no-verify", "--config", file.path],
                [
                    ("Which service? 1 SuprSend, 2 MagicBell: ", "2\n"),
                    ("Do you have a user token instead of an API key? [y/N]: ", "maybe\n"),
                    ("Answer with one of the choices in brackets.", ""),
                    ("Do you have a user token instead of an API key? [y/N]: ", "\n"),
                    ("The project's API key: ", "pk_1\n"),
                    (
                        "Your e-mail address in this project (or start again with --external-id): ",
                        "anna@example.com\n"
                    ),
                    ("Your HMAC (not shown; empty for none): ", "hmac=\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("workspace"))
            #expect(
                try file.ofAccount("home").read() == """
                    [accounts.home]
                    provider = "magicbell"
                    api_key = "pk_1"
                    email = "anna@example.com"
                    hmac_file = "\(file.directory)/tokens/home"

                    """
            )
        }
    }

    @Test("With a user token the dialogue asks for the token alone") func tokenAlone() async throws {
        try await TemporaryFile.with("") { file in
            let dialogue = try await TerminalDialogue.run(
                [
                    "feedbell", "accounts", "add", "home", "--provider", "magicbell", "--no-verify", "--config",
                    file.path,
                ],
                [
                    ("Do you have a user token instead of an API key? [y/N]: ", "Yes\n"),
                    ("Your user token (not shown): ", "\n"), ("A value is required.", ""),
                    ("Your user token (not shown): ", "two words\n"),
                    ("This user token is invalid. It is one line without spaces.", ""),
                    ("Your user token (not shown): ", "user.token\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("The project's API key") && !dialogue.shown.contains("user.token"))
            #expect(
                try file.ofAccount("home").read() == """
                    [accounts.home]
                    provider = "magicbell"
                    user_token_file = "\(file.directory)/tokens/home"

                    """
            )
        }
    }

    @Test("Invalid options and an invalid configuration end the dialogue before its first question")
    func earlyErrors() async throws {
        try await TemporaryFile.with("[popups\n") { file in
            let broken = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                []
            )
            let shown = broken.shown.replacing("\r\n  ", with: " ")
            #expect(broken.status == 78 && shown.contains("This is not valid TOML"))
            #expect(!broken.shown.contains("A name for this account"))
        }
        try await TemporaryFile.with("") { file in
            let given = ["feedbell", "accounts", "add", "--token-file", "/nonexistent", "--config", file.path]
            let options = try await TerminalDialogue.run(given, [])
            #expect(options.status == 64 && options.shown.contains("\"/nonexistent\" (token_file) cannot be read;"))
            #expect(!options.shown.contains("A name for this account"))
            #expect(!file.ofAccount("work").exists)
        }
    }

    @Test("The dialogue asks for each value and hides the token") func dialogue() async throws {
        let token = String(repeating: "long.", count: 1000) + "token"
        try await TemporaryFile.with("") { file in
            let dialogue = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                [
                    ("Which service? 1 SuprSend, 2 MagicBell: ", "SuprSend\n"),
                    ("A name for this account [work]: ", "\n"),
                    ("The workspace's public key (SS.PUBK.…): ", "\n"),
                    ("A value is required.", "SS.PUBK.x\n"),
                    ("Your user ID in this workspace, often your e-mail address: ", "  änna \n"),
                    ("The tenant [default]: ", "acme\n"),
                    (
                        "Your token (not shown; empty for none): ",
                        "mistake\u{15}wrong\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\(token)\n"
                    ),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(dialogue.shown.contains("Added the account \"work\" to \(file.ofAccount("work").path)."))
            #expect(!dialogue.shown.contains("long.") && !dialogue.shown.contains("mistake"))
            #expect(dialogue.isEchoing)
            #expect(try Files.text(file.directory + "/tokens/work") == token + "\n")
            let expected = """
                [accounts.work]
                provider = "suprsend"
                public_key = "SS.PUBK.x"
                distinct_id = "änna"
                tenant_id = "acme"

                """
            #expect(try file.ofAccount("work").read().hasPrefix(expected))
        }
    }

    @Test("The same user of another tenant is added, and the same inbox is asked for again") func tenants()
        async throws
    {
        let key = "The workspace's public key (SS.PUBK.…)"
        let user = "Your user ID in this workspace, often your e-mail address"
        try await TemporaryFile.with("") { file in
            for (name, tenant) in [("work", "default"), ("other", "acme")] {
                let repeated = [
                    ("The account \"work\" in", ""), (key + " [k]: ", "\n"), (user + " [anna]: ", "\n"),
                    ("The tenant [default]: ", "\(tenant)\n"),
                ]
                let dialogue = try await TerminalDialogue.run(
                    ["feedbell", "accounts", "add", "--provider", "suprsend", "--no-verify", "--config", file.path],
                    [
                        ("A name for this account [work]: ", "\(name)\n"), (key + ": ", "k\n"), (user + ": ", "anna\n"),
                        ("The tenant [default]: ", "\n"),
                    ] + (name == "work" ? [] : repeated) + [("Your token (not shown; empty for none): ", "\n")]
                )
                #expect(dialogue.status == 0, "\(dialogue.shown)")
            }
            #expect(try file.ofAccount("other").read().contains("tenant_id = \"acme\"\n"))
            let given = ["--public-key", "k", "--distinct-id", "anna", "--tenant-id", "acme"]
            let same = try await TerminalDialogue.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path] + given,
                [("A name for this account [work]: ", "third\n")]
            )
            #expect(same.status == 64 && same.shown.contains("The account \"other\" in"), "\(same.shown)")
        }
    }

    @Test("A token that the keyring does not store is stored in a file after a question") func lockedKeyring()
        async throws
    {
        try await withBus { (bus) async throws in
            let fake = FakeSecretService(bus: bus, answer: .dismiss, isCollectionLocked: true)
            try await fake.appear()
            for answers in [["\n"], ["n\n", "r\n", "y\n"], ["n\n", "q\n"]] {
                try await TemporaryFile.with("") { file in
                    let words = ["work", "--no-verify", "--token-stdin", "--config", file.path]
                    let questions = [
                        "Store it in a file that only you can read? [Y/n]: ", "[r]etry, [q]uit: ",
                        "Store it in a file that only you can read? [Y/n]: ",
                    ]
                    let dialogue = try await TerminalDialogue.run(
                        ["feedbell", "accounts", "add"] + words + AccountsCommand.required,
                        [("Your token (not shown): ", "secret\n")] + zip(questions, answers).map { ($0, $1) }
                    )
                    let token = TemporaryFile(path: file.directory + "/tokens/work")
                    let isStored = answers.last != "q\n"
                    #expect(dialogue.status == (isStored ? 0 : 77) && token.exists == isStored, "\(dialogue.shown)")
                    #expect(file.ofAccount("work").exists == isStored && !dialogue.shown.contains("secret\n"))
                    if isStored { #expect(try token.read() == "secret\n") }
                }
            }
            #expect(await fake.items.isEmpty)
        }
    }

    /// Control-C while half a token was read from a pipe. Repeated, because the command may be about to read.
    private static let interruption = """
        import fcntl, signal, struct, subprocess, sys, termios, time
        program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
        program.stdin.write(b"half")
        program.stdin.flush()
        while struct.unpack("i", fcntl.ioctl(program.stdin, termios.FIONREAD, bytes(4))) != (0,): time.sleep(0.005)
        while program.poll() is None:
            program.send_signal(signal.SIGINT)
            time.sleep(0.02)
        sys.exit(program.returncode)
        """

    @Test("Control-C while the token is read from a pipe adds nothing")
    func interruptedInput() async throws {
        try await TemporaryFile.with("") { file in
            let command = [
                "feedbell", "accounts", "add", "work", "--no-verify", "--token-stdin", "--config", file.path,
            ]
            let arguments = ["-c", Self.interruption] + command + AccountsCommand.required
            let outcome = try await Programs.run("python3", arguments)
            #expect(outcome.status == .exited(130))
            #expect(outcome.errors == "feedbell: Interrupted. Nothing was changed.\n")
            #expect(!file.ofAccount("work").exists)
        }
    }

    @Test("A cancelled dialogue changes nothing") func cancelledDialogue() async throws {
        try await TemporaryFile.with("") { file in
            let given =
                ["feedbell", "accounts", "add", "work", "--no-verify", "--config", file.path, "--tenant-id", "t"]
                + AccountsCommand.required
            let open = ["feedbell", "accounts", "add", "--no-verify", "--config", file.path]
            for (command, question) in [(given, "Your token"), (open, "Which service?"), (open, "A name")] {
                let steps = question == "A name" ? [("Which service?", "1\n")] : []
                let dialogue = try await TerminalDialogue.run(command, steps + [(question, "half\u{3}")])
                #expect(dialogue.status == 130, "\(question)")
                #expect(
                    dialogue.shown.hasSuffix("feedbell: Interrupted. Nothing was changed.\r\n"),
                    "\(dialogue.shown)"
                )
                #expect(dialogue.isEchoing)
                #expect(question != "Your token" || !dialogue.shown.contains("half"))
                #expect(!file.ofAccount("work").exists)
            }

            let none = try await TerminalDialogue.run(given, [("Your token", "\n")])
            #expect(none.status == 0)
            #expect(try !file.ofAccount("work").read().contains("token"))
        }
    }
}

/// The dialogue of `feedbell accounts add` with a service that it asks.
@Suite(.sessionBus, .sandbox(users: ["anna"], expectsNoViolations: false), .timeLimit(.minutes(5)))
struct VerifiedAccountDialogueTests {
    /// Adds the account "work" of the sandbox in an empty configuration.
    private func add(
        _ steps: [(question: String, answer: String)],
        _ body: (_ dialogue: TerminalDialogue.Outcome, _ text: String) throws -> Void
    ) async throws {
        let url = Sandbox.current.baseURL
        try await TemporaryFile.with("") { file in
            let hosts = ["--hub-url", url, "--api-url", url, "--socket-url", url]
            let command = ["feedbell", "accounts", "add", "work", "--no-secret-service", "--config", file.path]
            let dialogue = try await TerminalDialogue.run(command + hosts, steps)
            let added = file.ofAccount("work")
            try body(dialogue, added.exists ? try added.read() : "")
        }
    }

    private static let (key, user) = (
        "The workspace's public key (SS.PUBK.…)", "Your user ID in this workspace, often your e-mail address"
    )

    @Test("What the service rejects is asked for again, and the other answers are kept") func rejected() async throws {
        let token = try await Sandbox.current.token(for: Recipient("anna"))
        try await add([
            (Self.key + ": ", "SS.PUBK.sandbox\n"), (Self.user + ": ", "bob\n"), ("The tenant [default]: ", "\n"),
            ("Your token (not shown; empty for none): ", "no.jwt\n"),
            ("That is not a token: it has three parts separated by dots and begins with \"eyJ\".", ""),
            ("Paste it again (not shown): ", "two words\n"), ("That is not a token: ", ""),
            ("Paste it again (not shown): ", "\(token)\n"), ("Asking SuprSend …", ""),
            ("The token is for \"anna\", but \"distinct_id\" is \"bob\".", ""),
            (Self.user + " [bob]: ", "anna\n"), ("Your token (not shown; empty to keep it): ", "\n"),
        ]) { dialogue, text in
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(dialogue.shown.contains("Added the account \"work\"") && !dialogue.shown.contains(token))
            #expect(text.contains("public_key = \"SS.PUBK.sandbox\"\ndistinct_id = \"anna\"\n"), "\(text)")
        }
    }

    @Test("A service that does not answer can be asked again, or the account saved without it") func unanswered()
        async throws
    {
        await Sandbox.current.inject(.status(503, type: "DOWN", path: "/", times: 1_000))
        let answers = [
            (Self.key + ": ", "SS.PUBK.sandbox\n"), (Self.user + ": ", "anna\n"), ("The tenant [default]: ", "\n"),
            ("Your token (not shown; empty for none): ", "\n"),
        ]
        let question = "[r]etry, [s]ave without check, [q]uit: "
        try await add(answers + [(question, "\n"), (question, "r\n"), (question, "q\n")]) { dialogue, text in
            #expect(dialogue.status == 69 && text.isEmpty, "\(dialogue.shown)")
            #expect(dialogue.shown.hasSuffix("feedbell: Nothing was added.\r\n"), "\(dialogue.shown)")
        }
        try await add(answers + [(question, "s\n")]) { dialogue, text in
            #expect(dialogue.status == 0 && text.contains("distinct_id = \"anna\"\n"), "\(dialogue.shown)")
        }
    }

    @Test("Control-C while the service is asked adds nothing") func interrupted() async throws {
        await Sandbox.current.inject(RequestFault(.hold, times: 1_000))
        let answers = [
            (Self.key + ": ", "SS.PUBK.sandbox\n"), (Self.user + ": ", "anna\n"), ("The tenant [default]: ", "\n"),
            ("Your token (not shown; empty for none): ", "\n"), ("Asking SuprSend …", "\u{3}"),
        ]
        try await add(answers) { dialogue, text in
            #expect(dialogue.status == 130 && text.isEmpty && dialogue.isEchoing, "\(dialogue.shown)")
            #expect(dialogue.shown.hasSuffix("feedbell: Interrupted. Nothing was changed.\r\n"), "\(dialogue.shown)")
        }
    }
}
