import ProgramKit
import Testing

/// Running a program, with the shell as the program.
@Suite(.timeLimit(.minutes(5))) struct ChildProgramTests {
    private func shell(_ script: String, input: String = "") async throws -> ChildProgram.Outcome {
        let words = ["/bin/sh", "-c", script, "sh", "a b", "$HOME"]
        return try await ChildProgram(words, input: Array(input.utf8), keepsOutput: true, keepsErrors: true).run()
    }

    @Test("The program receives arguments and input, and its status and both outputs are returned")
    func argumentsInputAndOutputs() async throws {
        let script = "printf '%s|%s|' \"$1\" \"$2\"; cat; echo problem >&2; exit 3"
        let outcome = try await shell(script, input: "a secret\n")
        #expect(outcome.status == .exited(3))
        #expect(outcome.output == Array("a b|$HOME|a secret\n".utf8) && outcome.errors == Array("problem\n".utf8))
    }

    @Test("Input and output that exceed the buffer of a pipe are transferred completely") func longInputAndOutput()
        async throws
    {
        let text = String(repeating: "0123456789abcdef", count: 40_000)
        #expect(try await shell("cat", input: text).output == Array(text.utf8))
    }

    @Test("Input that the program does not read is discarded") func unreadInput() async throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(try await shell("exec <&-; echo done", input: text).output == Array("done\n".utf8))
    }

    @Test("A program that a signal ends does not inherit an ignored SIGPIPE") func signals() async throws {
        #expect(try await shell("kill -KILL $$").status == .signaled(9))
        #expect(try await shell("kill -PIPE $$").status == .signaled(13))
    }

    @Test("A program that writes more than the limit is killed") func outputLimit() async throws {
        await #expect(throws: ChildProgram.Failure.tooMuchOutput) { try await shell("exec yes") }
    }
}
