import Testing

@testable import AgentInterface

/// Running a program, with the shell in the place of `feedbell-agent`.
@Suite(.timeLimit(.minutes(5))) struct AgentProgramTests {
    private func shell(_ script: String, input: String = "") async throws -> AgentProgram.Outcome {
        try await AgentProgram(path: "/bin/sh").run(["-c", script, "sh", "a b", "$HOME"], input: input)
    }

    @Test("The program receives arguments and input, and its status and both outputs are returned")
    func argumentsInputAndOutputs() async throws {
        let script = "printf '%s|%s|' \"$1\" \"$2\"; cat; echo problem >&2; exit 3"
        let outcome = try await shell(script, input: "a secret\n")
        #expect(outcome == .init(status: 3, output: "a b|$HOME|a secret\n", errors: "problem\n"))
    }

    @Test("Input and output that exceed the buffer of a pipe are transferred completely") func longInputAndOutput()
        async throws
    {
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        #expect(try await shell("cat", input: text) == .init(status: 0, output: text, errors: ""))
    }

    @Test("Input that the program does not read is discarded") func unreadInput() async throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(try await shell("exec <&-; echo done", input: text).output == "done\n")
    }

    @Test("A program that a signal ends has the status of a shell, and does not inherit an ignored SIGPIPE")
    func signals() async throws {
        #expect(try await shell("kill -KILL $$").status == 128 + 9)
        #expect(try await shell("kill -PIPE $$").status == 128 + 13)
    }

    @Test("A program that writes more than the limit is killed") func outputLimit() async throws {
        let error = await #expect(throws: AgentProgram.Failure.self) { try await shell("exec yes") }
        #expect(error?.description == "/bin/sh wrote more than 1048576 bytes.")
    }

    @Test("A program that does not exist is an error") func missingProgram() async throws {
        let error = await #expect(throws: AgentProgram.Failure.self) {
            try await AgentProgram(path: "/nonexistent/agent").run([])
        }
        #expect(error?.description == "Cannot start /nonexistent/agent: No such file or directory.")
    }
}
