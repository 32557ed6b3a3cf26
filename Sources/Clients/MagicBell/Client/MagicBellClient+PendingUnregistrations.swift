import Basics
import Synchronization

/// Unregistering devices across runs of the program.
extension MagicBellClient {
    /// The tokens that are to be unregistered and are not yet: the service failed, or was unreachable, when a user was
    /// disconnected or the token was replaced. ``run()`` retries these; what is left when the program ends has to be
    /// given to the client of its next run, with ``unregister(_:userToken:)``.
    ///
    /// Keep it when it is not empty after `disconnectUser` or `setDeviceToken`, and before ``shutdown()``.
    public var pendingUnregistrations: [PendingUnregistration] {
        shared.withLock(\.devices)
            .flatMap { owner, device in device.pending(needsUserToken: owner.hasToken) }
            .sorted { $0.user.identifier < $1.user.identifier }
    }

    /// Takes over what a previous run did not unregister. Sends nothing now: ``run()`` does, and retries it. A token
    /// that is also set as the device token of a connected user stays registered for that user.
    ///
    /// - Parameters:
    ///   - pending: ``pendingUnregistrations`` of the previous run.
    ///   - userToken: Provides a user token for a user who was connected with one, as ``UserTokenProvider`` does; nil:
    ///     there are no such users.
    /// - Throws: `invalidArgument` without a provider or an API key where one is needed, and for an empty token: then
    ///   nothing is taken over. `invalidState` after ``shutdown()``.
    public func unregister(
        _ pending: [PendingUnregistration],
        userToken: (@Sendable (_ user: UserIdentity, _ expired: String?) async throws -> String?)? = nil
    ) throws(MagicBellError) {
        var all: [(PendingUnregistration, UserCredentials)] = []
        for one in pending {
            try one.token.validate()
            all.append((one, try credentials(for: one, userToken)))
        }
        try shared.withLock { (shared) throws(MagicBellError) in
            if shared.isShutDown { throw .shutDown }
            for (one, credentials) in all { takeOver(one, credentials, in: &shared) }
        }
    }

    private func credentials(
        for pending: PendingUnregistration,
        _ userToken: (@Sendable (UserIdentity, String?) async throws -> String?)?
    ) throws(MagicBellError) -> UserCredentials {
        guard pending.needsUserToken else { return try credentials(of: pending.user, hmac: pending.hmac) }
        guard let userToken else {
            throw MagicBellError(
                .invalidArgument,
                "To unregister the device of a user who was connected with a user token, pass a provider of tokens."
            )
        }
        let user = pending.user
        return try .userToken(refresh: { expired in try await userToken(user, expired) })
    }

    private func takeOver(
        _ pending: PendingUnregistration,
        _ credentials: UserCredentials,
        in shared: inout Shared
    ) {
        let owner = DeviceOwner(pending.user, hasToken: pending.needsUserToken)
        let device: DeviceRegistration
        if let old = shared.devices[owner] {
            device = old
        } else {
            let authorization = UserAuthorization(credentials, context: context)
            let access = DeviceRegistration.Access(
                api: services.makeAPI(authorization, pending.needsUserToken),
                user: pending.user,
                hmac: credentials.hmac
            )
            device = DeviceRegistration(access, environment: context.environment, logger: context.logger)
            shared.devices[owner] = device
        }
        device.found(pending.token)
        shared.jobs?.send(.device(owner, device))
    }
}
