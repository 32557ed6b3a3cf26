import ClientKit
public import FoundationEssentials

/// Provides a user token: from the app's backend, a password store, a command.
///
/// Called once before the first request, then shortly before the token expires and when the service refuses it; never
/// concurrently. `expired` is the old token, nil the first time. Nil as a result means "no token": requests then carry
/// the public key only. Limit its duration; every request waits for it.
public typealias UserTokenProvider = @Sendable (_ expired: String?) async throws -> String?

/// A user token with its claims: a JWT, whose signature only the service verifies.
public struct UserToken: Sendable, Hashable, CustomStringConvertible {
    /// The encoded token. A secret.
    public let rawValue: String
    /// The expiry (`exp`); nil: none.
    public let expiresOn: Date?
    /// The start of validity (`nbf`, RFC 7519 §4.1.5); nil: none.
    package let validFrom: Date?
    /// The user's id (`entity_id`).
    public let distinctID: String?
    /// The tenants (`scope.tenant_id`); nil: none, which the service treats as `default`.
    public let tenantIDs: [String]?

    /// Parses `text`. Throws `invalidArgument`, without the text, when it is not a JWT: three parts of base64url
    /// separated by dots, the second a JSON object. All claims are optional; invalid ones are ignored.
    public init(_ text: String) throws(SuprSendError) {
        guard let token = JSONWebToken(text) else { throw .notAToken }
        rawValue = text
        expiresOn = token.time("exp")
        validFrom = token.time("nbf")
        distinctID = token.claims["entity_id"]?.string
        let tenants = token.claims["scope"]?["tenant_id"]
        tenantIDs = tenants?.string.map { [$0] } ?? tenants?.array.flatMap { Self.texts(of: $0) }
    }

    /// Nil: not all are texts.
    private static func texts(of values: [JSONValue]) -> [String]? {
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// The expiry, without the token.
    public var description: String { redacted }
}

extension UserToken: CustomReflectable {
    /// Without the token, so that `dump` does not show it.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}

extension UserToken: ClaimedToken {
    package var claimedUser: String? { distinctID }
}
