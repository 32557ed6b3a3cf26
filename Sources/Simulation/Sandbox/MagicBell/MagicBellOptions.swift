/// The options of a sandbox that simulates MagicBell. The defaults suit tests.
package struct MagicBellOptions: Sendable, Equatable {
    /// The project's key that `X-MAGICBELL-API-KEY` and a user token must carry.
    package var apiKey: String
    /// The first users, by their e-mail address, which has an "@", or their external id. As at MagicBell, a request
    /// of an unknown user creates the user.
    package var users: [String]
    /// The project's secret that `X-MAGICBELL-USER-HMAC` is made with.
    package var hmacSecret: String
    /// Refuse requests without a valid `X-MAGICBELL-USER-HMAC`, unless they carry a user token.
    package var requireHMAC: Bool
    /// The secret that user tokens are signed with (HS256).
    package var jwtSecret: String
    /// The lifetime of user tokens made by the `token` command, in seconds.
    package var tokenLifetime: Int64
    /// The lifetime of Ably tokens, in milliseconds.
    package var ablyTokenLifetime: Int64
    /// Ably's `connectionStateTtl`: how long a lost connection can be resumed, in milliseconds.
    package var connectionStateTTL: Int64
    /// Ably's `maxIdleInterval`: the interval between heartbeats, in milliseconds.
    package var maxIdleInterval: Int64

    package init(
        apiKey: String = "pk_sandbox",
        users: [String] = ["user-1"],
        hmacSecret: String = "sandbox-secret",
        requireHMAC: Bool = false,
        jwtSecret: String = "sandbox-secret",
        tokenLifetime: Int64 = 3600,
        ablyTokenLifetime: Int64 = 3_600_000,
        connectionStateTTL: Int64 = 120_000,
        maxIdleInterval: Int64 = 15_000
    ) {
        self.apiKey = apiKey
        self.users = users
        self.hmacSecret = hmacSecret
        self.requireHMAC = requireHMAC
        self.jwtSecret = jwtSecret
        self.tokenLifetime = tokenLifetime
        self.ablyTokenLifetime = ablyTokenLifetime
        self.connectionStateTTL = connectionStateTTL
        self.maxIdleInterval = maxIdleInterval
    }

    /// A user token that the sandbox accepts until it invalidates all of them.
    ///
    /// - Parameters:
    ///   - user: An external id, or an e-mail address, which has an "@".
    ///   - expiresAt: Unix time in seconds.
    package func userToken(of user: String, expiresAt: Int64) -> String {
        let isEmail = user.contains("@")
        return SignedUserToken.make(
            externalID: isEmail ? nil : user,
            email: isEmail ? user : nil,
            apiKey: apiKey,
            issuedAt: 0,
            expiresAt: expiresAt,
            secret: jwtSecret
        )
    }
}
