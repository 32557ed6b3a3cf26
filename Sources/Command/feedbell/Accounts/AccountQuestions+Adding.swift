import AgentInterface
import ArgumentParser
import VisibleText

/// The end of the dialogue, which keeps the answers whatever fails.
extension AccountQuestions {
    /// Adds the account, and returns sentences about it; empty: there was nothing to change. After a failure it asks on
    /// a terminal for what may be wrong, and keeps the other answers.
    mutating func add() async throws -> String {
        while true {
            let words = dialogue.isPossible ? ["--dialogue"] : []
            if dialogue.isPossible, isVerified {
                dialogue.say(translated("Asking {service} …", ["service": account.service?.title ?? ""]))
            }
            let result = try await program.output(arguments(of: account, words), input: account.token ?? "")
            guard let failure = result.failure else { return result.output }
            guard dialogue.isPossible else { throw failure }
            let options = result.output.split(separator: "\n").map(String.init)
            if options == ["no-secret-service"] {
                try askPlace(after: failure)
            } else if Self.isTemporary(failure) {
                try askAgain(after: failure)
            } else if options.isEmpty {
                throw failure
            } else if try await !askAgain(options, after: failure) {
                throw Failure(translatedParagraph([failure.sentence, nothingHappened]), failure.code)
            }
        }
    }

    /// Whether the user can end the failure: a service does not answer, or a file cannot be written.
    private static func isTemporary(_ failure: Failure) -> Bool {
        [.unavailable, .unwritable, .invalidConfiguration].contains(failure.code)
    }

    var nothingHappened: String {
        isChange ? translated("Nothing was changed.") : translated("Nothing was added.")
    }

    /// Asks whether to store the token in a file, because the keyring did not store it.
    private mutating func askPlace(after failure: Failure) throws {
        dialogue.say(failure.sentence)
        if try dialogue.confirm(translated("Store it in a file that only you can read?"), orEmpty: true) {
            account.others.append("--no-secret-service")
        } else if try dialogue.choose(translated("[r]etry, [q]uit"), of: 2) == 1 {
            throw Failure(nothingHappened, failure.code)
        }
    }

    /// Asks whether the same is tried again.
    private mutating func askAgain(after failure: Failure) throws {
        dialogue.say(failure.sentence)
        let isUnverified = failure.code == .unavailable && isVerified
        let choice =
            isUnverified
            ? try dialogue.choose(translated("[r]etry, [s]ave without check, [q]uit"), of: 3)
            : try dialogue.choose(translated("[r]etry, [q]uit"), of: 2)
        switch choice {
        case 0: return
        case 1 where isUnverified: isVerified = false
        default: throw Failure(nothingHappened, failure.code)
        }
    }

    /// Asks for the values of these options. Returns false if none of them can be asked for.
    private mutating func askAgain(_ names: [String], after failure: Failure) async throws -> Bool {
        let options = askedOptions.filter { names.contains($0.name) }
        let hasToken = names.contains("token") && !account.hasTokenSource
        guard !options.isEmpty || hasToken else { return false }
        dialogue.say(failure.sentence)
        if !options.isEmpty { try await ask(options) }
        if hasToken { try await askToken(isNeeded: account.hasTokenAlone && !isChange) }
        return true
    }
}
