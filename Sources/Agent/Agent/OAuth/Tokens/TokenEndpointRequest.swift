import Basics
package import ClientKit

/// A request to the token endpoint, or to the revocation endpoint.
package struct TokenEndpointRequest: Hashable, Sendable {
    package enum Grant: Hashable, Sendable {
        /// RFC 6749 §4.1.3, with the proof of RFC 7636 §4.5.
        case code(String, AuthorizationRequest)
        /// RFC 6749 §6. Without `scope`, which keeps the scope that was granted.
        case refresh(token: String)
        /// RFC 8628 §3.4.
        case device(code: String)
    }

    private var parameters: [ClientRegistration.Parameter]
    private var url: String

    /// A request for tokens.
    package init(_ grant: Grant, at metadata: ServerMetadata, for client: ClientRegistration) {
        url = metadata.tokenEndpoint
        parameters =
            switch grant {
            case .code(let code, let request):
                [
                    .init("grant_type", "authorization_code"), .init("code", code),
                    .init("redirect_uri", request.redirectURI), .init("client_id", client.clientID),
                    .init("code_verifier", request.verifier),
                ]
            case .refresh(let token):
                [
                    .init("grant_type", "refresh_token"), .init("refresh_token", token),
                    .init("client_id", client.clientID),
                ]
            case .device(let code):
                [
                    .init("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), .init("device_code", code),
                    .init("client_id", client.clientID),
                ]
            }
        if let secret = client.clientSecret { parameters.append(.init("client_secret", secret)) }
    }

    /// A request for a code that a user enters on another device (RFC 8628 §3.1); nil: the server has no endpoint for
    /// it.
    package init?(deviceAt metadata: ServerMetadata, for client: ClientRegistration) {
        guard let endpoint = metadata.deviceAuthorizationEndpoint else { return nil }
        url = endpoint
        parameters = [.init("client_id", client.clientID), .init("scope", client.scopes.joined(separator: " "))]
        if let secret = client.clientSecret { parameters.append(.init("client_secret", secret)) }
    }

    /// A request to end a sign-in (RFC 7009 §2.1); nil: the server has no endpoint for it.
    package init?(revoking refreshToken: String, at metadata: ServerMetadata, for client: ClientRegistration) {
        guard let endpoint = metadata.revocationEndpoint else { return nil }
        url = endpoint
        parameters = [
            .init("token", refreshToken), .init("token_type_hint", "refresh_token"),
            .init("client_id", client.clientID),
        ]
        if let secret = client.clientSecret { parameters.append(.init("client_secret", secret)) }
    }

    /// - Parameter timeout: For each of the two parts of ``Transport/HTTPRequest/timeout``.
    package func httpRequest(timeout: Duration = .seconds(20)) -> HTTPRequest {
        HTTPRequest(
            method: "POST",
            url: url,
            headers: [
                HTTPField("Content-Type", "application/x-www-form-urlencoded"),
                HTTPField("Accept", "application/json"),
            ],
            body: Array(parameters.encoded.utf8),
            timeout: timeout,
            maximumBodySize: 64 << 10
        )
    }
}
