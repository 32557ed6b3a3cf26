/// A request for an authorization code with a proof key (RFC 6749 §4.1.1, RFC 7636), which the user's browser sends.
package struct AuthorizationRequest: Hashable, Sendable {
    package var redirectURI: String
    /// Recognises the response.
    package var state: String
    /// Recognises the id token (OpenID Connect Core 1.0 §3.1.2.1).
    package var nonce: String
    /// Proves at the token endpoint that the code was requested here.
    package var verifier: String

    /// With random texts.
    package init(redirectURI: String) {
        self.redirectURI = redirectURI
        state = SecretText.random(bytes: 32)
        nonce = SecretText.random(bytes: 32)
        verifier = SecretText.random(bytes: 64)
    }

    /// The address for the browser.
    ///
    /// - Parameter loginHint: The user's name at the server, for its form; nil: none.
    package func url(
        at metadata: ServerMetadata,
        for client: ClientRegistration,
        loginHint: String? = nil
    ) -> String {
        var parameters: [ClientRegistration.Parameter] = [
            .init("response_type", "code"), .init("client_id", client.clientID), .init("redirect_uri", redirectURI),
            .init("scope", client.scopes.joined(separator: " ")), .init("state", state), .init("nonce", nonce),
            .init("code_challenge", SecretText.challenge(of: verifier)), .init("code_challenge_method", "S256"),
        ]
        if let loginHint { parameters.append(.init("login_hint", loginHint)) }
        let endpoint = metadata.authorizationEndpoint
        let mark = !endpoint.contains("?") ? "?" : endpoint.last == "?" || endpoint.last == "&" ? "" : "&"
        return endpoint + mark + (parameters + client.parameters).encoded
    }
}
