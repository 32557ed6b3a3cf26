package import FoundationEssentials

/// A token that may have an expiry time.
package protocol ExpiringToken: Sendable, Hashable {
    /// The encoded token. A secret.
    var rawValue: String { get }
    /// nil: unknown.
    var expiresOn: Date? { get }
}

extension ExpiringToken {
    /// Whether the token has not expired, as far as is known.
    func isUsable(at date: Date) -> Bool { expiresOn.map { $0 > date } ?? true }
}

/// Decides when to request a user token. The owner makes sure that only one request is in flight.
package struct TokenRefresh<Token: ExpiringToken, Failure: Error & Equatable>: Sendable, Equatable {
    /// A token is refreshed this long before it expires, so that it does not expire in transit.
    package static var margin: TimeInterval { 30 }
    /// The minimum interval between refreshes: a token with a shorter lifetime, or one that is always refused, causes
    /// no loop.
    package static var minimumInterval: Duration { .seconds(5) }

    package private(set) var token: Token?
    /// The provider's last failure; nil after a success.
    package private(set) var failure: Failure?
    private var hasAsked: Bool
    /// Whether the service refused the present token.
    private var isRefused = false
    /// Whether the next request asks the provider first, at once.
    private var mustAsk = false
    /// The time of the last refresh or failure. The first token does not count: it may be old and refused at once.
    private var lastRefresh: Duration?

    /// Starts with a token, if there is one.
    package init(token: Token? = nil) {
        self.token = token
        hasAsked = token != nil
    }

    /// Whether to request a token before a request to the service.
    package func isDue(now: Date, uptime: Duration) -> Bool {
        guard hasAsked, !mustAsk else { return true }
        guard isAllowed(uptime) else { return false }
        if failure != nil { return true }
        guard let expiry = token?.expiresOn else { return false }
        return expiry.timeIntervalSince(now) <= Self.margin
    }

    /// Whether to request a token because the service refused `rejected` (nil: a request without a token).
    package func isDue(rejected: String?, uptime: Duration) -> Bool {
        rejected == token?.rawValue && (mustAsk || isAllowed(uptime))
    }

    /// The service refused `rejected` (nil: a request without a token).
    package mutating func refused(_ rejected: String?) {
        if rejected == token?.rawValue { isRefused = true }
    }

    /// The user asks for another attempt: a token that was refused or is missing is requested again at once.
    package mutating func renew() { mustAsk = isRefused || failure != nil }

    /// The provider returned a token, or nil.
    package mutating func provided(_ new: Token?, uptime: Duration) {
        if hasAsked { lastRefresh = uptime }
        hasAsked = true
        mustAsk = false
        failure = nil
        if let new, new != token { isRefused = false }
        // Nil from a refresh: the provider has no newer token, the present one stays.
        if let new { token = new }
    }

    /// The provider failed. The present token stays: the service decides whether it is valid.
    package mutating func failed(_ error: Failure, uptime: Duration) {
        lastRefresh = uptime
        hasAsked = true
        mustAsk = false
        failure = error
    }

    private func isAllowed(_ uptime: Duration) -> Bool {
        lastRefresh.map { uptime - $0 >= Self.minimumInterval } ?? true
    }
}
