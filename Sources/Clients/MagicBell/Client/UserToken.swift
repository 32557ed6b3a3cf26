import ClientKit
public import FoundationEssentials

/// Provides a user token: from the app's backend, a password store, a command.
///
/// Called once before the first request, then shortly before the token expires and when the service refuses it; never
/// concurrently. `expired` is the old token, nil the first time. Nil as a result means "no newer token". Limit its
/// duration; every request waits for it.
public typealias UserTokenProvider = @Sendable (_ expired: String?) async throws -> String?

/// A user token with its claims (MagicBell's documentation, "User authentication"): a JWT, whose signature only the
/// service verifies.
public struct UserToken: Sendable, Hashable, CustomStringConvertible {
    /// The encoded token. A secret.
    public let rawValue: String
    /// The expiry (`exp`); nil: none.
    public let expiresOn: Date?
    /// The project's API key (`api_key`), which the realtime socket needs; tokens that the service itself issued lack
    /// it.
    public let apiKey: String?
    /// The id that the sender uses for the user (`user_external_id`).
    public let externalID: String?
    /// The user's e-mail address (`user_email`).
    public let email: String?

    /// Parses `text`. Throws `invalidArgument`, without the text, when it is not a JWT: three parts of base64url
    /// separated by dots, the second a JSON object. All claims are optional; invalid ones are ignored.
    public init(_ text: String) throws(MagicBellError) {
        guard let token = JSONWebToken(text) else { throw .notAToken }
        rawValue = text
        expiresOn = token.time("exp")
        apiKey = token.claims["api_key"]?.string
        externalID = token.claims["user_external_id"]?.string
        email = token.claims["user_email"]?.string
    }

    /// The expiry, without the token.
    public var description: String { redacted }
}

extension UserToken: CustomReflectable {
    /// Without the token, so that `dump` does not show it.
    public var customMirror: Mirror { Mirror(self, children: ["expiresOn": expiresOn as Any]) }
}

extension UserToken: ClaimedToken {
    package var claimedUser: String? { user?.identifier }
}
