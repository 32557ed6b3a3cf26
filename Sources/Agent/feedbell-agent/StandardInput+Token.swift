import Agent
import ArgumentParser
import DBus
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

extension StandardInput {
    /// Reads a token. Exits with 65 if there is no valid one.
    static func token() throws -> String { try token { _ in nil } }

    /// Reads a token. Exits with 65 if there is no valid one.
    ///
    /// - Parameter sentence: The sentence about a text that is none; nil: the default one.
    static func token(orElse sentence: (String) -> String?) throws -> String {
        let text = text(atMost: 64 << 10)
        guard let text, case .token(let token) = TokenText(text) else {
            let usual = "Standard input has no valid token. A token is one line without spaces."
            throw problem(sentence(text ?? "") ?? usual, code: 65)
        }
        return token
    }
}
