import Testing

@testable import feedbell

/// How the command runs another program, with the shell in the place of the agent's.
@Suite(.timeLimit(.minutes(1))) struct AgentProgramTests {
    private func shell(_ script: String, input: String = "") async throws -> AgentProgram.Outcome {
        try await AgentProgram(path: "/bin/sh").run(["-c", script, "sh", "a b", "$HOME"], input: input)
    }

    @Test func argumentsInputAndOutputs() async throws {
        let script = "printf '%s|%s|' \"$1\" \"$2\"; cat; echo trouble >&2; exit 3"
        let outcome = try await shell(script, input: "a secret\n")
        #expect(outcome == .init(status: 3, output: "a b|$HOME|a secret\n", errors: "trouble\n"))
    }

    /// Both ways at once, each more than a pipe holds.
    @Test func muchInputAndOutput() async throws {
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        #expect(try await shell("cat", input: text) == .init(status: 0, output: text, errors: ""))
    }

    @Test("Input that the program does not read is discarded") func unreadInput() async throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(try await shell("exec <&-; echo done", input: text).output == "done\n")
    }

    @Test func signals() async throws {
        #expect(try await shell("kill -KILL $$").status == 128 + 9)
        // The program is not born with the signal ignored that its parent ignores.
        #expect(try await shell("kill -PIPE $$").status == 128 + 13)
    }

    @Test func moreThanIsWanted() async throws {
        let error = await #expect(throws: AgentProgram.Failure.self) { try await shell("exec yes") }
        #expect(error?.description == "/bin/sh wrote more than 1048576 bytes.")
    }

    @Test func noSuchProgram() async throws {
        let error = await #expect(throws: AgentProgram.Failure.self) {
            try await AgentProgram(path: "/nonexistent/agent").run([])
        }
        #expect(error?.description == "Cannot start /nonexistent/agent: No such file or directory.")
    }
}
