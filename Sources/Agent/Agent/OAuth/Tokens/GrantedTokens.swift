import Basics
package import ClientKit
import VisibleText

/// What the token endpoint granted (RFC 6749 §5.1).
package struct GrantedTokens: Hashable, Sendable {
    /// Opaque: only its user, the company's backend, can read it.
    package var accessToken: String
    /// How long the access token can be used; nil: the server does not say.
    package var lifetime: Duration?
    /// nil: the present one stays, or after a sign-in: there is none, so that it ends with the access token.
    package var refreshToken: String?
    /// The claims of the id token; nil: there is none.
    package var idClaims: JSONValue?

    package init(
        accessToken: String,
        lifetime: Duration? = nil,
        refreshToken: String? = nil,
        idClaims: JSONValue? = nil
    ) {
        self.accessToken = accessToken
        self.lifetime = lifetime
        self.refreshToken = refreshToken
        self.idClaims = idClaims
    }

    /// Reads the endpoint's answer.
    ///
    /// - Parameter host: The server, for sentences.
    package init(_ response: HTTPResponse, from host: String) throws(OAuthError) {
        let object = response.oauthObject
        if let failure = OAuthError(tokenEndpoint: response, object, from: host) { throw failure }
        guard let token = object?["access_token"]?.string, token.isHeaderText(atMost: 16 << 10),
            object?["token_type"]?.string?.lowercased() == "bearer"
        else {
            let reason = response.unreadableContents(of: host)
            throw OAuthError(.transient, "\(host) granted no access token. \(reason)")
        }
        accessToken = token
        lifetime = object?["expires_in"].flatMap(Self.seconds).map { .seconds(max(0, min($0, 366 * 86_400))) }
        refreshToken = object?["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        idClaims = object?["id_token"]?.string.flatMap { JSONWebToken($0)?.claims }
    }

    /// Some servers write the number as a text.
    static func seconds(_ value: JSONValue) -> Double? {
        (value.number ?? value.string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Throws if the id token is not the one of this request. It came from the token endpoint by TLS, so that its
    /// signature need not be checked (OpenID Connect Core 1.0 §3.1.3.7).
    ///
    /// - Parameter request: nil: there was none, with a nonce (RFC 8628).
    package func check(_ request: AuthorizationRequest? = nil, of client: ClientRegistration) throws(OAuthError) {
        guard let claims = idClaims else { return }
        let audience = claims["aud"].map { $0.array ?? [$0] } ?? []
        let isOurs =
            claims["iss"]?.string?.hasSameBytes(as: client.issuer.text) == true
            && audience.contains { $0.string?.hasSameBytes(as: client.clientID) == true }
            && (request.map { claims["nonce"]?.string?.hasSameBytes(as: $0.nonce) == true } ?? true)
        guard isOurs else {
            let values = ["server": client.issuer.host]
            throw OAuthError(.denied, translated("{server} answered with the sign-in of another program.", values))
        }
    }
}

extension OAuthError {
    /// The failure that an answer of the token endpoint reports; nil: it reports none.
    ///
    /// Only an answer in OAuth's form (RFC 6749 §5.2) ends a sign-in, or the empty one by which some servers refuse.
    /// Anything else is what a gateway says while the server is away.
    init?(tokenEndpoint response: HTTPResponse, _ object: JSONValue?, from host: String) {
        let code = object?["error"]?.string
        guard !(200..<300).contains(response.status) || code != nil || response.isHTML else { return nil }
        let text = code.map { Self.text(code: $0, description: object?["error_description"]?.string) }
        let reason = response.refusal(by: host, message: text)
        let isRefusal =
            switch response.status {
            case 400 where response.body.isEmpty: true
            // Web frameworks write the phrase of the status there.
            case 200..<300, 400, 401, 403:
                code.map { !["bad request", "unauthorized", "forbidden"].contains($0.lowercased()) } ?? false
            default: false
            }
        switch code {
        // Or the endpoint has moved.
        case _ where [404, 405, 410].contains(response.status): self.init(.unexpected, reason)
        case _ where !isRefusal, "server_error", "temporarily_unavailable":
            self.init(.transient, reason, retryAfter: response.pause)
        case "invalid_client", "unauthorized_client", "invalid_scope", "unsupported_grant_type":
            self.init(.misconfigured, reason)
        default: self.init(.ended, reason)
        }
    }
}

extension String {
    /// Whether a text is visible ASCII, as the value of a header has to be, of at most this many bytes.
    func isHeaderText(atMost maximum: Int) -> Bool {
        !isEmpty && utf8.count <= maximum && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

extension HTTPResponse {
    /// The JSON of an authorization server; nil: there is none, or it is a web page.
    var oauthObject: JSONValue? { isHTML ? nil : (try? JSONValue(parsing: body, isTolerant: true)) }
}
