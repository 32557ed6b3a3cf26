import ClientKit

/// Signing a person in and out (suprsend.md §6.3).
extension SuprSendClient {
    /// What is kept in the client's storage (suprsend.md §1.7).
    private static let identifiedKey = "ss_distinct_id"

    /// Makes this the client of one person.
    ///
    /// The service is told once per person and storage, with an `$identify` event. If it refuses, or cannot be reached, nobody is
    /// identified. Called again for the same person, it takes over what is given and sends nothing.
    ///
    /// - Parameters:
    ///   - distinctID: The person.
    ///   - userToken: Their token, a JWT; nil: the present one stays, or `refreshUserToken` is asked before the first request.
    ///   - tenantID: The active tenant, within the token's scope; nil: the present one stays.
    ///   - createUser: Whether to send `$identify`. False: nothing is sent, and the service must know the person already.
    ///   - refreshUserToken: Obtains a token; nil: the present one stays.
    /// - Throws: `invalidArgument` for an empty id and a token that is no JWT; `invalidState` when somebody else is identified; what
    ///   the service says against it.
    public func identify(
        _ distinctID: String,
        userToken: String? = nil,
        tenantID: String? = nil,
        createUser: Bool = true,
        refreshUserToken: UserTokenProvider? = nil
    ) async throws(SuprSendError) {
        let token: UserToken? = if let userToken { try UserToken(userToken) } else { nil }
        let new = try Identity(
            distinctID: distinctID,
            tenantID: tenantID,
            token: token,
            provider: refreshUserToken,
            workspace: workspace
        )
        try await changing.pass { () async throws(SuprSendError) in
            if var present = identity.current {
                guard present.distinctID == distinctID else {
                    throw .validation(
                        .invalidState,
                        "\"\(distinctID)\" cannot be identified: another person is; call reset() first."
                    )
                }
                await present.tokens.replace(token: token, provider: refreshUserToken)
                if let tenantID { present.tenantID = tenantID }
                identity.set(present)
                return
            }
            if createUser, await storage.read(Self.identifiedKey, workspace.logger) != distinctID {
                let contents = Event.Contents.named("$identify", ["$identified_id": .string(distinctID)])
                try await events.send(contents, as: new)
                await storage.write(distinctID, Self.identifiedKey, workspace.logger)
            }
            identity.set(new)
            await push.identified()
        }
    }

    /// Whether a person is identified; with `checkUserToken`, whether there is also a token for them or somebody to ask for one.
    public func isIdentified(checkUserToken: Bool = false) async -> Bool {
        guard let identity = identity.current else { return false }
        return checkUserToken ? await identity.tokens.hasToken : true
    }

    /// The person identified; nil: nobody.
    public var distinctID: String? { identity.current?.distinctID }

    /// The active tenant; nil: none was named, which the service takes as `default`.
    public var tenantID: String? { identity.current?.tenantID }

    /// Signs the person out: sends their preference changes that wait, takes this device's push token off their profile (unless told
    /// not to), ends their feeds, and forgets them and their tokens. What of it needs the service and fails is only logged.
    public func reset(unsubscribePush: Bool = true) async {
        // Cancelled while waiting for a change under way: the caller has no use for it any more.
        try? await changing.pass { () async throws(SuprSendError) in
            guard identity.current != nil else { return }
            await preferences.reset()
            if unsubscribePush { await push.forgottenByPerson() }
            await feeds.removeAll()
            identity.set(nil)
            await storage.write(nil, Self.identifiedKey, workspace.logger)
        }
    }

    /// Makes another tenant the active one: for events, preferences and feeds from now on. Feeds and preferences that are loaded
    /// already keep theirs.
    ///
    /// - Parameters:
    ///   - tenantID: The tenant, within the user token's scope.
    ///   - pushTokenAction: What becomes of this device's push token.
    /// - Throws: `invalidArgument` for an empty id, `invalidState` when nobody is identified, and what the service says against moving
    ///   the push token; the active tenant then stays.
    public func changeTenant(
        _ tenantID: String,
        pushTokenAction: Push.TenantAction = .none
    ) async throws(SuprSendError) {
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
