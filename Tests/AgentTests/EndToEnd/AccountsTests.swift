import AgentInterface
import DBus
import FakeSecretService
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell accounts` and `feedbell accounts add`, as processes.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct AccountsTests {
    private let required = ["--public-key", "SS.PUBK.sandbox", "--distinct-id", "anna"]

    private func add(_ arguments: [String], input: String = "") async throws -> Programs.Outcome {
        try await Programs.run("feedbell", ["accounts", "add"] + arguments, input: input)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    // MARK: From the options to the connection

    @Test("The agent connects an added account") func addAccount() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: true)) { sandbox in
            let token = try await sandbox.token(for: Recipient("anna"))
            let url = sandbox.baseURL
            try await GNOMEKeyring.running { _ in
                try await TemporaryFile.with("# mine\n[popups]\ngroup_above = 2 # few\n") { file in
                    try await RunningProgram.with("feedbell-agent", ["--config", file.path]) { agent in
                        _ = try await agent.wait(for: "ready")
                        let none = try await Programs.run("feedbell", ["accounts", "--json"])
                        #expect(none.output == "[]\n")
                        let hosts = ["--hub-url", url, "--api-url", url, "--socket-url", url]
                        let outcome = try await add(
                            ["work", "--token-stdin", "--config", file.path] + required + hosts,
                            input: token + "\n"
                        )
                        #expect(outcome.status == .exited(0), "\(outcome.errors)")
                        #expect(
                            outcome.output == """
                                Added the account "work" to \(file.path).
                                Stored its token in the Secret Service as "Feedbell: work".
                                The agent connects it now. Check with: feedbell status

                                """
                        )
                        try await withBus { (bus) async throws in try await AgentProcess.state(bus, is: "online") }
                        let text = try text(file.path)
                        #expect(text.hasPrefix("# mine\n[popups]\ngroup_above = 2 # few\n\n[accounts.work]\n"))
                        #expect(text.contains("\ntoken_secret = true\n") && !text.contains(token))

                        let list = try await Programs.run("feedbell", ["accounts"])
                        #expect(list.output == "work\tsuprsend\tanna\tonline\n")
                        let json = try await Programs.run("feedbell", ["accounts", "list", "--json"])
                        let row = "{\"name\":\"work\",\"provider\":\"suprsend\",\"state\":\"online\",\"user\":\"anna\"}"
                        #expect(json.output == "[\(row)]\n")
                        #expect(!agent.log.contains { $0.contains(token) })
                    }
                }
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }

    @Test func withoutAnAgent() async throws {
        let outcome = try await Programs.run("feedbell", ["accounts"])
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.contains("No Feedbell agent is running in this session."))
    }

    // MARK: Files

    /// Nothing is there yet, neither a directory nor a Secret Service.
    @Test func aFirstAccount() async throws {
        try await TemporaryFile.with("") { home in
            let path = home.directory + "/new/feedbell/config.toml"
            let outcome = try await add(["a/b", "--token-stdin", "--config", path] + required, input: "secret.token")
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let token = home.directory + "/new/feedbell/tokens/a%2Fb"
            #expect(
                outcome.output == """
                    Added the account "a/b" to \(path).
                    There is no Secret Service in this session (GNOME Keyring, KWallet or KeePassXC). Stored its token \
                    in \(token), readable only by you.
                    No agent is running. To start one with this configuration: feedbell-agent --config FILE

                    """
            )
            #expect(try text(token) == "secret.token\n")
            #expect(try mode(path) == 0o600)
            #expect(try mode(token) == 0o600)
            for directory in ["/new", "/new/feedbell", "/new/feedbell/tokens"] {
                #expect(try mode(home.directory + directory) == 0o700)
            }
            #expect(try text(path).hasPrefix("[accounts.\"a/b\"]\n"))
            #expect(try text(path).contains("token_file = \"\(token)\"\n"))
            #expect(try names(home.directory + "/new/feedbell") == ["config.toml", "tokens"])
            #expect(try names(home.directory + "/new/feedbell/tokens") == ["a%2Fb"])
        }
    }

    /// In the usual place, with a keyring that is not wanted.
    @Test func aTokenInAFileByChoice() async throws {
        try await TemporaryFile.with("") { home in
            try await withBus { bus in
                let fake = FakeSecretService(bus: bus)
                try await fake.appear()
                let outcome = try await Programs.run(
                    "feedbell",
                    ["accounts", "add", "work", "--token-stdin", "--no-secret-service"] + required,
                    environment: ["XDG_CONFIG_HOME": home.directory],
                    input: "secret.token\n"
                )
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                let start =
                    "No agent is running. Start it with: systemctl --user start feedbell\n"
                #expect(outcome.output.hasSuffix(start))
                #expect(try text(home.directory + "/feedbell/tokens/work") == "secret.token\n")
                #expect(try text(home.directory + "/feedbell/config.toml").contains("/feedbell/tokens/work\"\n"))
                #expect(await fake.items.isEmpty)
            }
        }
    }

    @Test("A link stays, and what it leads to is its owner's alone from then on (11.19)") func aLinkStays() async throws
    {
        try await TemporaryFile.with("# kept\n") { file in
            let manager = FileManager.default
            try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            let (link, chain) = (file.directory + "/link.toml", file.directory + "/chain.toml")
            try manager.createSymbolicLink(atPath: link, withDestinationPath: "config.toml")
            try manager.createSymbolicLink(atPath: chain, withDestinationPath: link)
            let outcome = try await add(["work", "--no-token", "--config", chain] + required)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output.hasPrefix("Added the account \"work\" to \(file.path).\n"))
            #expect(try manager.destinationOfSymbolicLink(atPath: link) == "config.toml")
            #expect(try manager.destinationOfSymbolicLink(atPath: chain) == link)
            #expect(try mode(file.path) == 0o600)
            #expect(try text(file.path).hasPrefix("# kept\n\n[accounts.work]\n"))
            #expect(!(try text(file.path).contains("token")))
        }
    }

    @Test func sourcesOfTokens() async throws {
        try await TemporaryFile.with("") { file in
            let config = ["--config", file.path] + required
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
                ["-c", "cd \"$0\" && exec feedbell accounts add one --token-file token \"$@\"", file.directory] + config
            )
            #expect(one.status == .exited(0), "\(one.errors)")
            _ = try await add(["two"] + config + ["--token-command", "pass", "--clip", "a \"b\" \\ $c"])
            let text = try text(file.path)
            #expect(text.contains("token_file = \"\(token)\"\n"))
            #expect(text.contains("token_command = [\"pass\", \"--clip\", \"a \\\"b\\\" \\\\ $c\"]\n"))
        }
    }

    /// At the same time, and none is lost.
    @Test func manyAtOnce() async throws {
        try await TemporaryFile.with("") { file in
            try await withThrowingTaskGroup { group in
                for number in 1...6 {
                    group.addTask {
                        try await add(["n\(number)", "--no-token", "--config", file.path] + required).status
                    }
                }
                for try await status in group { #expect(status == .exited(0)) }
            }
            #expect(try text(file.path).split(separator: "\n").count { $0.hasPrefix("[accounts.n") } == 6)
        }
    }

    // MARK: Mistakes

    /// What is refused changes nothing, in no file.
    @Test("Invalid arguments are rejected and change no file") func invalidArguments() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
        try await TemporaryFile.with(before) { file in
            let config = ["--config", file.path]
            let given = ["--public-key", "k", "--distinct-id", "d"]
            let cases: [(arguments: [String], code: Int32, sentence: String)] = [
                (["work", "--no-token"] + given, 64, "already has an account \"work\". Choose another name."),
                ([String(repeating: "x", count: 65), "--no-token"] + given, 64, "must have 1 to 64 bytes"),
                (
                    ["new", "--no-token", "--api-url", "http://a.example"] + given, 64,
                    "plain http is allowed for this computer only"
                ),
                (["new", "--no-token", "--token-stdin"] + given, 64, "exclude each other: --no-token, --token-stdin."),
                (["new", "--token-stdin"] + given, 65, "Standard input has no valid token."),
                (["--no-token"] + given, 64, "Cannot prompt without a terminal. Pass NAME."),
                (["new", "--no-token", "--distinct-id", "d"], 64, "Pass --public-key."),
                (["new", "--no-token", "--public-key", "k"], 64, "Pass --distinct-id."),
                (["new"] + given, 64, "Pass one of --token-stdin, --token-command, --token-file, --no-token."),
            ]
            for (arguments, code, sentence) in cases {
                let outcome = try await add(arguments + config)
                #expect(outcome.status == .exited(code), "\(arguments)")
                #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            #expect(try text(file.path) == before)
            #expect(try names(file.directory) == ["config.toml"])
        }
    }

    @Test("An invalid configuration is not changed") func invalidConfiguration() async throws {
        try await TemporaryFile.with("[popups\n") { file in
            let outcome = try await add(["work", "--token-stdin", "--config", file.path] + required, input: "t")
            #expect(outcome.status == .exited(78))
            #expect(outcome.errors.contains("\(file.path):1: This is not valid TOML"))
            #expect(try text(file.path) == "[popups\n")
            #expect(try names(file.directory) == ["config.toml"])
        }
    }

    @Test func aPromptThatIsDismissed() async throws {
        try await TemporaryFile.with("") { file in
            try await withBus { bus in
                let fake = FakeSecretService(bus: bus, answer: .dismiss, isCollectionLocked: true)
                try await fake.appear()
                let outcome = try await add(["work", "--token-stdin", "--config", file.path] + required, input: "t")
                #expect(outcome.status == .exited(77))
                #expect(outcome.errors.contains("To store the token in a file, use --no-secret-service."))
                #expect(try text(file.path).isEmpty)
                #expect(try names(file.directory) == ["config.toml"])
            }
        }
    }

    @Test("An unwritable directory is reported") func unwritableDirectory() async throws {
        let outcome = try await add(["work", "--no-token", "--config", "/proc/feedbell/config.toml"] + required)
        #expect(outcome.status == .exited(73))
        #expect(outcome.errors.contains("Cannot create the directory /proc/feedbell."))
    }

    @Test("An unknown service is an error that names the known ones (12.23)") func anUnknownService() async throws {
        try await TemporaryFile.with("") { file in
            for program in [
                ["feedbell", "accounts", "add", "work"], ["feedbell-agent", "add-account", "--name=work"],
            ] {
                let arguments = program.dropFirst() + ["--provider", "other", "--config", file.path] + required
                let outcome = try await Programs.run(program[0], Array(arguments))
                #expect(outcome.status == .exited(64))
                #expect(outcome.errors.contains("'other' is invalid for '--provider <provider>'."))
                #expect(outcome.errors.contains("Please provide one of 'suprsend'."))
            }
            let known = try await add(
                ["work", "--provider", "suprsend", "--no-token", "--config", file.path] + required
            )
            #expect(known.status == .exited(0), "\(known.errors)")
        }
    }

    @Test("The command adds an account to a configuration with quiet hours (12.23)") func quietHours() async throws {
        let quiet = "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\n"
        try await TemporaryFile.with(quiet) { file in
            let outcome = try await add(["work", "--no-token", "--config", file.path] + required)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(try text(file.path).hasPrefix(quiet + "\n[accounts.work]\n"))
        }
    }

    @Test(
        "A public key that the service's client refuses is not added (12.23c)",
        arguments: ["my work!", "schlüssel", ""]
    )
    func aKeyThatIsNone(key: String) async throws {
        try await TemporaryFile.with("") { file in
            let given = ["--public-key", key, "--distinct-id", "anna"]
            let outcome = try await add(["work", "--no-token", "--config", file.path] + given)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains(key.isEmpty ? "public_key\" is empty" : "The public key contains a blank"))
            #expect(try text(file.path).isEmpty)
        }
    }

    @Test("A token's file that is missing, empty or readable by others is not added (12.23c)")
    func aTokenFileThatIsNone() async throws {
        try await TemporaryFile.with("") { (file) async throws in
            let path = file.directory + "/token"
            func refusal(_ text: String?, mode: Int = 0o600) async throws -> String {
                if let text {
                    let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
                    #expect(
                        FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes)
                    )
                }
                let outcome = try await add(["work", "--token-file", path, "--config", file.path] + required)
                #expect(outcome.status == .exited(64))
                return outcome.errors
            }
            #expect(try await refusal(nil).contains("\"\(path)\" (token_file) cannot be read; check that it exists"))
            #expect(try await refusal("secret-text\n", mode: 0o644).contains("Other users can read or change it"))
            #expect(try await refusal("\n").contains("contains no valid token"))
            #expect(try await !refusal("two secret-words\n").contains("secret-words"))
            #expect(try text(file.path).isEmpty)
        }
    }

    @Test("An account added to a configuration of another agent is not reported as connected (12.23c)")
    func anotherConfiguration() async throws {
        func last(_ outcome: Programs.Outcome) -> String {
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            return outcome.output.split(separator: "\n").last.map(String.init) ?? ""
        }
        try await TemporaryFile.with("") { own in
            try await TemporaryFile.with("") { other in
                try await RunningProgram.with("feedbell-agent", ["--config", own.path]) { agent in
                    _ = try await agent.wait(for: "ready")
                    let elsewhere = try await add(["work", "--no-token", "--config", other.path] + required)
                    #expect(
                        last(elsewhere) == "The running agent uses another configuration and does not connect it. "
                            + "To use this one: feedbell-agent --config FILE --replace"
                    )
                    let hosts = ["--hub-url", "--api-url", "--socket-url"].flatMap { [$0, "http://127.0.0.1:1"] }
                    let here = try await add(["home", "--no-token", "--config", own.path] + required + hosts)
                    #expect(last(here) == "The agent connects it now. Check with: feedbell status")
                    let same = try await add(["home", "--no-token", "--config", other.path] + required + hosts)
                    #expect(last(same).hasPrefix("The running agent already had an account with this name"))
                    try own.write("[popups\n")
                    let broken = try await add(["third", "--no-token", "--config", other.path] + required)
                    #expect(last(broken).hasPrefix("The running agent does not connect it yet. "))
                    #expect(last(broken).contains("This is not valid TOML"))
                }
            }
        }
    }

    // MARK: The dialogue

    @Test("Each answer is judged when it is given, and asked for again (12.23c)") func wrongAnswers() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
        try await TemporaryFile.with(before) { file in
            let dialogue = try await Terminal.run(
                ["feedbell", "accounts", "add", "--config", file.path],
                [
                    ("Name of the account, of your choice [work]: ", "\n"),
                    ("already has an account \"work\". Choose another name.", ""),
                    ("Name of the account, of your choice [work]: ", "home\n"),
                    ("Public key of the workspace (SS.PUBK.…): ", "my work!\n"),
                    ("The public key contains a blank or an invalid character.", ""),
                    ("Public key of the workspace (SS.PUBK.…): ", "SS.PUBK.x\n"),
                    ("Your user id there (distinct id): ", "anna\n"), ("Tenant [default]: ", "\n"),
                    ("Your token (not shown; empty for none): ", "two words\n"),
                    ("This token is invalid. A token is one line without spaces.", ""),
                    ("Your token (not shown; empty for none): ", "right\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("two words"))
            #expect(try text(file.directory + "/tokens/home") == "right\n")
            #expect(try text(file.path).hasPrefix(before + "\n[accounts.home]\n"))
        }
    }

    @Test("Wrong options and a broken configuration end the dialogue before its first question (12.23c)")
    func nothingIsAskedInVain() async throws {
        try await TemporaryFile.with("[popups\n") { file in
            let broken = try await Terminal.run(["feedbell", "accounts", "add", "--config", file.path], [])
            #expect(broken.status == 78 && broken.shown.contains("This is not valid TOML"))
            #expect(!broken.shown.contains("Name of the account"))
        }
        try await TemporaryFile.with("") { file in
            let given = ["feedbell", "accounts", "add", "--token-file", "/nonexistent", "--config", file.path]
            let options = try await Terminal.run(given, [])
            #expect(options.status == 64 && options.shown.contains("\"/nonexistent\" (token_file) cannot be read;"))
            #expect(!options.shown.contains("Name of the account"))
            #expect(try text(file.path).isEmpty)
        }
    }

    @Test func theDialogue() async throws {
        let token = String(repeating: "long.", count: 1000) + "token"
        try await TemporaryFile.with("") { file in
            let dialogue = try await Terminal.run(
                ["feedbell", "accounts", "add", "--config", file.path],
                [
                    ("Name of the account, of your choice [work]: ", "\n"),
                    ("Public key of the workspace (SS.PUBK.…): ", "\n"), ("A value is required.", "SS.PUBK.x\n"),
                    ("Your user id there (distinct id): ", "  änna \n"), ("Tenant [default]: ", "acme\n"),
                    (
                        "Your token (not shown; empty for none): ",
                        "mistake\u{15}wrong\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\(token)\n"
                    ),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(dialogue.shown.contains("Added the account \"work\" to \(file.path)."))
            #expect(!dialogue.shown.contains("long.") && !dialogue.shown.contains("mistake"))
            #expect(dialogue.isEchoing)
            #expect(try text(file.directory + "/tokens/work") == token + "\n")
            let expected = """
                [accounts.work]
                provider = "suprsend"
                public_key = "SS.PUBK.x"
                distinct_id = "änna"
                tenant_id = "acme"

                """
            #expect(try text(file.path).hasPrefix(expected))
        }
    }

    @Test("A cancelled dialogue changes nothing") func cancelledDialogue() async throws {
        try await TemporaryFile.with("") { file in
            let given = ["feedbell", "accounts", "add", "work", "--config", file.path, "--tenant-id", "t"] + required
            let dialogue = try await Terminal.run(given, [("Your token", "half\u{3}")])
            #expect(dialogue.status == 64)
            #expect(dialogue.shown.contains("feedbell: Nothing was added."))
            #expect(dialogue.isEchoing && !dialogue.shown.contains("half"))
            #expect(try text(file.path).isEmpty)

            let none = try await Terminal.run(given, [("Your token", "\n")])
            #expect(none.status == 0)
            #expect(try !text(file.path).contains("token"))
        }
    }
}

/// A pseudo-terminal with scripted answers.
private enum Terminal {
    struct Outcome: Decodable {
        var status: Int
        var shown: String
        /// Whether the terminal shows what is typed, as it did before.
        var isEchoing: Bool
    }

    private static let script = """
        import json, os, pty, sys, termios
        program, steps = json.load(sys.stdin)
        child, terminal = pty.fork()
        if child == 0:
            os.execvp(program[0], program)
        shown = b""
        seen = 0
        def more():
            global shown
            try: data = os.read(terminal, 65536)
            except OSError: return False
            shown += data
            return bool(data)
        for question, answer in steps:
            question = question.encode()
            while question not in shown[seen:]:
                if not more(): break
            seen = shown.find(question, seen) + len(question) if question in shown[seen:] else len(shown)
            data = answer.encode()
            while data: data = data[os.write(terminal, data[:512]):]
        while more(): pass
        echo = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        json.dump({"status": status, "shown": shown.decode(), "isEchoing": echo}, sys.stdout)
        """

    static func run(_ program: [String], _ steps: [(question: String, answer: String)]) async throws -> Outcome {
        let input = try JSONSerialization.data(
            withJSONObject: [program, steps.map { [$0.question, $0.answer] }] as [Any]
        )
        let outcome = try await Programs.run(
            "python3",
            ["-c", script],
            input: String(decoding: input, as: UTF8.self)
        )
        try #require(outcome.status == .exited(0), "\(outcome.errors)")
        return try JSONDecoder().decode(Outcome.self, from: Data(outcome.output.utf8))
    }
}
