import FoundationEssentials

/// Decides when a user token is asked for. Single flight is its owner's business.
struct TokenRefresh: Sendable, Equatable {
    /// A token is replaced this long before it expires, so that none expires on its way.
    static let margin: TimeInterval = 30
    /// The provider is not asked again sooner: a token of a shorter life, or one refused again and again, causes no loop.
    static let minimumInterval = Duration.seconds(5)

    private(set) var token: UserToken?
    /// Why there is no token, after the provider failed.
    private(set) var failure: SuprSendError?
    private var hasAsked: Bool
    /// When the provider was last asked again, or last failed. The first answer does not count: it may be old, and refused at once.
    private var lastRefresh: Duration?

    /// With the token that there is already, if there is one.
    init(token: UserToken? = nil) {
        self.token = token
        hasAsked = token != nil
    }

    /// Whether the provider is to be asked before a request.
    func isDue(now: Date, uptime: Duration) -> Bool {
        guard hasAsked else { return true }
        guard isAllowed(uptime) else { return false }
        if failure != nil { return true }
        guard let expiry = token?.expiresOn else { return false }
        return expiry.timeIntervalSince(now) <= Self.margin
    }

    /// Whether the provider is to be asked because the service refused `rejected` (nil: a request without a token).
    func isDue(rejected: String?, uptime: Duration) -> Bool {
        rejected == token?.rawValue && isAllowed(uptime)
    }

    /// The provider answered.
    mutating func provided(_ new: UserToken?, uptime: Duration) {
        if hasAsked { lastRefresh = uptime }
        hasAsked = true
        failure = nil
        // "None" in answer to a refresh says that there is no better one than the present.
        if let new { token = new }
    }

    /// The provider failed. A token that is there stays: the service decides whether it still serves.
    mutating func failed(_ error: SuprSendError, uptime: Duration) {
        lastRefresh = uptime
        hasAsked = true
        failure = error
    }

    private func isAllowed(_ uptime: Duration) -> Bool {
        lastRefresh.map { uptime - $0 >= Self.minimumInterval } ?? true
    }
}
