/// Proof that a client may act for a user: the project's API key and the user's identity, or a user token.
public struct UserCredentials: Sendable {
    enum Form: Sendable {
        case apiKey(String, UserIdentity, hmac: String?)
        /// The provider returns HMACs.
        case refreshedHMAC(String, UserIdentity, UserTokenProvider)
        case userToken(UserToken?, UserTokenProvider?)
    }

    let form: Form

    /// The project's API key and the user's identity, for the REST API.
    ///
    /// - Parameters:
    ///   - key: The project's public API key.
    ///   - user: The user.
    ///   - hmac: The user's HMAC from the app's backend (see ``UserIdentity/hmac(secret:)``), if the project asks for
    ///     it.
    /// - Throws: `invalidArgument` for text that a header cannot contain.
    public static func apiKey(
        _ key: String,
        user: UserIdentity,
        hmac: String? = nil
    ) throws(MagicBellError) -> UserCredentials {
        try ArgumentCheck.checkHeader(key, named: "API key")
        if let hmac { try ArgumentCheck.checkHeader(hmac, named: "user's HMAC") }
        return UserCredentials(form: .apiKey(key, user, hmac: hmac))
    }

    /// The project's API key and the user's identity with an HMAC that is read before the first request, and again
    /// when the service refuses the credentials.
    ///
    /// - Parameter refresh: Reads the HMAC; nil or an empty text: there is none.
    /// - Throws: `invalidArgument` for text that a header cannot contain.
    package static func apiKey(
        _ key: String,
        user: UserIdentity,
        refreshingHMAC refresh: @escaping UserTokenProvider
    ) throws(MagicBellError) -> UserCredentials {
        try ArgumentCheck.checkHeader(key, named: "API key")
        return UserCredentials(form: .refreshedHMAC(key, user, refresh))
    }

    /// A user token from the app's backend, for the user API.
    ///
    /// - Parameters:
    ///   - token: The token, used until it is refused or about to expire; nil: the provider is called before the first
    ///     request.
    ///   - refresh: Provides further tokens; nil: `token` is the only one.
    /// - Throws: `invalidArgument` if both are nil, or `token` is not a JWT.
    public static func userToken(
        _ token: String? = nil,
        refresh: UserTokenProvider? = nil
    ) throws(MagicBellError) -> UserCredentials {
        guard token != nil || refresh != nil else {
            throw MagicBellError(.invalidArgument, "There is neither a user token nor a provider of one.")
        }
        var parsed: UserToken?
        if let token { parsed = try UserToken(token) }
        return UserCredentials(form: .userToken(parsed, refresh))
    }

    /// The user, as far as it is known before the first request: a provider's token is not.
    public var user: UserIdentity? {
        switch form {
        case .apiKey(_, let user, _), .refreshedHMAC(_, let user, _): user
        case .userToken(let token, _): token?.user
        }
    }

    var hmac: String? {
        if case .apiKey(_, _, let hmac) = form { hmac } else { nil }
    }

    /// Whether these are a user token, for the user API.
    public var isUserToken: Bool {
        if case .userToken = form { true } else { false }
    }
}

extension UserToken {
    /// The user of its claims; nil: they name none.
    public var user: UserIdentity? { try? UserIdentity(email: email, externalID: externalID) }
}

extension UserCredentials: CustomStringConvertible, CustomReflectable {
    /// The kind and the user, without a secret.
    public var description: String {
        "UserCredentials(\(isUserToken ? "user token" : "API key"), user: \(user?.identifier ?? "unknown"))"
    }

    /// Without secrets, so that `dump` does not show them.
    public var customMirror: Mirror { Mirror(self, children: ["user": user as Any]) }
}
