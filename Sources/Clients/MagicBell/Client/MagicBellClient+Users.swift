import Basics
import ClientKit
import Logging
import Synchronization

/// Connecting and disconnecting users.
extension MagicBellClient {
    // MARK: With the API key

    /// Connects the user with this e-mail address. Sends nothing.
    ///
    /// The same arguments return the same user until it is disconnected. So does the e-mail address of a user who was
    /// connected with both identifiers, if no other one has it.
    ///
    /// - Parameters:
    ///   - email: Its case does not matter.
    ///   - hmac: The user's HMAC, which the app's backend computes, if the project requires it; a new one replaces the
    ///     previous one. nil: none, or the one that the client computes.
    /// - Throws: `invalidArgument` for text that a header cannot contain, or if the client has no API key;
    ///   `invalidState` after ``shutdown()``.
    public func connectUser(email: String, hmac: String? = nil) throws(MagicBellError) -> MagicBellUser {
        try connect(UserIdentity(email: email), hmac: hmac)
    }

    /// Connects the user with this external id. Sends nothing. See ``connectUser(email:hmac:)``.
    ///
    /// - Parameters:
    ///   - externalID: The id that the sender uses for the user. Its case matters.
    ///   - hmac: The HMAC of the external id; nil: none, or the one that the client computes.
    public func connectUser(externalID: String, hmac: String? = nil) throws(MagicBellError) -> MagicBellUser {
        try connect(UserIdentity(externalID: externalID), hmac: hmac)
    }

    /// Connects the user with this external id, and sends the e-mail address as well. Sends nothing now. See
    /// ``connectUser(email:hmac:)``. The HMAC is that of the external id.
    public func connectUser(
        email: String,
        externalID: String,
        hmac: String? = nil
    ) throws(MagicBellError) -> MagicBellUser {
        try connect(UserIdentity(email: email, externalID: externalID), hmac: hmac)
    }

    private func connect(_ identity: UserIdentity, hmac: String?) throws(MagicBellError) -> MagicBellUser {
        try connect(identity, try credentials(of: identity, hmac: hmac), replaces: hmac != nil)
    }

    func credentials(of identity: UserIdentity, hmac: String?) throws(MagicBellError) -> UserCredentials {
        guard let apiKey else {
            throw MagicBellError(
                .invalidArgument,
                "The client has no API key; create it with one, or connect the user with a user token."
            )
        }
        let given = hmac ?? hmacSecret.map { identity.hmac(secret: $0) }
        return try UserCredentials.apiKey(apiKey, user: identity, hmac: given)
    }

    // MARK: With a user token

    /// Connects the user of a user token (a JWT from the app's backend), for the user API (v2). Sends nothing.
    ///
    /// The token of a connected user returns the same user; a new one replaces the previous one.
    ///
    /// - Parameters:
    ///   - userToken: The token, with the user's external id or e-mail address among its claims.
    ///   - refreshUserToken: Provides a new token before one expires, and when the service refuses one; nil: this is
    ///     the only one.
    /// - Throws: `invalidArgument` if it is not a JWT, or names no user; `invalidState` after ``shutdown()``.
    public func connectUser(
        userToken: String,
        refreshUserToken: UserTokenProvider? = nil
    ) throws(MagicBellError) -> MagicBellUser {
        guard let identity = try UserToken(userToken).user else {
            throw MagicBellError(
                .invalidArgument,
                "The user token names no user; add the claim \"user_external_id\" or \"user_email\"."
            )
        }
        let credentials = try UserCredentials.userToken(userToken, refresh: refreshUserToken)
        return try connect(identity, credentials, replaces: true)
    }

    /// Connects a user whose user tokens, for the user API (v2), come from `refreshUserToken`, which is called before
    /// the first request. Sends nothing now.
    ///
    /// - Parameters:
    ///   - email: The user's e-mail address, if the tokens name it.
    ///   - externalID: The user's external id, if the tokens name it.
    ///   - refreshUserToken: Provides a token, also before one expires and when the service refuses one.
    /// - Throws: `invalidArgument` without an identifier; `invalidState` after ``shutdown()``.
    public func connectUser(
        email: String? = nil,
        externalID: String? = nil,
        refreshUserToken: @escaping UserTokenProvider
    ) throws(MagicBellError) -> MagicBellUser {
        let credentials = try UserCredentials.userToken(refresh: refreshUserToken)
        return try connect(UserIdentity(email: email, externalID: externalID), credentials, replaces: true)
    }

    // MARK: Both

    private func connect(
        _ identity: UserIdentity,
        _ credentials: UserCredentials,
        replaces: Bool
    ) throws(MagicBellError) -> MagicBellUser {
        try shared.withLock { (shared) throws(MagicBellError) in
            if shared.isShutDown { throw .shutDown }
            let hasToken = credentials.isUserToken
            if case .one(let index) = shared.users.match(identity, hasToken: hasToken) {
                let entry = shared.users[index]
                // An e-mail address alone does not change a user with an external id.
                guard identity.identifier == entry.identity.identifier else { return entry.user }
                let isNew = identity.email != nil && identity != entry.identity
                if isNew {
                    shared.users.setIdentity(identity, at: index)
                    entry.user.setIdentity(identity)
                }
                if replaces || isNew {
                    entry.user.authorization.replace(credentials)
                    entry.user.device.credentialsChanged(entry.user.identity, credentials)
                    shared.jobs?.send(.reconnect(entry.user))
                }
                return entry.user
            }
            let user = makeUser(identity, credentials, in: &shared)
            shared.users.add(user, identity, hasToken: hasToken)
            shared.jobs?.send(.user(user))
            return user
        }
    }

    private func makeUser(
        _ identity: UserIdentity,
        _ credentials: UserCredentials,
        in shared: inout Shared
    ) -> MagicBellUser {
        let hasToken = credentials.isUserToken
        let authorization = UserAuthorization(credentials, context: context)
        let api = services.makeAPI(authorization, hasToken)
        let makeRealtime = services.makeRealtime
        let access = DeviceRegistration.Access(api: api, user: identity, hmac: credentials.hmac)
        return MagicBellUser(
            identity,
            authorization: authorization,
            api: api,
            device: device(of: DeviceOwner(identity, hasToken: hasToken), access, in: &shared),
            context: context,
            pageSize: pageSize,
            apiKey: apiKey,
            makeSource: { makeRealtime(api) }
        )
    }

    // MARK: Disconnecting

    /// Ends everything of the user who was connected with this e-mail address, and of no other: the stores, the
    /// realtime feed, calls in flight. Unregisters the device, and waits for that.
    ///
    /// Without such a user, it does nothing.
    ///
    /// - Throws: The reason why the device could not be unregistered; the user is disconnected in any case, and
    ///   ``run()`` retries; ``pendingUnregistrations`` is what a later run of the program has to do. `invalidArgument`
    ///   when several users were connected with this address and different external ids: none is disconnected.
    public func disconnectUser(email: String) async throws(MagicBellError) {
        try await disconnect(UserIdentity(email: email))
    }

    /// Ends everything of the user with this external id. See ``disconnectUser(email:)``.
    public func disconnectUser(externalID: String) async throws(MagicBellError) {
        try await disconnect(UserIdentity(externalID: externalID))
    }

    /// Ends everything of the user with this external id, as ``disconnectUser(externalID:)`` does.
    public func disconnectUser(email: String, externalID: String) async throws(MagicBellError) {
        try await disconnect(UserIdentity(email: email, externalID: externalID))
    }

    /// Ends everything of `user`. See ``disconnectUser(email:)``.
    public func disconnectUser(_ user: MagicBellUser) async throws(MagicBellError) {
        let index = shared.withLock { $0.users.entries.firstIndex { $0.user === user } }
        if index != nil { try await disconnect(user.identity) }
    }

    private func disconnect(_ identity: UserIdentity) async throws(MagicBellError) {
        let users = try shared.withLock { (shared) throws(MagicBellError) in
            if shared.isShutDown { throw .shutDown }
            var users: [MagicBellUser] = []
            for hasToken in [false, true] {
                switch shared.users.match(identity, hasToken: hasToken) {
                case .none: break
                case .one(let index): users.append(shared.users.remove(at: index))
                case .several:
                    throw MagicBellError(
                        .invalidArgument,
                        "Several connected users have this e-mail address; disconnect one by its external id."
                    )
                }
            }
            return users
        }
        var failure: MagicBellError?
        for user in users {
            user.end(.disconnected)
            user.device.want(nil)
        }
        for user in users {
            do throws(MagicBellError) { try await user.device.synchronize() } catch { failure = failure ?? error }
            user.device.wake()
        }
        removeUnusedDevices()
        if let failure { throw failure }
    }
}
