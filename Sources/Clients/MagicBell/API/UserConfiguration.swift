import ClientKit

/// The configuration of a user's realtime feed, from the service's `GET /config`.
package struct UserConfiguration: Sendable, Hashable {
    /// The Ably channel of the user's events.
    package var channel: String

    package init(channel: String) { self.channel = channel }
}

/// The answer to a request for Ably's authorization (Ably's documentation, "Token authentication").
package enum AblyAuthorization: Sendable, Hashable {
    /// A signed request, to be exchanged at Ably: the service's object, unchanged.
    case request(JSONValue)
    /// A token. A secret.
    case token(String, expires: Int64?)
}

/// The registration of a token for the service's own socket.
package struct InboxTokenRegistration: Sendable, Hashable {
    /// The token to connect with. A secret.
    package var token: String
    /// The key to connect with: the project's, or the one in the user token.
    package var apiKey: String

    package init(token: String, apiKey: String) {
        self.token = token
        self.apiKey = apiKey
    }
}
