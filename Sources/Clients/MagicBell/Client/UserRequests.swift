import Basics

/// The requests of a part of a user's account. They end with the user's other calls, see ``CallScope``.
final class UserRequests: Sendable {
    private let api: any InboxAPI
    private let scope: CallScope
    private let changes = SerialGate()

    init(api: any InboxAPI, scope: CallScope) {
        self.api = api
        self.scope = scope
    }

    func send<Result: Sendable>(
        _ body: @escaping @Sendable (any InboxAPI) async throws(MagicBellError) -> Result
    ) async throws(MagicBellError) -> Result {
        try await scope.run { [api] () throws(MagicBellError) in try await body(api) }
    }

    /// Sends a change after the earlier ones: the last one takes effect.
    func change<Result: Sendable>(
        _ body: @escaping @Sendable (any InboxAPI) async throws(MagicBellError) -> Result
    ) async throws(MagicBellError) -> Result {
        try await changes.pass(orThrow: MagicBellError.cancelled) { () throws(MagicBellError) in
            try await self.send(body)
        }
    }
}
