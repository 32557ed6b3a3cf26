/// A request for an authorization code with a proof key (RFC 6749 §4.1.1, RFC 7636), which the user's browser sends.
package struct AuthorizationRequest: Hashable, Sendable {
    package var redirectURI: String
    /// Recognises the response.
    package var state: String
    /// Recognises the id token (OpenID Connect Core 1.0 §3.1.2.1).
    package var nonce: String
    /// Proves at the token endpoint that the code was requested here.
    package var verifier: String

    /// Who is to sign in.
    package enum User: Hashable, Sendable {
        /// Whom the browser knows, otherwise the user with this name at the server; nil: unknown.
        case any(hint: String?)
        /// Another one than the browser knows.
        case another
    }

    /// With random texts.
    package init(redirectURI: String) {
        self.redirectURI = redirectURI
        state = SecretText.random(bytes: 32)
        nonce = SecretText.random(bytes: 32)
        verifier = SecretText.random(bytes: 64)
    }

    /// The address for the browser.
    package func url(
        at metadata: ServerMetadata,
        for client: ClientRegistration,
        _ user: User = .any(hint: nil)
    ) -> String {
        var parameters: [ClientRegistration.Parameter] = [
            .init("response_type", "code"), .init("client_id", client.clientID), .init("redirect_uri", redirectURI),
            .init("scope", client.scopes.joined(separator: " ")), .init("state", state), .init("nonce", nonce),
            .init("code_challenge", SecretText.challenge(of: verifier)), .init("code_challenge_method", "S256"),
        ]
        switch user {
        case .any(let hint?): parameters.append(.init("login_hint", hint))
        case .any(nil): break
        // OpenID Connect Core 1.0 §3.1.2.1.
        case .another where client.parameters.contains { $0.name == "prompt" }: break
        case .another: parameters.append(.init("prompt", "select_account"))
        }
        let endpoint = metadata.authorizationEndpoint
        let mark = !endpoint.contains("?") ? "?" : endpoint.last == "?" || endpoint.last == "&" ? "" : "&"
        return endpoint + mark + (parameters + client.parameters).encoded
    }
}
