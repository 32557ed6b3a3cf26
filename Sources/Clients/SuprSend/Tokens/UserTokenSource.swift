import Basics
package import ClientKit
import Logging

/// Holds a user's token and refreshes it on demand, with one provider call at a time.
package typealias UserTokenSource = RefreshedToken<UserToken, SuprSendError>

extension UserTokenSource {
    /// `token` is used until it is refused or about to expire; nil: the provider is called before the first request.
    package convenience init(
        provider: UserTokenProvider?,
        token: UserToken? = nil,
        distinctID: String,
        context: RequestContext
    ) {
        let logger = context.logger
        let rules = Rules(
            read: { (text) throws(SuprSendError) in
                do throws(SuprSendError) { return try UserToken(text) } catch {
                    throw SuprSendError(.unauthorized, error.message + " Check its source.")
                }
            },
            failure: { error in
                let reason = Redaction.tokens(in: "\(error)")
                return SuprSendError(.unauthorized, "The user token could not be obtained: \(reason)")
            },
            cancellation: .cancelled,
            accepted: { token in
                guard let other = token.distinctID, other != distinctID else { return }
                logger.warning(
                    "user token is for another user",
                    metadata: ["token_for": "\(other)", "user": "\(distinctID)"]
                )
            }
        )
        self.init(
            provider: provider,
            token: token,
            rules: rules,
            now: { context.now },
            clock: context.environment.clock,
            logger: logger
        )
    }
}

extension SerialGate {
    /// Runs `body` after all earlier ones. Throws `cancelled` when the task is cancelled while it waits.
    nonisolated func pass<Result: Sendable>(
        _ body: () async throws(SuprSendError) -> Result
    ) async throws(SuprSendError) -> Result {
        try await pass(orThrow: .cancelled, body)
    }
}
