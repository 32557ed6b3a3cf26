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
        /// The access token is not accepted: with a new one it may be. If not, this is the failure.
        case refused(OAuthError)
        /// The user is known, but may not use this inbox.
        case forbidden
        case other(OAuthError)
    }

    /// Reads the backend's answer.
    ///
    /// - Parameter host: The backend, for sentences.
    package init(_ response: HTTPResponse, of kind: Kind, from host: String) throws(Failure) {
        let error: (OAuthError.Kind) -> OAuthError = { kind in
            OAuthError(kind, response.refusal(by: host), retryAfter: response.pause)
        }
        // A page is most likely a gateway's, a captive portal's or that of a sign-in, whatever its status.
        let isPage = response.isHTML && !response.body.isEmpty
        switch response.status {
        case 200..<300 where isPage: throw .other(OAuthError(.transient, response.unreadableContents(of: host)))
        case 200..<300: break
        case 401:
            throw .refused(isPage ? error(.transient) : OAuthError(.ended, "\(host) no longer accepts the sign-in."))
        case 403 where !isPage: throw .forbidden
        case 300..<400, 408, 425, 429, 500...,
            _ where isPage:
            throw .other(error(.transient))
        default: throw .other(error(.unexpected))
        }
        guard let text = Self.text(response, kind), text.isHeaderText(atMost: kind.maximumLength) else {
            throw .other(OAuthError(.unexpected, "\(host) answered without a \(kind.member)."))
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

extension OAuthError {
    /// The error of a backend, for somebody who may correct the configuration.
    var withAdvice: OAuthError {
        kind == .unexpected ? OAuthError(kind, "\(message) Correct the address that gives tokens.") : self
    }
}
