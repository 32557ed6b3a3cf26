public import FoundationEssentials

/// A token as the service stores it for a user, see ``PushTokens``.
public struct RegisteredToken: Sendable, Hashable, Identifiable {
    /// The service's id.
    public var id: String
    /// Where it is from.
    public var kind: PushToken.Kind
    /// nil: the service's answer lacks a part of it.
    public var token: PushToken?
    /// nil: the service does not return it.
    public var created: Date?
    /// When the target refused a notification or the token was deleted: nothing is sent to it any more. nil: never.
    public var discarded: Date?

    /// A token of a user.
    public init(
        id: String,
        kind: PushToken.Kind,
        token: PushToken? = nil,
        created: Date? = nil,
        discarded: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.token = token
        self.created = created
        self.discarded = discarded
    }
}
