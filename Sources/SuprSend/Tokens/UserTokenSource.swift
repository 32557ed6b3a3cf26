package import ClientKit
import Logging

/// Holds the user token and refreshes it for everything a client does for a person.
package typealias UserTokenSource = RefreshedToken<UserToken, SuprSendError>

extension UserTokenSource {
    /// `token` serves until the service refuses it or it is about to expire; nil: the provider is asked before the first request.
    package init(provider: UserTokenProvider?, token: UserToken? = nil, distinctID: String, workspace: Workspace) {
        let logger = workspace.logger
        let rules = Rules(
            read: { (text) throws(SuprSendError) in
                do throws(SuprSendError) { return try UserToken(text) } catch {
                    throw SuprSendError(.unauthorized, error.message + " Check where it comes from.")
                }
            },
            failure: { error in
                let reason = Redaction.tokens(in: "\(error)")
                return SuprSendError(.unauthorized, "The user token could not be obtained: \(reason)")
            },
            cancellation: .cancelled,
            accepted: { token in
                guard let stranger = token.distinctID, stranger != distinctID else { return }
                logger.warning(
                    "user token is for another user",
                    metadata: ["token_for": "\(stranger)", "user": "\(distinctID)"]
                )
            }
        )
        self.init(
            provider: provider,
            token: token,
            rules: rules,
            now: { workspace.now },
            clock: workspace.surroundings.clock,
            logger: logger
        )
    }
}

extension SerialGate {
    /// Runs `body` after everything that came before. Throws `cancelled` when the task is cancelled while it waits.
    nonisolated func pass<Result: Sendable>(
        _ body: () async throws(SuprSendError) -> Result
    ) async throws(SuprSendError) -> Result {
        try await pass(orThrow: .cancelled, body)
    }
}
