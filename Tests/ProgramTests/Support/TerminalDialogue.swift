import AgentTestSupport
import Foundation
import Subprocess
import Testing

/// A pseudo-terminal with scripted answers.
enum TerminalDialogue {
    struct Outcome: Decodable {
        var status: Int
        var shown: String
        /// Whether the terminal shows what is typed, as it did before.
        var isEchoing: Bool
    }

    private static let script = """
        import fcntl, json, os, pty, struct, sys, termios
        program, steps, columns = json.load(sys.stdin)
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execvp(program[0], program)
        # Otherwise Linux empties the terminal's output after the signal, also of what the program has written then.
        settings = termios.tcgetattr(terminal)
        settings[3] |= termios.NOFLSH
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
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

    /// - Parameter columns: The width of the terminal; without it, sentences need no line breaks.
    static func run(
        _ program: [String],
        _ steps: [(question: String, answer: String)],
        columns: Int = 500
    ) async throws -> Outcome {
        let input = try JSONSerialization.data(
            withJSONObject: [program, steps.map { [$0.question, $0.answer] }, columns] as [Any]
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
