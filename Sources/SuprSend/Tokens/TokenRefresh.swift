import FoundationEssentials

/// Decides when to request a user token. The owner makes sure that only one request is in flight.
struct TokenRefresh: Sendable, Equatable {
    /// A token is refreshed this long before it expires, so that it does not expire in transit.
    static let margin: TimeInterval = 30
    /// The minimum interval between refreshes: a token with a shorter lifetime, or one that is always refused, causes
    /// no loop.
    static let minimumInterval = Duration.seconds(5)

    private(set) var token: UserToken?
    /// The provider's last failure; nil after a success.
    private(set) var failure: SuprSendError?
    private var hasAsked: Bool
    /// The time of the last refresh or failure. The first token does not count: it may be old and refused at once.
    private var lastRefresh: Duration?

    /// Starts with a token, if there is one.
    init(token: UserToken? = nil) {
        self.token = token
        hasAsked = token != nil
    }

    /// Whether to request a token before a request to the service.
    func isDue(now: Date, uptime: Duration) -> Bool {
        guard hasAsked else { return true }
        guard isAllowed(uptime) else { return false }
        if failure != nil { return true }
        guard let expiry = token?.expiresOn else { return false }
        return expiry.timeIntervalSince(now) <= Self.margin
    }

    /// Whether to request a token because the service refused `rejected` (nil: a request without a token).
    func isDue(rejected: String?, uptime: Duration) -> Bool {
        rejected == token?.rawValue && isAllowed(uptime)
    }

    /// The provider returned a token, or nil.
    mutating func provided(_ new: UserToken?, uptime: Duration) {
        if hasAsked { lastRefresh = uptime }
        hasAsked = true
        failure = nil
        // Nil from a refresh: the provider has no newer token, the present one stays.
        if let new { token = new }
    }

    /// The provider failed. The present token stays: the service decides whether it is valid.
    mutating func failed(_ error: SuprSendError, uptime: Duration) {
        lastRefresh = uptime
        hasAsked = true
        failure = error
    }

    private func isAllowed(_ uptime: Duration) -> Bool {
        lastRefresh.map { uptime - $0 >= Self.minimumInterval } ?? true
    }
}
