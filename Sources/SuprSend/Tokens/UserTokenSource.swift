import FoundationEssentials
import Logging

/// Holds a user's token and refreshes it on demand, with one provider call at a time.
package actor UserTokenSource {
    private var provider: UserTokenProvider?
    private let distinctID: String
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private var refresh: TokenRefresh
    private let asking = SerialGate()

    /// `token` is used until it is refused or about to expire; nil: the provider is called before the first request.
    package init(provider: UserTokenProvider?, token: UserToken? = nil, distinctID: String, workspace: Workspace) {
        self.provider = provider
        self.distinctID = distinctID
        now = { workspace.now }
        uptime = workspace.surroundings.clock.stopwatch()
        logger = workspace.logger
        refresh = TokenRefresh(token: token)
    }

    /// Whether a token or a provider is available.
    var hasToken: Bool { refresh.token != nil || provider != nil }

    /// Replaces the token, the provider, or both; nil: the present one stays. Returns whether the token changed.
    @discardableResult
    func replace(token: UserToken?, provider: UserTokenProvider?) -> Bool {
        if let provider { self.provider = provider }
        guard let token, token != refresh.token else { return false }
        refresh = TokenRefresh(token: token)
        return true
    }

    /// The token for a request, refreshed if it is about to expire; nil: none. Throws when the provider failed and
    /// there is no earlier token.
    package func current() async throws(SuprSendError) -> UserToken? {
        try await ask { $0.isDue(now: self.now(), uptime: self.uptime()) }
        if refresh.token == nil, let failure = refresh.failure { throw failure }
        return refresh.token
    }

    /// The token for a retry after the service refused `rejected`; nil: there is none.
    package func replacement(for rejected: String?) async throws(SuprSendError) -> UserToken? {
        try await ask { $0.isDue(rejected: rejected, uptime: self.uptime()) }
        guard let token = refresh.token, token.rawValue != rejected else { return nil }
        return token
    }

    /// Calls the provider if `isDue`, after any call in flight, whose result may make this one unnecessary.
    private func ask(if isDue: (TokenRefresh) -> Bool) async throws(SuprSendError) {
        guard provider != nil, isDue(refresh) else { return }
        try await asking.pass { () async throws(SuprSendError) in
            guard let provider, isDue(refresh) else { return }
            do {
                let text = try await provider(refresh.token?.rawValue)
                refresh.provided(try Self.readable(text), uptime: uptime())
                warnAboutStrangers()
            } catch {
                // The next waiting call tries again; the provider did not fail.
                if Task.isCancelled { throw .cancelled }
                refresh.failed(Self.describe(error), uptime: uptime())
                logger.warning("user token not refreshed", metadata: ["error": "\(refresh.failure?.message ?? "")"])
            }
        }
    }

    /// Trims white space (the output of commands ends with a line feed); an empty text means "no token".
    private static func readable(_ text: String?) throws(SuprSendError) -> UserToken? {
        guard let text else { return nil }
        let token = String(
            text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed()
        )
        if token.isEmpty { return nil }
        do { return try UserToken(token) } catch {
            throw SuprSendError(.unauthorized, error.message + " Check its source.")
        }
    }

    private static func describe(_ error: any Error) -> SuprSendError {
        if let error = error as? SuprSendError { return error }
        return SuprSendError(.unauthorized, "The user token could not be obtained: \(Redaction.tokens(in: "\(error)"))")
    }

    private func warnAboutStrangers() {
        if let other = refresh.token?.distinctID, other != distinctID {
            logger.warning(
                "user token is for another user",
                metadata: ["token_for": "\(other)", "user": "\(distinctID)"]
            )
        }
    }
}
