import Agent
import ArgumentParser
import DBus
import Desktop
import Glibc
import ServiceKit
import VisibleText

extension SecretService {
    /// The Secret Service of this session; nil: there is no session bus.
    static func session() async -> SecretService? {
        guard let bus = try? await Bus.connect(to: .session, loop: AgentMain.loop) else { return nil }
        return SecretService(bus: bus)
    }
}

/// Writes the problem to standard error, and returns the error that ends the program.
func problem(_ sentence: String, code: Int32) -> ExitCode {
    StandardStream.error.write(VisibleText.line(sentence) + "\n")
    return ExitCode(code)
}

enum StandardInput {
    /// Reads a token. Exits with 65 if there is no valid one.
    static func token() throws -> String { try token { _ in nil } }

    /// Reads a token. Exits with 65 if there is no valid one.
    ///
    /// - Parameter sentence: The sentence about a text that is none; nil: the usual one.
    static func token(orElse sentence: (String) -> String?) throws -> String {
        let text = text(atMost: 64 << 10)
        guard let text, case .token(let token) = TokenText(text) else {
            let usual = "Standard input has no valid token. A token is one line without spaces."
            throw problem(sentence(text ?? "") ?? usual, code: 65)
        }
        return token
    }

    /// Reads a text to its end. nil: it is longer than `limit` bytes.
    static func text(from descriptor: CInt = STDIN_FILENO, atMost limit: Int) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes.count <= limit ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
