package import ClientKit
public import FoundationEssentials

/// Obtains a user token from the app: its backend, a password store, a command.
///
/// Asked once before the first request, then shortly before the token expires and when the service refuses it, never twice at once.
/// `expired` is the token that no longer serves, nil the first time. Returning nil means "there is none": requests then carry the
/// public key alone. Bound the time it takes; every request waits for it.
public typealias UserTokenProvider = @Sendable (_ expired: String?) async throws -> String?

/// A user token and what can be read in it: a JWT whose signature is for the service to verify (suprsend.md §6.1).
public struct UserToken: Sendable, Hashable, CustomStringConvertible, ExpiringToken {
    /// The token as it is sent. A secret.
    public let rawValue: String
    /// When it expires (`exp`); nil: not said.
    public let expiresOn: Date?
    /// From when on it is valid (`nbf`, RFC 7519 §4.1.5); nil: not said.
    package let validFrom: Date?
    /// The user it is for (`entity_id`).
    public let distinctID: String?
    /// The tenants it is for (`scope.tenant_id`); nil: not said, which the service takes as `default`.
    public let tenantIDs: [String]?

    /// Reads `text`. Throws `invalidArgument`, without the text, when it is no JWT: three parts of base64url between dots, the second
    /// a JSON object. What it says is read as far as it can be; nothing of it must be there.
    public init(_ text: String) throws(SuprSendError) {
        guard let claims = Self.claims(of: text) else {
            throw SuprSendError(.invalidArgument, "The user token is no JWT (three parts between dots, \"eyJ…\").")
        }
        rawValue = text
        expiresOn = claims.expiry.map(Date.init(timeIntervalSince1970:))
        validFrom = claims.notBefore.map(Date.init(timeIntervalSince1970:))
        distinctID = claims.entityID
        tenantIDs = claims.tenants
    }

    /// Says when it expires, never the token itself.
    public var description: String {
        "UserToken(expires: \(expiresOn.map { "\($0.timeIntervalSince1970)" } ?? "not said"))"
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
        JSONWebToken.claims(of: text).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }
    }
}

extension UserToken: CustomReflectable {
    /// Without the token, so that dumping a value which holds one does not tell it.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}
