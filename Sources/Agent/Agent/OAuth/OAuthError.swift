import ClientKit
import VisibleText

/// Why a request of a sign-in did not succeed.
package struct OAuthError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The same request may succeed later.
        case transient
        /// Something answered that is no such server: its address is wrong, or a gateway answers in its place while it
        /// is away.
        case unexpected
        /// The sign-in has ended: only a new one of the user helps.
        case ended
        /// The user, or a rule of the server, did not allow the sign-in.
        case denied
        /// The configuration is wrong: this computer's, or the client's registration at the server.
        case misconfigured
    }

    package var kind: Kind
    /// One sentence for the user.
    package var message: String
    /// The delay that the server asks for.
    package var retryAfter: Duration?

    package init(_ kind: Kind, _ message: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension OAuthError {
    /// Whether the same may succeed later, without an act of a person.
    package var isOutage: Bool { kind == .transient || kind == .unexpected }

    /// - Parameter reason: See ``text(code:description:)``.
    static func notAllowed(by host: String, _ reason: String) -> OAuthError {
        let values = ["server": host, "reason": reason]
        return OAuthError(.denied, translated("{server} did not allow the sign-in ({reason}).", values))
    }

    package static var cancelled: OAuthError { OAuthError(.denied, translated("The sign-in was cancelled.")) }

    /// The server's own words about an error (RFC 6749 §5.2) for a sentence: its code, and its description as one line
    /// of at most 200 bytes without tokens and without a full stop, which the sentence has.
    static func text(code: String, description: String?) -> String {
        let code = code.oneLine.cut(to: 60)
        guard var description = description?.oneLine, !description.isEmpty else { return code }
        if description.hasSuffix(".") { description.removeLast() }
        return "\(code): \(Redaction.tokens(in: description).cut(to: 200))"
    }
}

extension String {
    /// The text without control characters and with single spaces.
    fileprivate var oneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isVisible ? $0 : " " }))
            .split(separator: " ").joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// Formatting characters, which can reverse the direction of a text, are not.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
