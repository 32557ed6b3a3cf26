import AgentTestSupport
import Glibc
import Subprocess
import TestSupport
import Testing

/// Manners of the command that need no service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct CommandBasicsTests {
    @Test("Output to a full device does not end with 0", arguments: ["status", "accounts", "status --json"])
    func fullDevice(command: String) async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { _ in
                try file.write(AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:1"))
                #expect(try await Programs.run("feedbell", ["reload"]).status == .exited(0))
                let outcome = try await Programs.run("sh", ["-c", "exec feedbell \(command) >/dev/full"])
                #expect(outcome.status == .exited(74))
                #expect(outcome.errors == "feedbell: Cannot write to standard output: No space left on device.\n")
            }
        }
    }

    @Test(
        "Help and completions to a full device do not end with 0",
        arguments: [
            "--help", "help list", "--version", "--generate-completion-script zsh",
            "---completion preferences set -- positional@1 2 0 feedbell preferences set",
        ]
    )
    func helpToAFullDevice(arguments: String) async throws {
        let written = try await Programs.run("sh", ["-c", "exec feedbell \(arguments)"])
        #expect(written.status == .exited(0) && !written.output.isEmpty)
        let outcome = try await Programs.run("sh", ["-c", "exec feedbell \(arguments) >/dev/full"])
        #expect(outcome.status == .exited(74))
        #expect(outcome.errors == "feedbell: Cannot write to standard output: No space left on device.\n")
    }

    @Test(
        "A reader that has read enough, such as head(1), ends the command without a word",
        arguments: ["settings", "settings --json", "accounts", "status", "status --json", "doctor", "--help"]
    )
    func closedPipe(command: String) async throws {
        // Its end for reading is closed before the command starts, and SIGPIPE is ignored as by some parents.
        let script = """
            import os, signal, sys
            output, input = os.pipe()
            os.close(output)
            os.dup2(input, 1)
            signal.signal(signal.SIGPIPE, getattr(signal, sys.argv[1]))
            os.execvp(sys.argv[2], sys.argv[2:])
            """
        try await TemporaryFile.with(AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:1")) {
            file in
            try await BuiltAgent.alone(file) { _ in
                for action in ["SIG_DFL", "SIG_IGN"] {
                    let words = ["-c", script, action, "feedbell"] + command.split(separator: " ").map(String.init)
                    let outcome = try await Programs.run("python3", words)
                    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
                    #expect(outcome.status == .signaled(SIGPIPE))
                }
            }
        }
    }

    @Test("Help for an unknown command is an error that names the commands")
    func unknownHelp() async throws {
        for arguments in [["help", "foo"], ["help", "accounts", "foo"]] {
            let outcome = try await Programs.run("feedbell", arguments)
            #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("feedbell: There is no command \"foo\". There are: "))
        }
        for arguments in [["help"], ["help", "list"], ["help", "accounts", "add"]] {
            #expect(try await Programs.run("feedbell", arguments).status == .exited(0))
        }
    }

    @Test("An unknown command is an error that names the nearest one")
    func unknownCommand() async throws {
        let cases = [
            (["lits"], "There is no command \"lits\". Did you mean \"list\"?"),
            (["accounts", "ad", "work"], "There is no command \"ad\". Did you mean \"add\"?"),
            (["help", "statsu"], "There is no command \"statsu\". Did you mean \"status\"?"),
            (["badge", "zzz"], "There is no command \"zzz\". There are: reset."),
        ]
        for (arguments, sentence) in cases {
            let outcome = try await Programs.run("feedbell", arguments)
            #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
            #expect(outcome.errors == "feedbell: \(sentence)\n")
        }
        for arguments in [["--version"], ["list", "--help"], ["accounts", "--help"], ["help", "tabs"]] {
            #expect(try await Programs.run("feedbell", arguments).status == .exited(0), "\(arguments)")
        }
    }

    @Test("Words for what has another name here are answered with the right command")
    func otherWords() async throws {
        let cases = [
            ("silence", "feedbell pause"), ("quit", "feedbell stop"),
            ("logout", "feedbell accounts sign-out NAME"),
            ("search", "feedbell list --search WORDS"),
            ("config", "~/.config/feedbell/config.toml"), ("login", "feedbell accounts add"),
        ]
        for (word, advice) in cases {
            let outcome = try await Programs.run("feedbell", [word, "anything"])
            #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("feedbell: There is no command \"\(word)\". "), "\(outcome.errors)")
            #expect(outcome.errors.contains(advice), "\(outcome.errors)")
        }
    }

    @Test("follow accepts --json, and not beside another format") func followJSON() async throws {
        // Without an agent it waits for one; the closed pipe ends it.
        let outcome = try await Programs.run("sh", ["-c", "feedbell follow --json | head -n 1"])
        #expect(outcome.status == .exited(0) && outcome.errors.isEmpty)
        #expect(outcome.output == "{\"event\":\"agent\",\"running\":false}\n")
        let both = try await Programs.run("feedbell", ["follow", "--json", "--waybar"])
        #expect(both.status == .exited(64) && both.errors.contains("exclude each other: --json, --waybar."))
    }

    @Test("Options that take a file complete files") func files() async throws {
        let script = try await Programs.output("feedbell", ["--generate-completion-script", "zsh"])
        for option in ["--config", "--token-file"] {
            let lines = script.split(separator: "\n").filter { $0.contains("'\(option)[") }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("_files") }, "\(option): \(lines)")
        }
    }

    @Test("accounts and status have the order of the object manager's list") func order() async throws {
        let text = ["zebra", "ant"].map { AgentConfiguration.account($0, user: $0, url: "http://127.0.0.1:1") }
        try await TemporaryFile.with(text.joined()) { file in
            try await BuiltAgent.alone(file) { _ in
                let accounts = try await Programs.output("feedbell", ["accounts"])
                let status = try await Programs.output("feedbell", ["status"])
                let names = accounts.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
                #expect(names == ["zebra", "ant"])
                let zebra = try #require(status.firstRange(of: "zebra ("))
                let ant = try #require(status.firstRange(of: "ant ("))
                #expect(zebra.lowerBound < ant.lowerBound)
            }
        }
    }
}
