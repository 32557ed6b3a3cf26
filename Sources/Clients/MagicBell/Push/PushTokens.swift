/// All tokens of one user at the service, also those of other devices.
///
/// Nothing here is kept: this device is registered with ``MagicBellClient/setDeviceToken(_:)``, which also retries, and
/// unregisters it when the user is disconnected.
public final class PushTokens: Sendable {
    private let requests: UserRequests

    init(api: any InboxAPI, scope: CallScope) { requests = UserRequests(api: api, scope: scope) }

    /// Loads the tokens of every kind that the API lists: with an API key those of browsers, and push subscriptions in
    /// the form of the first SDKs; with a user token all but those.
    public func fetch() async throws(MagicBellError) -> [RegisteredToken] {
        try await requests.send { (api) throws(MagicBellError) in try await api.tokens() }
    }

    /// Registers a token for this user, once.
    ///
    /// - Throws: `unsupported` for a kind that the user's API does not have.
    public func register(_ token: PushToken) async throws(MagicBellError) {
        try await requests.change { (api) throws(MagicBellError) in try await api.register(token) }
    }

    /// Deletes a token; one that the service does not know is deleted.
    public func delete(_ token: RegisteredToken) async throws(MagicBellError) {
        try await requests.change { (api) throws(MagicBellError) in try await api.delete(token) }
    }
}
