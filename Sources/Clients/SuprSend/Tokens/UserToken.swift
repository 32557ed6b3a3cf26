package import ClientKit
public import FoundationEssentials

/// Provides a user token: from the app's backend, a password store, a command.
///
/// Called once before the first request, then shortly before the token expires and when the service refuses it; never
/// concurrently. `expired` is the old token, nil the first time. Nil as a result means "no token": requests then carry
/// the public key only. Limit its duration; every request waits for it.
public typealias UserTokenProvider = @Sendable (_ expired: String?) async throws -> String?

/// A user token with its claims: a JWT, whose signature only the service verifies.
public struct UserToken: Sendable, Hashable, CustomStringConvertible, ExpiringToken {
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
        guard let claims = Self.claims(of: text) else {
            throw SuprSendError(
                .invalidArgument,
                "The user token is not a JWT (three parts separated by dots, \"eyJ…\")."
            )
        }
        rawValue = text
        expiresOn = claims.expiry.map(Date.init(timeIntervalSince1970:))
        validFrom = claims.notBefore.map(Date.init(timeIntervalSince1970:))
        distinctID = claims.entityID
        tenantIDs = claims.tenants
    }

    /// The expiry, without the token.
    public var description: String {
        "UserToken(expires: \(expiresOn.map { "\($0.timeIntervalSince1970)" } ?? "unknown"))"
    }

    private struct Claims: Decodable {
        var expiry: Double?
        var notBefore: Double?
        var entityID: String?
        var tenants: [String]?

        init(from decoder: any Decoder) throws {
            let claims = try decoder.container(keyedBy: WireKey.self)
            expiry = claims.value("exp", as: Double.self)
            notBefore = claims.value("nbf", as: Double.self)
            entityID = claims.value("entity_id")
            guard let scope = try? claims.nestedContainer(keyedBy: WireKey.self, forKey: "scope") else { return }
            tenants =
                scope.value("tenant_id", as: [String].self) ?? scope.value("tenant_id", as: String.self).map { [$0] }
        }
    }

    private static func claims(of text: String) -> Claims? {
        JSONWebToken.claims(of: text).flatMap {
            try? JSONValue(parsing: Array($0), isTolerant: true).decode(Claims.self)
        }
    }
}

extension UserToken: CustomReflectable {
    /// Without the token, so that `dump` does not show it.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}
