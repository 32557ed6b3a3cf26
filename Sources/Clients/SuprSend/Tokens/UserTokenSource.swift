import Basics
package import ClientKit

/// Holds a user's token and refreshes it on demand, with one provider call at a time.
package typealias UserTokenSource = RefreshedToken<UserToken, SuprSendError>

extension SerialGate {
    /// Runs `body` after all earlier ones. Throws `cancelled` when the task is cancelled while it waits.
    nonisolated func pass<Result: Sendable>(
        _ body: () async throws(SuprSendError) -> Result
    ) async throws(SuprSendError) -> Result {
        try await pass(orThrow: .cancelled, body)
    }
}
