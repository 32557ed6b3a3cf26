import ClientKit

/// Sign-in and sign-out.
extension SuprSendClient {
    /// The storage key of the identified user, the same as in the service's own SDKs.
    private static let identifiedKey = "ss_distinct_id"

    /// Identifies the user of this client.
    ///
    /// Sends an `$identify` event, once per user and storage. If the service refuses it or is unreachable, no user is
    /// identified. Another call for the same user updates the given values and sends nothing.
    ///
    /// - Parameters:
    ///   - distinctID: The user's id.
    ///   - userToken: The user's token, a JWT; nil: the present one stays, or `refreshUserToken` is called before the
    ///     first request.
    ///   - tenantID: The active tenant, within the token's scope; nil: the present one stays.
    ///   - createUser: Whether to send `$identify`. False: nothing is sent, and the user must exist at the service.
    ///   - refreshUserToken: Provides a token; nil: the present provider stays.
    /// - Throws: `invalidArgument` for an empty id or a token that is not a JWT; `invalidState` when another user is
    ///   identified; the service's refusal.
    public func identify(
        _ distinctID: String,
        userToken: String? = nil,
        tenantID: String? = nil,
        createUser: Bool = true,
        refreshUserToken: UserTokenProvider? = nil
    ) async throws(SuprSendError) {
        try context.checkNotShutDown()
        let token: UserToken? = if let userToken { try UserToken(userToken) } else { nil }
        let new = try Identity(
            distinctID: distinctID,
            tenantID: tenantID,
            token: token,
            provider: refreshUserToken,
            context: context
        )
        try await changing.pass { () async throws(SuprSendError) in
            if var present = identity.current {
                guard present.distinctID == distinctID else {
                    throw .validation(
                        .invalidState,
                        "\"\(distinctID)\" cannot be identified while another user is; call reset() first."
                    )
                }
                present.tokens.replace(token: token, provider: refreshUserToken)
                if let tenantID { present.tenantID = tenantID }
                identity.set(present)
                return
            }
            if createUser, await storage.read(Self.identifiedKey, context.logger) != distinctID {
                let contents = Event.Contents.named("$identify", ["$identified_id": .string(distinctID)])
                try await events.send(contents, as: new)
                await storage.write(distinctID, Self.identifiedKey, context.logger)
            }
            identity.set(new)
            await push.identified()
        }
    }

    /// Whether a user is identified; with `checkUserToken`, whether a token or a token provider is available, too.
    public func isIdentified(checkUserToken: Bool = false) async -> Bool {
        guard let identity = identity.current else { return false }
        return checkUserToken ? identity.tokens.hasToken : true
    }

    /// The identified user's id; nil: none.
    public var distinctID: String? { identity.current?.distinctID }

    /// The active tenant; nil: none is set, which the service treats as `default`.
    public var tenantID: String? { identity.current?.tenantID }

    /// Signs the user out: sends pending preference changes, removes this device's push token from the profile (if
    /// `unsubscribePush`), ends the user's feeds with what they keep, and discards user and token. Failed
    /// requests are only logged.
    public func reset(unsubscribePush: Bool = true) async {
        // Cancelled while waiting for another change: the caller no longer needs the result.
        try? await changing.pass { () async throws(SuprSendError) in
            guard identity.current != nil else { return }
            await preferences.reset()
            if unsubscribePush { await push.userSignedOut() }
            await feeds.removeAll(discardingKept: true)
            identity.set(nil)
            await storage.write(nil, Self.identifiedKey, context.logger)
        }
    }

    /// Changes the active tenant of events, preferences and feeds. Feeds and preferences that are already loaded keep
    /// theirs.
    ///
    /// - Parameters:
    ///   - tenantID: The tenant, within the user token's scope.
    ///   - pushTokenAction: Whether this device's push token stays, or is copied or moved to the new tenant.
    /// - Throws: `invalidArgument` for an empty id, `invalidState` when no user is identified, and the service's
    ///   refusal to move the push token; the active tenant then stays.
    public func changeTenant(
        _ tenantID: String,
        pushTokenAction: Push.TenantAction = .none
    ) async throws(SuprSendError) {
        try context.checkNotShutDown()
        if tenantID.isEmpty {
            throw .validation(.invalidArgument, "The tenant id is empty; name the tenant to change to.")
        }
        try await changing.pass { () async throws(SuprSendError) in
            let old = try identity.required()
            guard old.tenantID != tenantID else { return }
            var new = old
            new.tenantID = tenantID
            try await push.follow(pushTokenAction, from: old, to: new)
            identity.set(new)
        }
    }
}
