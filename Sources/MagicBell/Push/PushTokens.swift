import Basics

/// All tokens of one user at the service, also those of other devices.
///
/// Nothing here is kept: this device is registered with ``MagicBellClient/setDeviceToken(_:)``, which also retries, and
/// unregisters it when the user is disconnected.
public final class PushTokens: Sendable {
    private let api: any InboxAPI
    private let scope: CallScope
    /// Changes are sent one after the other: the last one takes effect.
    private let changes = SerialGate()

    init(api: any InboxAPI, scope: CallScope) {
        self.api = api
        self.scope = scope
    }

    /// Loads the tokens of every kind that the API lists: with an API key those of browsers, and push subscriptions in
    /// the form of the first SDKs; with a user token all but those.
    public func fetch() async throws(MagicBellError) -> [RegisteredToken] {
        let api = api
        return try await scope.perform { () throws(MagicBellError) in try await api.tokens() }
    }

    /// Registers a token for this user, once.
    ///
    /// - Throws: `unsupported` for a kind that the user's API does not have.
    public func register(_ token: PushToken) async throws(MagicBellError) {
        let api = api
        try await change { () throws(MagicBellError) in try await api.register(token) }
    }

    /// Deletes a token; one that the service does not know is deleted.
    public func delete(_ token: RegisteredToken) async throws(MagicBellError) {
        let api = api
        try await change { () throws(MagicBellError) in try await api.delete(token) }
    }

    private func change(
        _ body: @escaping @Sendable () async throws(MagicBellError) -> Void
    ) async throws(MagicBellError) {
        try await changes.pass(orThrow: MagicBellError.cancelled) { () throws(MagicBellError) in
            try await self.scope.perform(body)
        }
    }
}
