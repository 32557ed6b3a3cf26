package import Basics
import ClientKit

/// What is kept of a sign-in until the next start of the program. Its text is a secret.
package struct StoredSignIn: Hashable, Sendable {
    /// Whom the refresh token may be sent to: if one of these differs from the present one, it is never sent.
    package var issuer: String
    package var clientID: String
    package var tokenEndpoint: String
    package var refreshToken: String
    /// When the user signed in; nil: an earlier version did not keep it.
    package var since: Timestamp?

    package init(
        issuer: String,
        clientID: String,
        tokenEndpoint: String,
        refreshToken: String,
        since: Timestamp? = nil
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.tokenEndpoint = tokenEndpoint
        self.refreshToken = refreshToken
        self.since = since
    }

    /// nil: it was not written by ``text``.
    package init?(_ text: String) {
        let object = try? JSONValue(parsing: Array(text.utf8))
        guard let issuer = object?["issuer"]?.string, let clientID = object?["client_id"]?.string,
            let endpoint = object?["token_endpoint"]?.string, let token = object?["refresh_token"]?.string,
            !token.isEmpty
        else { return nil }
        let since = object?["since"]?.number.flatMap { Int64(exactly: $0) }.map { Timestamp(milliseconds: $0) }
        self.init(issuer: issuer, clientID: clientID, tokenEndpoint: endpoint, refreshToken: token, since: since)
    }

    /// As the content of an item of a keyring.
    package var text: String {
        var object: [String: JSONValue] = [
            "issuer": .string(issuer), "client_id": .string(clientID), "token_endpoint": .string(tokenEndpoint),
            "refresh_token": .string(refreshToken),
        ]
        if let since { object["since"] = .integer(since.milliseconds) }
        return JSONValue.object(object).text
    }

    /// Whether the refresh token is for this client at this token endpoint.
    package func belongs(to client: ClientRegistration, at metadata: ServerMetadata) -> Bool {
        issuer.hasSameBytes(as: client.issuer.text) && clientID.hasSameBytes(as: client.clientID)
            && tokenEndpoint.hasSameBytes(as: metadata.tokenEndpoint)
    }
}

/// Where a sign-in is kept.
package protocol SignInStorage: Sendable {
    /// nil: nothing is kept.
    func load() async throws(OAuthError) -> StoredSignIn?
    func store(_ signIn: StoredSignIn) async throws(OAuthError)
    func remove() async throws(OAuthError)
}
