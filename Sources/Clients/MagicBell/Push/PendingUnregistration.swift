/// A device token that the service has, or may have, for a user who was disconnected, or in addition to a newer one.
///
/// A client retries to unregister it while it runs. A program that ends before keeps this value and gives it to the
/// client of its next run: see ``MagicBellClient/pendingUnregistrations``. It contains secrets, so keep it where the
/// app keeps its credentials.
public struct PendingUnregistration: Sendable, Hashable {
    /// The user.
    public let user: UserIdentity
    /// Whether the user was connected with user tokens: unregistering needs one.
    public let needsUserToken: Bool
    /// The token to unregister. A secret.
    public let token: PushToken
    /// The user's HMAC; nil: none was given. A secret.
    let hmac: String?

    init(user: UserIdentity, needsUserToken: Bool, token: PushToken, hmac: String?) {
        self.user = user
        self.needsUserToken = needsUserToken
        self.token = token
        self.hmac = hmac
    }
}

extension PendingUnregistration: CustomStringConvertible, CustomReflectable {
    /// The user, without a secret.
    public var description: String { "PendingUnregistration(user: \(user.identifier))" }

    /// Without secrets, so that `dump` does not show them.
    public var customMirror: Mirror { Mirror(self, children: ["user": user.identifier]) }
}

extension PendingUnregistration: Codable {
    private enum CodingKeys: String, CodingKey {
        case email
        case externalID = "external_id"
        case needsUserToken = "needs_user_token"
        case token, hmac
    }

    /// Decodes what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            user: try UserIdentity(
                email: container.decodeIfPresent(String.self, forKey: .email),
                externalID: container.decodeIfPresent(String.self, forKey: .externalID)
            ),
            needsUserToken: try container.decode(Bool.self, forKey: .needsUserToken),
            token: try container.decode(PushToken.self, forKey: .token),
            hmac: try container.decodeIfPresent(String.self, forKey: .hmac)
        )
    }

    /// Writes it with its secrets.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(user.email, forKey: .email)
        try container.encodeIfPresent(user.externalID, forKey: .externalID)
        try container.encode(needsUserToken, forKey: .needsUserToken)
        try container.encode(token, forKey: .token)
        try container.encodeIfPresent(hmac, forKey: .hmac)
    }
}
