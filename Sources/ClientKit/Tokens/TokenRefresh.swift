package import FoundationEssentials

/// A token that may say when it expires.
package protocol ExpiringToken: Sendable, Hashable {
    /// The token as it is sent. A secret.
    var rawValue: String { get }
    /// nil: not said.
    var expiresOn: Date? { get }
}

/// Decides when a user token is asked for. Single flight is its owner's business.
package struct TokenRefresh<Token: ExpiringToken, Failure: Error & Equatable>: Sendable, Equatable {
    /// A token is replaced this long before it expires, so that none expires on its way.
    package static var margin: TimeInterval { 30 }
    /// The provider is not asked again sooner: a token of a shorter life, or one refused again and again, causes no loop.
    package static var minimumInterval: Duration { .seconds(5) }

    package private(set) var token: Token?
    /// Why there is no token, after the provider failed.
    package private(set) var failure: Failure?
    private var hasAsked: Bool
    /// When the provider was last asked again, or last failed. The first answer does not count: it may be old, and refused at once.
    private var lastRefresh: Duration?

    /// With the token that there is already, if there is one.
    package init(token: Token? = nil) {
        self.token = token
        hasAsked = token != nil
    }

    /// Whether the provider is to be asked before a request.
    package func isDue(now: Date, uptime: Duration) -> Bool {
        guard hasAsked else { return true }
        guard isAllowed(uptime) else { return false }
        if failure != nil { return true }
        guard let expiry = token?.expiresOn else { return false }
        return expiry.timeIntervalSince(now) <= Self.margin
    }

    /// Whether the provider is to be asked because the service refused `rejected` (nil: a request without a token).
    package func isDue(rejected: String?, uptime: Duration) -> Bool {
        rejected == token?.rawValue && isAllowed(uptime)
    }

    /// The provider answered.
    package mutating func provided(_ new: Token?, uptime: Duration) {
        if hasAsked { lastRefresh = uptime }
        hasAsked = true
        failure = nil
        // "None" in answer to a refresh says that there is no better one than the present.
        if let new { token = new }
    }

    /// The provider failed. A token that is there stays: the service decides whether it still serves.
    package mutating func failed(_ error: Failure, uptime: Duration) {
        lastRefresh = uptime
        hasAsked = true
        failure = error
    }

    private func isAllowed(_ uptime: Duration) -> Bool {
        lastRefresh.map { uptime - $0 >= Self.minimumInterval } ?? true
    }
}
