import Basics
import ClientKit

/// A token of Ably, and how long it is still valid (nil: unknown).
package struct AblyToken: Sendable, Equatable {
    /// A secret.
    package var value: String
    package var lifetime: Duration?
}

/// Obtains Ably's tokens through the service, and keeps the present one.
actor AblyTokens {
    /// A token that expires sooner is not used for another connection.
    private static let minimumLifetime = Duration.seconds(5)

    private let api: any InboxAPI
    private let exchange: AblyTokenExchange
    private let environment: ClientEnvironment
    private let uptime: @Sendable () -> Duration
    /// The token, and the uptime at its expiry.
    private var present: (token: String, expiry: Duration?)?

    init(api: any InboxAPI, exchange: AblyTokenExchange, environment: ClientEnvironment) {
        self.api = api
        self.exchange = exchange
        self.environment = environment
        uptime = environment.clock.stopwatch()
    }

    /// The time since a fixed moment.
    nonisolated var now: Duration { uptime() }

    /// The present token, or a new one if there is none or it is about to expire.
    func current() async throws(MagicBellError) -> AblyToken {
        if let (token, expiry) = present {
            let lifetime = expiry.map { $0 - uptime() }
            if lifetime.map({ $0 > Self.minimumLifetime }) ?? true {
                return AblyToken(value: token, lifetime: lifetime)
            }
        }
        return try await renewed()
    }

    /// A new token, which replaces the present one.
    func renewed() async throws(MagicBellError) -> AblyToken {
        let details: TokenDetails
        switch try await api.realtimeTokenRequest() {
        case .request(let json):
            guard let request = TokenRequest(json) else {
                throw MagicBellError(.unexpectedAnswer, "The service's request for an Ably token names no key.")
            }
            details = try await exchange.token(for: request)
        case .token(let token, let expires):
            guard TokenDetails.isValid(token) else {
                throw MagicBellError(.unexpectedAnswer, "The service's Ably token is not a valid token.")
            }
            details = TokenDetails(token: token, expires: expires)
        }
        let lifetime = details.lifetime(receivedAt: Timestamp(environment.now()))
        present = (details.token, lifetime.map { uptime() + $0 })
        return AblyToken(value: details.token, lifetime: lifetime)
    }

    /// The present token is not used again.
    func discard() { present = nil }
}
