import Basics
package import FoundationEssentials

/// The claims of a JSON Web Token (RFC 7519). The signature is not checked: only the service can verify it.
package struct JSONWebToken: Sendable {
    /// The claims, an object. All are optional.
    package let claims: JSONValue

    /// Nil: `text` is not a token (three parts of base64url separated by dots, the second a JSON object).
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy(\.isBase64URL) }), !parts[0].isEmpty else {
            return nil
        }
        // base64url without padding (RFC 7515 §2).
        var base64 = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64),
            let claims = try? JSONValue(parsing: Array(data), isTolerant: true), claims.object != nil
        else { return nil }
        self.claims = claims
    }

    /// A claim that is a time; nil: none, or invalid.
    package func time(_ claim: String) -> Date? { claims[claim]?.number.map(Date.init(timeIntervalSince1970:)) }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool { isAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
