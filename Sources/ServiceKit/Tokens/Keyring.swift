package import Desktop

/// The tokens in the session's Secret Service, for all accounts of an agent.
///
/// A person who logs in is asked once at most: one question is on its way at a time, and after a prompt that led to nothing nobody is
/// asked again until they want it (``allowPrompts()``). Until then a token is read only if its keyring is unlocked: it may have been
/// unlocked meanwhile by somebody else.
package actor Keyring {
    private let service: SecretService?
    private var mayPrompt: Bool
    /// Whose turn it is.
    private var turn: UInt64?
    private var lastTurn: UInt64 = 0
    private var waiting: [(turn: UInt64, signal: AsyncStream<Never>.Continuation)] = []

    /// - Parameters:
    ///   - service: nil: there is none.
    ///   - mayPrompt: Whether the person may be asked to unlock a keyring.
    package init(_ service: SecretService?, mayPrompt: Bool = true) {
        self.service = service
        self.mayPrompt = mayPrompt
    }

    /// The person wants to be asked again.
    package func allowPrompts() { mayPrompt = true }

    /// The text of the one item with these attributes.
    package func secret(_ attributes: [String: String]) async throws(SecretServiceError) -> String {
        guard let service else { throw .noService }
        guard await takeTurn() else { throw .unanswered }
        defer { endTurn() }
        do {
            let bytes = try await service.secret(attributes, mayPrompt: mayPrompt)
            return String(decoding: bytes.prefix(TokenReader.limit), as: UTF8.self)
        } catch {
            // Whoever waited for this prompt needs the same answer, not another prompt. KeePassXC finds nothing when its own
            // prompt, which comes with the search, is dismissed.
            switch error {
            case .dismissed, .unanswered, .ended, .locked, .noItem, .service: mayPrompt = false
            case .noService, .noEncryption, .severalItems, .undecipherable: break
            }
            throw error
        }
    }

    /// How many wait for their turn.
    package var waitingCount: Int { waiting.count }

    /// Returns false if the task was cancelled while it waited.
    private func takeTurn() async -> Bool {
        lastTurn += 1
        let own = lastTurn
        guard turn != nil else {
            turn = own
            return true
        }
        let (turns, signal) = AsyncStream<Never>.makeStream()
        waiting.append((own, signal))
        for await _ in turns {}
        waiting.removeAll { $0.turn == own }
        return turn == own
    }

    private func endTurn() {
        guard !waiting.isEmpty else { return turn = nil }
        let next = waiting.removeFirst()
        turn = next.turn
        next.signal.finish()
    }
}

/// The item of the Secret Service that Feedbell makes for an account's token.
package struct TokenItem: Equatable, Sendable {
    package var account: String

    package init(account: String) { self.account = account }

    /// What a person sees in their keyring.
    package var label: String { "Feedbell: \(account)" }

    /// What finds it. Without the schema, so that an item made with `secret-tool` is found, too.
    package var attributes: [String: String] { ["application": "org.feedbell.Agent", "account": account] }

    /// What it is made with.
    package var allAttributes: [String: String] { attributes.merging(["xdg:schema": "org.feedbell.Token"]) { $1 } }
}

extension SecretServiceError {
    /// What the person can do about a token that was not read.
    var remedy: String {
        switch self {
        case .noService: "Install or start one, or use token_command or token_file."
        case .noEncryption: "Use token_command or token_file."
        case .noItem: "Store the token with feedbell-agent store-token, or correct token_secret."
        case .severalItems: "Remove the others from the keyring, or give token_secret more attributes."
        case .locked, .dismissed, .unanswered: "Unlock it, or be asked again by \"feedbell reconnect\"."
        case .undecipherable, .ended, .service: "Is it running and well?"
        }
    }
}
