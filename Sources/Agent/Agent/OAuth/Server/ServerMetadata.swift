import Basics
package import ClientKit

/// What an authorization server says about itself (OpenID Connect Discovery 1.0 §3, RFC 8414 §2).
package struct ServerMetadata: Hashable, Sendable {
    /// Where the browser is sent. It may have a query.
    package var authorizationEndpoint: String
    package var tokenEndpoint: String
    /// nil: the server has none.
    package var revocationEndpoint: String?
    /// nil: the server has none.
    package var deviceAuthorizationEndpoint: String?
    /// Whether a response to an authorization request names the issuer (RFC 9207 §3).
    package var namesIssuer: Bool

    /// Reads one or both documents; of a member that both have, the first counts.
    ///
    /// A document that names another issuer, or an endpoint that is neither https nor on this computer, is an error:
    /// nothing of it may be used.
    package init(_ documents: [JSONValue], of issuer: Issuer) throws(OAuthError) {
        for document in documents {
            guard let named = document["issuer"]?.string else {
                throw OAuthError(.unexpected, "The metadata of \(issuer.host) does not name its issuer.")
            }
            guard named.hasSameBytes(as: issuer.text) else {
                let other = OAuthError.text(code: named, description: nil)
                throw OAuthError(
                    .unexpected,
                    "\(issuer.host) calls its issuer \"\(other)\". The configured issuer must be the same text."
                )
            }
        }
        func endpoint(_ name: String) throws(OAuthError) -> String? {
            guard let text = documents.lazy.compactMap({ $0[name]?.string }).first else { return nil }
            guard Self.isUsable(text) else {
                throw OAuthError(
                    .unexpected,
                    "The \(name) of \(issuer.host) is not an https address, so it is not used."
                )
            }
            return text
        }
        guard let authorization = try endpoint("authorization_endpoint"), let token = try endpoint("token_endpoint")
        else {
            throw OAuthError(
                .unexpected,
                "\(issuer.text) has no metadata of an authorization server. Correct the issuer."
            )
        }
        authorizationEndpoint = authorization
        tokenEndpoint = token
        revocationEndpoint = try endpoint("revocation_endpoint")
        deviceAuthorizationEndpoint = try endpoint("device_authorization_endpoint")
        namesIssuer = documents.contains { $0["authorization_response_iss_parameter_supported"]?.bool == true }
    }

    /// Whether a document has what a sign-in needs.
    static func isSufficient(_ document: JSONValue) -> Bool {
        ["authorization_endpoint", "token_endpoint"].allSatisfy { document[$0]?.string != nil }
    }

    /// Whether a document lacks nothing that the other one may have.
    ///
    /// - Parameter isForDevice: Whether it is about a sign-in with a code.
    static func isComplete(_ document: JSONValue, isForDevice: Bool) -> Bool {
        isSufficient(document) && document["revocation_endpoint"]?.string != nil
            && (!isForDevice || document["device_authorization_endpoint"]?.string != nil)
    }

    /// Whether an endpoint is an https URL, or an http URL of this computer, perhaps with a query, and of no more than
    /// 2,000 bytes.
    static func isUsable(_ text: String) -> Bool {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        return text.utf8.count <= 2_000 && (try? BaseURL.normal(String(parts[0]), schemes: ["https", "http"])) != nil
            && query.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}".utf8.contains($0) }
    }
}
