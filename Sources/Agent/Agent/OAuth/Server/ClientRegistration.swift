import Basics

/// This program at an authorization server, as it is configured there and here: a public client (RFC 6749 §2.1).
package struct ClientRegistration: Hashable, Sendable {
    package var issuer: Issuer
    package var clientID: String
    /// What some servers ask of installed programs, too. It is not a secret (RFC 8252 §8.5).
    package var clientSecret: String?
    package var scopes: [String]
    /// Further parameters of the authorization request, sorted by name.
    package var parameters: [Parameter]

    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package static var defaultScopes: [String] { ["openid", "offline_access"] }

    /// Names that ``parameters`` cannot have: they belong to the protocol (RFC 6749, 7636, 9126, 9101 and 8707; OpenID
    /// Connect Core 1.0 §3.1.2.1).
    package static let reservedParameters: Set = [
        "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "id_token_hint", "login_hint",
        "nonce", "redirect_uri", "registration", "request", "request_uri", "response_mode", "response_type", "scope",
        "state",
    ]

    package init(
        issuer: Issuer,
        clientID: String,
        clientSecret: String? = nil,
        scopes: [String] = Self.defaultScopes,
        parameters: [Parameter] = []
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.scopes = scopes
        self.parameters = parameters
    }
}

extension [ClientRegistration.Parameter] {
    /// As a query, or as the body of a form.
    var encoded: String {
        map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
