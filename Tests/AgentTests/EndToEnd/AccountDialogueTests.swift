import Foundation
import Subprocess
import TestSupport
import Testing

/// The dialogue of `feedbell accounts add` on a terminal.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct AccountDialogueTests {
    @Test("The dialogue checks each answer at once and repeats the question") func wrongAnswers() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"d\"\n"
        try await TemporaryFile.with(before) { file in
            let dialogue = try await Terminal.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                [
                    ("Name of the account, of your choice [work]: ", "\n"),
                    ("already has an account \"work\". Choose another name.", ""),
                    ("Name of the account, of your choice [work]: ", "home\n"),
                    ("Public key of the workspace (SS.PUBK.…): ", "my work!\n"),
                    ("The public key contains a blank or an invalid character.", ""),
                    ("Public key of the workspace (SS.PUBK.…): ", "SS.PUBK.x\n"),
                    ("Your user id there (distinct id): ", "anna\n"), ("Tenant [default]: ", "\n"),
                    ("Your token (not shown; empty for none): ", "two words\n"),
                    ("This token is invalid. It is one line without spaces.", ""),
                    ("Your token (not shown; empty for none): ", "right\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("two words"))
            #expect(try Files.text(file.directory + "/tokens/home") == "right\n")
            #expect(try Files.text(file.path).hasPrefix(before + "\n[accounts.home]\n"))
        }
    }

    @Test("The dialogue asks for what the chosen service needs") func otherService() async throws {
        try await TemporaryFile.with("") { file in
            let dialogue = try await Terminal.run(
                [
                    "feedbell", "accounts", "add", "home", "--provider", "magicbell", "--no-verify", "--config",
                    file.path,
                ],
                [
                    ("Do you have a user token instead of an API key? (yes or no) [no]: ", "maybe\n"),
                    ("Answer yes or no.", "\n"),
                    ("API key of the project: ", "pk_1\n"),
                    (
                        "Your e-mail address there (--external-id instead, if you have one): ",
                        "anna@example.com\n"
                    ),
                    ("Your HMAC (not shown; empty for none): ", "hmac=\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(
                try Files.text(file.path) == """
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
            let dialogue = try await Terminal.run(
                [
                    "feedbell", "accounts", "add", "home", "--provider", "magicbell", "--no-verify", "--config",
                    file.path,
                ],
                [
                    ("Do you have a user token instead of an API key? (yes or no) [no]: ", "Yes\n"),
                    ("Your user token (not shown): ", "\n"), ("A value is required.", ""),
                    ("Your user token (not shown): ", "two words\n"),
                    ("This user token is invalid. It is one line without spaces.", ""),
                    ("Your user token (not shown): ", "user.token\n"),
                ]
            )
            #expect(dialogue.status == 0, "\(dialogue.shown)")
            #expect(!dialogue.shown.contains("API key of the project") && !dialogue.shown.contains("user.token"))
            #expect(
                try Files.text(file.path) == """
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
            let broken = try await Terminal.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                []
            )
            #expect(broken.status == 78 && broken.shown.contains("This is not valid TOML"))
            #expect(!broken.shown.contains("Name of the account"))
        }
        try await TemporaryFile.with("") { file in
            let given = ["feedbell", "accounts", "add", "--token-file", "/nonexistent", "--config", file.path]
            let options = try await Terminal.run(given, [])
            #expect(options.status == 64 && options.shown.contains("\"/nonexistent\" (token_file) cannot be read;"))
            #expect(!options.shown.contains("Name of the account"))
            #expect(try Files.text(file.path).isEmpty)
        }
    }

    @Test("The dialogue asks for each value and hides the token") func dialogue() async throws {
        let token = String(repeating: "long.", count: 1000) + "token"
        try await TemporaryFile.with("") { file in
            let dialogue = try await Terminal.run(
                ["feedbell", "accounts", "add", "--no-verify", "--config", file.path],
                [
                    ("Name of the account, of your choice [work]: ", "\n"),
                    ("Public key of the workspace (SS.PUBK.…): ", "\n"),
                    ("A value is required.", "SS.PUBK.x\n"),
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
            #expect(try Files.text(file.directory + "/tokens/work") == token + "\n")
            let expected = """
                [accounts.work]
                provider = "suprsend"
                public_key = "SS.PUBK.x"
                distinct_id = "änna"
                tenant_id = "acme"

                """
            #expect(try Files.text(file.path).hasPrefix(expected))
        }
    }

    @Test("A cancelled dialogue changes nothing") func cancelledDialogue() async throws {
        try await TemporaryFile.with("") { file in
            let given =
                ["feedbell", "accounts", "add", "work", "--no-verify", "--config", file.path, "--tenant-id", "t"]
                + AccountsCommand.required
            let dialogue = try await Terminal.run(given, [("Your token", "half\u{3}")])
            #expect(dialogue.status == 64)
            #expect(dialogue.shown.contains("feedbell: Nothing was added."))
            #expect(dialogue.isEchoing && !dialogue.shown.contains("half"))
            #expect(try Files.text(file.path).isEmpty)

            let none = try await Terminal.run(given, [("Your token", "\n")])
            #expect(none.status == 0)
            #expect(try !Files.text(file.path).contains("token"))
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
