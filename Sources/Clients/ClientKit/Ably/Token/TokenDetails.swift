package import Basics

/// A token of Ably (Ably's documentation, "Token authentication").
package struct TokenDetails: Sendable, Equatable {
    /// A secret.
    package var token: String
    package var keyName: String?
    /// Milliseconds since the Unix epoch, by Ably's clock.
    package var issued: Int64?
    package var expires: Int64?
    package var capability: String?
    package var clientID: String?

    /// The maximum length of a token, in UTF-8 bytes. It is part of a URL.
    package static let maximumSize = 16 << 10

    package init(token: String, issued: Int64? = nil, expires: Int64? = nil) {
        self.token = token
        self.issued = issued
        self.expires = expires
    }

    /// Decodes the answer to a token request; nil: it contains no token.
    package init?(_ json: JSONValue) {
        guard let token = json["token"]?.string, Self.isValid(token) else { return nil }
        self.init(token: token, issued: json["issued"]?.integer, expires: json["expires"]?.integer)
        keyName = json["keyName"]?.shortText
        capability = json["capability"]?.string
        clientID = json["clientId"]?.shortText
    }

    /// Whether a text can be a token: short, and without white space and control characters.
    package static func isValid(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= maximumSize && token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// How long a token that was just received is valid; nil: unknown. Both times of the token are of one clock, so
    /// that ours matters only without ``issued``.
    package func lifetime(receivedAt now: Timestamp) -> Duration? {
        guard let expires else { return nil }
        let start = issued.map(Timestamp.init(milliseconds:)) ?? now
        return max(.zero, start.duration(to: Timestamp(milliseconds: expires)))
    }
}

/// Without the token.
extension TokenDetails: CustomStringConvertible {
    package var description: String { "a token of the key \(keyName ?? "?")" }
}
