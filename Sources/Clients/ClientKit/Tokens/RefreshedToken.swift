import Basics
package import FoundationEssentials
package import Logging
import Synchronization

/// Holds a user's token and refreshes it on demand, with one provider call at a time.
package final class RefreshedToken<Token: ExpiringToken, Failure: Error & Equatable>: Sendable {
    /// Returns a token, or nil for none; `expired` is the one to replace, nil the first time.
    package typealias Provider = @Sendable (_ expired: String?) async throws -> String?

    /// How a client library reads its tokens.
    package struct Rules: Sendable {
        /// Parses the provider's text, which is not empty and has no white space around it.
        package var read: @Sendable (String) throws(Failure) -> Token
        /// Converts the provider's error.
        package var failure: @Sendable (any Error) -> Failure
        /// The error after a cancellation.
        package var cancellation: Failure
        /// Called with each new token.
        package var accepted: @Sendable (Token) -> Void

        package init(
            read: @escaping @Sendable (String) throws(Failure) -> Token,
            failure: @escaping @Sendable (any Error) -> Failure,
            cancellation: Failure,
            accepted: @escaping @Sendable (Token) -> Void
        ) {
            self.read = read
            self.failure = failure
            self.cancellation = cancellation
            self.accepted = accepted
        }
    }

    private struct State: Sendable {
        var provider: Provider?
        var refresh: TokenRefresh<Token, Failure>
    }

    private let state: Mutex<State>
    private let rules: Rules
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private let asking = SerialGate()

    /// `token` is used until it is refused or about to expire; nil: the provider is called before the first request.
    ///
    /// - Parameter now: The present time by the service's clock.
    package init(
        provider: Provider?,
        token: Token? = nil,
        rules: Rules,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        logger: Logger
    ) {
        state = Mutex(State(provider: provider, refresh: TokenRefresh(token: token)))
        self.rules = rules
        self.now = now
        uptime = clock.stopwatch()
        self.logger = logger
    }

    /// Whether a token or a provider is available.
    package var hasToken: Bool { state.withLock { $0.refresh.token != nil || $0.provider != nil } }

    /// Replaces the token, the provider, or both; nil: the present one stays. Returns whether the token changed.
    @discardableResult
    package func replace(token: Token?, provider: Provider?) -> Bool {
        state.withLock { state in
            if let provider { state.provider = provider }
            guard let token, token != state.refresh.token else { return false }
            state.refresh = TokenRefresh(token: token)
            return true
        }
    }

    /// The token for a request, refreshed if it is about to expire; nil: none. Throws when the provider failed and
    /// there is no earlier token, or only one that has expired: the service would refuse it, which would hide why.
    package func current() async throws(Failure) -> Token? {
        try await ask { $0.isDue(now: self.now(), uptime: self.uptime()) }
        let refresh = state.withLock(\.refresh)
        if let failure = refresh.failure, refresh.token?.isUsable(at: now()) != true { throw failure }
        return refresh.token
    }

    /// The token for a retry after the service refused `rejected`; nil: there is none. Throws when the provider failed.
    package func replacement(for rejected: String?) async throws(Failure) -> Token? {
        state.withLock { $0.refresh.refused(rejected) }
        try await ask { $0.isDue(rejected: rejected, uptime: self.uptime()) }
        let refresh = state.withLock(\.refresh)
        if let token = refresh.token, token.rawValue != rejected { return token }
        if let failure = refresh.failure { throw failure }
        return nil
    }

    /// The user asks for another attempt: a token that was refused or is missing is requested again before the next
    /// request, however short ago that was done.
    package func renew() { state.withLock { $0.refresh.renew() } }

    /// Calls the provider if `isDue`, after any call in flight, whose result may make this one unnecessary.
    private func ask(if isDue: (TokenRefresh<Token, Failure>) -> Bool) async throws(Failure) {
        guard needed(if: isDue) != nil else { return }
        try await asking.pass(orThrow: rules.cancellation) { () async throws(Failure) in
            guard let (provider, expired) = needed(if: isDue) else { return }
            do {
                let token = try readable(try await provider(expired))
                let present = state.withLock { state in
                    state.refresh.provided(token, uptime: uptime())
                    return state.refresh.token
                }
                if let present { rules.accepted(present) }
            } catch {
                // The next waiting call tries again; the provider did not fail.
                if Task.isCancelled { throw rules.cancellation }
                let failure = (error as? Failure) ?? rules.failure(error)
                state.withLock { $0.refresh.failed(failure, uptime: uptime()) }
                logger.warning("user token not refreshed", metadata: ["error": "\(failure)"])
            }
        }
    }

    /// The provider and the token to replace; nil: no refresh is due, or there is no provider.
    private func needed(if isDue: (TokenRefresh<Token, Failure>) -> Bool) -> (Provider, expired: String?)? {
        let (provider, refresh) = state.withLock { ($0.provider, $0.refresh) }
        guard let provider, isDue(refresh) else { return nil }
        return (provider, refresh.token?.rawValue)
    }

    /// Trims white space (the output of commands ends with a line feed); an empty text means "no token".
    private func readable(_ text: String?) throws(Failure) -> Token? {
        guard let text else { return nil }
        let token = String(
            text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed()
        )
        return token.isEmpty ? nil : try rules.read(token)
    }
}
