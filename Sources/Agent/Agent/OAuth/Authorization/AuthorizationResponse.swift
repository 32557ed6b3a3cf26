import Basics
import VisibleText

/// The response to an authorization request, which comes as the query of the redirect URI (RFC 6749 §4.1.2).
package enum AuthorizationResponse: Hashable, Sendable {
    /// A code to be redeemed at the token endpoint.
    case code(String)
    /// There is no code.
    case failed(OAuthError)

    /// nil: the query is no response to `request`; another program, or an old page, may have sent it.
    package init?(
        query: String,
        to request: AuthorizationRequest,
        at metadata: ServerMetadata,
        of issuer: Issuer
    ) {
        guard let parameters = Self.parameters(query), let state = parameters["state"],
            state.hasSameBytes(as: request.state)
        else { return nil }
        let server = ["server": issuer.host]
        // RFC 9207 §2.4. One server sends it without announcing it, and none sends it with each error.
        if let named = parameters["iss"], !named.hasSameBytes(as: issuer.text) {
            let message = translated("Another server than {server} answered, so its answer was not used.", server)
            self = .failed(OAuthError(.denied, message))
        } else if let error = parameters["error"] {
            self = .failed(Self.failure(error, parameters["error_description"], issuer.host))
        } else if metadata.namesIssuer, parameters["iss"] == nil {
            let message = translated("The answer of {server} does not name its issuer, so it was not used.", server)
            self = .failed(OAuthError(.denied, message))
        } else if let code = parameters["code"], !code.isEmpty {
            self = .code(code)
        } else {
            self = .failed(OAuthError(.transient, translated("{server} answered without a code.", server)))
        }
    }

    /// RFC 6749 §4.1.2.1.
    private static func failure(_ code: String, _ description: String?, _ host: String) -> OAuthError {
        let reason = OAuthError.text(code: code, description: description)
        let values = ["server": host, "reason": reason]
        return switch code {
        case "access_denied": .notAllowed(by: host, reason)
        case "server_error", "temporarily_unavailable":
            OAuthError(.transient, translated("{server} cannot sign anybody in at present ({reason}).", values))
        case "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_response_type":
            OAuthError(
                .misconfigured,
                translated("{server} refused the request to sign in ({reason}). Ask your administrator.", values)
            )
        default: OAuthError(.denied, translated("{server} ended the sign-in ({reason}).", values))
        }
    }

    /// The parameters of a form (WHATWG URL §5.1); nil: one is malformed, or there twice (RFC 6749 §3.1).
    static func parameters(_ query: String) -> [String: String]? {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.replacing("+", with: " ").percentDecoded }
            guard let name = sides[0], let value = sides.count > 1 ? sides[1] : "",
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return parameters
    }
}
