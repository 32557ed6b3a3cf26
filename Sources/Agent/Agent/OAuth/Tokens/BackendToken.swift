import Basics
package import ClientKit

/// The user token, or another secret of the user, that the company's backend gives for an access token.
///
/// The backend is whatever the administrator of the account has named: it is not part of a standard.
package struct BackendToken: Hashable, Sendable {
    /// What the backend is asked for. It answers with a JSON object, or with the text alone.
    package struct Kind: Hashable, Sendable {
        /// The member of the object.
        package var member: String
        /// In bytes.
        package var maximumLength: Int

        package init(member: String, maximumLength: Int) {
            self.member = member
            self.maximumLength = maximumLength
        }

        /// A JWT, as `{"token":"…"}`.
        package static let userToken = Kind(member: "token", maximumLength: 16 << 10)
    }

    package var text: String

    /// The request. It must reach no other origin, so a redirect is an error.
    package static func request(_ url: String, accessToken: String) -> HTTPRequest {
        HTTPRequest(
            url: url,
            headers: [
                HTTPField("Authorization", "Bearer \(accessToken)"), HTTPField("Accept", "application/json"),
                HTTPField("Cache-Control", "no-store"),
            ],
            maximumBodySize: 64 << 10
        )
    }

    /// Why an answer has no token.
    package enum Failure: Error, Hashable, Sendable {
        /// The access token is not accepted: with a new one it may be.
        case refused
        /// The user is known, but may not use this inbox.
        case forbidden
        case other(OAuthError)
    }

    /// Reads the backend's answer.
    ///
    /// - Parameter host: The backend, for sentences.
    package init(_ response: HTTPResponse, of kind: Kind, from host: String) throws(Failure) {
        switch response.status {
        case 200..<300: break
        case 401: throw .refused
        case 403: throw .forbidden
        case 408, 425, 429, 500...:
            throw .other(OAuthError(.transient, response.refusal(by: host), retryAfter: response.pause))
        case 300..<400: throw .other(OAuthError(.transient, response.refusal(by: host)))
        default:
            let reason = response.refusal(by: host)
            throw .other(OAuthError(.misconfigured, "\(reason) Correct the address that gives tokens."))
        }
        guard !response.isHTML else { throw .other(OAuthError(.transient, response.unreadableContents(of: host))) }
        guard let text = Self.text(response, kind), text.isHeaderText(atMost: kind.maximumLength) else {
            let reason = "\(host) answered without a \(kind.member). Correct the address that gives tokens."
            throw .other(OAuthError(.misconfigured, reason))
        }
        self.text = text
    }

    private static func text(_ response: HTTPResponse, _ kind: Kind) -> String? {
        let object = try? JSONValue(parsing: response.body, isTolerant: true)
        if let object { return object[kind.member]?.string ?? object.string }
        let text = String(validating: response.body, as: UTF8.self)
        return text.map { String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
    }
}

extension BackendToken {
    /// Host and port of its address, for sentences.
    package static func host(of url: String) -> String {
        String(url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" })
    }
}
