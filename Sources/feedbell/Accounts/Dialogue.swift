import ArgumentParser
import Glibc

/// Asks the person at the terminal. Questions go to standard error, so that standard output is for results.
struct Dialogue {
    /// Whether there is somebody to ask.
    let isPossible = isatty(STDIN_FILENO) == 1

    /// Asks until there is an answer.
    ///
    /// - Parameters:
    ///   - option: How the answer is given without a terminal.
    ///   - usual: What no answer means.
    func ask(_ question: String, for option: String, usual: String? = nil) throws -> String {
        try requireTerminal(option)
        while true {
            StandardError.write("\(question)\(usual.map { " [\($0)]" } ?? ""): ")
            guard let line = readLine() else { throw Self.abandoned }
            let answer = line.trimmed
            if let answer = answer.isEmpty ? usual : answer { return answer }
            StandardError.write("This is needed.\n")
        }
    }

    /// Asks at the terminal for something that it does not show; nil: nothing was answered.
    ///
    /// Byte by byte, since a terminal's own lines end at 4,095 bytes, and tokens can be longer.
    func askSecret(_ question: String) throws -> String? {
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
            StandardError.write("\n")
        }
        StandardError.write("\(question): ")
        var bytes: [UInt8] = []
        while bytes.count < 64 << 10 {
            var byte: UInt8 = 0
            guard read(STDIN_FILENO, &byte, 1) == 1 else { throw Self.abandoned }
            switch byte {
            case 0x0A, 0x0D:
                let answer = String(decoding: bytes, as: UTF8.self).trimmed
                return answer.isEmpty ? nil : answer
            // Control-C and, without an answer, control-D.
            case 0x03: throw Self.abandoned
            case 0x04 where bytes.isEmpty: throw Self.abandoned
            // Backspace, and control-U for the whole line.
            case 0x08, 0x7F: _ = bytes.popLast()
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
        throw Failure("This is no token: it has more than 64 KB.", .usage)
    }

    /// All of standard input.
    func input() throws -> String {
        var text = ""
        while text.utf8.count <= 64 << 10, let line = readLine(strippingNewline: false) { text += line }
        return text
    }

    /// - Parameter option: How the answer is given without a terminal.
    func requireTerminal(_ option: String) throws {
        guard isPossible else { throw Failure("There is no terminal to ask at. Give \(option).", .usage) }
    }

    private static var abandoned: Failure { Failure("Nothing was added.", .usage) }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
