import AgentInterface
import ArgumentParser
import Glibc
import VisibleText

/// Prompts at the terminal. Prompts are written to standard error, results to standard output.
struct Dialogue {
    /// Whether standard input is a terminal.
    let isPossible = isatty(STDIN_FILENO) == 1

    /// The maximum size of a token that is typed or read, in bytes.
    private static let longestToken = 64 << 10

    /// Writes a line, which a terminal breaks between words.
    func say(_ sentence: String) {
        StandardStream.error.write(Terminal.wrappedForErrors("\(sentence.printable)\n"))
    }

    /// Prompts until there is an answer.
    ///
    /// - Parameters:
    ///   - option: The option for the value, to use without a terminal.
    ///   - defaultAnswer: The value of an empty answer.
    func ask(_ question: String, for option: String, default defaultAnswer: String? = nil) throws -> String {
        try requireTerminal(option)
        while true {
            StandardStream.error.write("\(question)\(defaultAnswer.map { " [\($0.onOneLine)]" } ?? ""): ")
            let answer = try line().trimmed
            if let answer = answer.isEmpty ? defaultAnswer : answer { return answer }
            say(translated("A value is required."))
        }
    }

    /// Prompts until the answer is yes or no.
    ///
    /// - Parameter empty: What an empty answer means.
    func confirm(_ question: String, orEmpty empty: Bool = false) throws -> Bool {
        let letters = AnswerLetters(empty ? translated("[Y/n]") : translated("[y/N]"))
        while true {
            StandardStream.error.write("\(question) \(letters.text): ")
            let answer = try line().trimmed
            if answer.isEmpty { return empty }
            if letters.isYes(answer) { return true }
            if letters.isNo(answer) { return false }
            say(Self.invalidAnswer)
        }
    }

    /// Prompts until the answer is one of the choices, and returns its number, from 0. An empty answer is none.
    ///
    /// - Parameters:
    ///   - text: The choices, each with its letter in brackets.
    ///   - count: The number of choices.
    func choose(_ text: String, of count: Int) throws -> Int {
        let letters = ChoiceLetters(text, of: count)
        while true {
            StandardStream.error.write("\(letters.text): ")
            if let choice = letters.choice(try line().trimmed) { return choice }
            say(Self.invalidAnswer)
        }
    }

    private static var invalidAnswer: String { translated("Answer with one of the choices in brackets.") }

    /// Prompts for a secret without echo; nil: the answer is empty.
    ///
    /// Not in canonical mode, which limits a line to 4,095 bytes (termios(3)); tokens can be longer.
    func askSecret(_ question: String) throws -> String? {
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
            StandardStream.error.write("\n")
        }
        StandardStream.error.write("\(question): ")
        var bytes: [UInt8] = []
        while bytes.count < Self.longestToken {
            guard let byte = try byte() else { throw Self.abandoned }
            switch byte {
            case 0x0A, 0x0D:
                let answer = String(decoding: bytes, as: UTF8.self).trimmed
                return answer.isEmpty ? nil : answer
            // Control-C.
            case 0x03: throw Interruption.failure
            // Control-D without an answer.
            case 0x04 where bytes.isEmpty: throw Self.abandoned
            // Backspace; control-U erases the line.
            case 0x08, 0x7F: _ = bytes.popLast()
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
        throw Failure(translated("This token is invalid. A token has less than 64 KiB."), .usage)
    }

    /// Reads all of standard input. Of one that is too long for a token it returns a beginning, which is too long, too.
    func input() throws(Failure) -> String {
        let bytes = try StandardInput.bytes(atMost: Self.longestToken) { () throws(Failure) in
            try Interruption.check()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter option: The option for the value, to use without a terminal.
    func requireTerminal(_ option: String) throws {
        guard !isPossible else { return }
        throw Failure(translated("Cannot prompt without a terminal. Pass {option}.", ["option": option]), .usage)
    }

    // MARK: Reading

    /// The next line of the terminal, without its end.
    private func line() throws(Failure) -> String {
        var bytes: [UInt8] = []
        do {
            while let byte = try byte() {
                if byte == 0x0A { return CharacterSet.current.text(bytes) }
                bytes.append(byte)
            }
        } catch {
            // The terminal has shown "^C".
            StandardStream.error.write("\n")
            throw error
        }
        if bytes.isEmpty { throw Self.abandoned }
        return CharacterSet.current.text(bytes)
    }

    /// The next byte; nil: the end of standard input.
    private func byte() throws(Failure) -> UInt8? {
        while true {
            try Interruption.check()
            var byte: UInt8 = 0
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            return count == 1 ? byte : nil
        }
    }

    /// The dialogue before a change that `--yes` makes without one.
    ///
    /// - Throws: ``Failure`` if there is no terminal.
    static func beforeChange() throws -> Dialogue {
        let dialogue = Dialogue()
        try dialogue.requireTerminal("--yes")
        Interruption.watch()
        return dialogue
    }

    /// Asks a question, and throws ``abandoned`` unless the answer is yes.
    func require(_ question: String) throws {
        guard try confirm(question) else { throw Self.abandoned }
    }

    static var abandoned: Failure { Failure(translated("Nothing was changed."), .usage) }
}
