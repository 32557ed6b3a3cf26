import AgentInterface
import ArgumentParser
import VisibleText

/// The end of the dialogue, which keeps the answers whatever fails.
extension AccountQuestions {
    /// Adds the account, and returns sentences about it; empty: there was nothing to change. After a failure it asks on
    /// a terminal for what may be wrong, and keeps the other answers.
    mutating func add() async throws -> [String] {
        while true {
            if dialogue.isPossible, isVerified {
                dialogue.say(translated("Asking {service} …", ["service": account.service?.title ?? ""]))
            }
            let request = AgentRequest.addAccount(
                account.details,
                account.newToken,
                isChange: isChange,
                isVerified: isVerified
            )
            switch try await AgentProgram.attempt(request, config: config) as Result<[String], _> {
            case .success(let sentences): return sentences
            case .failure(let failure):
                guard dialogue.isPossible else { throw Failure(failure) }
                try await resolve(failure)
            }
        }
    }

    /// Asks for what may end the failure, and throws if nothing does.
    private mutating func resolve(_ failure: AgentRequest.Failure) async throws {
        let said = Failure(failure, failure.reason)
        if failure.options == ["no-secret-service"] {
            try askPlace(after: said)
        } else if [.unavailable, .unwritable, .invalidConfiguration].contains(failure.kind) {
            try askAgain(after: said)
        } else if failure.options.isEmpty {
            throw Failure(failure)
        } else if try await !askAgain(failure.options, after: said) {
            throw Failure(failure, translatedParagraph([failure.reason, nothingHappened]))
        }
    }

    var nothingHappened: String {
        isChange ? translated("Nothing was changed.") : translated("Nothing was added.")
    }

    /// Asks whether to store the token in a file, because the keyring did not store it.
    private mutating func askPlace(after failure: Failure) throws {
        dialogue.say(failure.sentence)
        if try dialogue.confirm(translated("Store it in a file that only you can read?"), orEmpty: true) {
            account.isTokenInFile = true
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
