package import Basics

/// Reads tokens from the session's Secret Service, for all accounts of an agent.
///
/// At most one prompt is shown at login: requests are sent one at a time, and a failed prompt disables further
/// prompts until ``allowPrompts()``. Without prompts, a token is read only if its keyring is unlocked, for example by
/// another program.
package actor Keyring {
    private let service: SecretService?
    private let isInStartTime: @Sendable () -> Bool
    /// The only secret of a keyring in memory.
    private let held: (attributes: [String: String], secret: String)?
    private var mayPrompt: Bool
    private let turn = SerialGate()

    /// - Parameters:
    ///   - service: nil: there is none.
    ///   - mayPrompt: Whether prompts to unlock a keyring are allowed.
    ///   - startTime: How long a keyring that is not there may be about to start: a session starts it beside the agent.
    package init(
        _ service: SecretService?,
        mayPrompt: Bool = true,
        startTime: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        let uptime = clock.stopwatch()
        isInStartTime = { uptime() < startTime }
        self.mayPrompt = mayPrompt
        held = nil
    }

    /// A keyring in memory with one secret, such as a token that is not stored yet.
    package init(holding secret: String, of attributes: [String: String]) {
        service = nil
        isInStartTime = { false }
        mayPrompt = false
        held = (attributes, secret)
    }

    /// Whether a keyring that is not there may be about to start.
    package nonisolated var isStarting: Bool { isInStartTime() }

    /// Allows prompts again, after a request of the user.
    package func allowPrompts() { mayPrompt = true }

    /// The secret of the only item with these attributes, as text.
    package func secret(_ attributes: [String: String]) async throws(SecretServiceError) -> String {
        if let held, held.attributes == attributes { return held.secret }
        guard let service else { throw .noService }
        return try await prompting { () async throws(SecretServiceError) in
            let bytes = try await service.secret(attributes, mayPrompt: mayPrompt)
            return String(decoding: bytes.prefix(TokenReader.limit), as: UTF8.self)
        }
    }

    /// Sends a request that may show a prompt. After one that the user did not answer, there are no more.
    private func prompting<Result: Sendable>(
        _ body: () async throws(SecretServiceError) -> Result
    ) async throws(SecretServiceError) -> Result {
        try await turn.pass(orThrow: .unanswered) { () async throws(SecretServiceError) in
            do throws(SecretServiceError) { return try await body() } catch {
                // Waiting requests must not show the same prompt again. KeePassXC prompts during the search, and
                // returns no item when that prompt is dismissed.
                switch error {
                case .dismissed, .unanswered, .ended, .locked, .noItem, .service: mayPrompt = false
                case .noService, .noEncryption, .severalItems, .undecipherable: break
                }
                throw error
            }
        }
    }

    /// When the item with these attributes was last stored; nil: the keyring does not say.
    package func modified(_ attributes: [String: String]) async -> Timestamp? {
        guard let seconds = try? await service?.modified(attributes) else { return nil }
        return Timestamp(milliseconds: Int64(min(seconds, 1 << 40)) * 1_000)
    }

    /// Stores a secret, and replaces an item with the same attributes.
    package func store(
        _ secret: String,
        label: String,
        attributes: [String: String]
    ) async throws(SecretServiceError) {
        guard let service else { throw .noService }
        try await prompting { () async throws(SecretServiceError) in
            try await service.store(Array(secret.utf8), label: label, attributes: attributes, mayPrompt: mayPrompt)
        }
    }

    /// Removes all items with these attributes.
    package func remove(_ attributes: [String: String]) async throws(SecretServiceError) {
        guard let service else { throw .noService }
        try await turn.pass(orThrow: .unanswered) { () async throws(SecretServiceError) in
            try await service.remove(attributes)
        }
    }

    /// The number of waiting requests.
    package var waitingCount: Int { get async { await turn.waitingCount } }
}

/// The item that Feedbell creates in the Secret Service for an account's token.
package struct TokenItem: Equatable, Sendable {
    package var account: String

    /// The label that keyring programs show.
    package var label: String { "Feedbell: \(account)" }

    /// The attributes to search for. Without the schema, to include items that `secret-tool` created.
    package var attributes: [String: String] { ["application": "org.feedbell.Agent", "account": account] }

    /// The attributes to create it with.
    package var allAttributes: [String: String] { attributes.merging(["xdg:schema": "org.feedbell.Token"]) { $1 } }
}

extension SecretServiceError {
    /// Advice to the user after a failed read of an item with these attributes.
    func remedy(of attributes: [String: String]) -> String {
        switch self {
        case .noService: "Install or start one, or use token_command or token_file."
        case .noEncryption: "Use token_command or token_file."
        case .noItem:
            attributes["account"].flatMap { account in
                TokenSource.secret(attributes).isReplaceable(of: account)
                    ? "Store the token with: \(TokenSource.command(account: account))" : nil
            } ?? "Store the token in the keyring, or correct token_secret."
        case .severalItems: "Remove the others from the keyring, or give token_secret more attributes."
        case .locked, .dismissed, .unanswered: "Unlock it, or run \"feedbell reconnect\" to be prompted again."
        case .undecipherable, .ended, .service: "Check that it is running."
        }
    }
}
