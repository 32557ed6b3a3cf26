import FoundationEssentials
import Logging

/// Holds the user token and refreshes it: on demand, one provider call at a time, for everything a client does for a person.
package actor UserTokenSource {
    private var provider: UserTokenProvider?
    private let distinctID: String
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private var refresh: TokenRefresh
    private let asking = SerialGate()

    /// `token` serves until the service refuses it or it is about to expire; nil: the provider is asked before the first request.
    package init(provider: UserTokenProvider?, token: UserToken? = nil, distinctID: String, workspace: Workspace) {
        self.provider = provider
        self.distinctID = distinctID
        now = { workspace.now }
        uptime = workspace.surroundings.clock.stopwatch()
        logger = workspace.logger
        refresh = TokenRefresh(token: token)
    }

    /// Whether there is a token, or somebody to ask for one.
    var hasToken: Bool { refresh.token != nil || provider != nil }

    /// Another token, another provider, or both; nil: the one there is stays. Says whether the token is another one.
    @discardableResult
    func replace(token: UserToken?, provider: UserTokenProvider?) -> Bool {
        if let provider { self.provider = provider }
        guard let token, token != refresh.token else { return false }
        refresh = TokenRefresh(token: token)
        return true
    }

    /// The token to send now, refreshed if it is about to expire; nil: send none.
    /// Throws when the provider failed and there is no earlier token.
    package func current() async throws(SuprSendError) -> UserToken? {
        try await ask { $0.isDue(now: self.now(), uptime: self.uptime()) }
        if refresh.token == nil, let failure = refresh.failure { throw failure }
        return refresh.token
    }

    /// After the service refused `rejected`: another token, or nil when there is none to try.
    package func replacement(for rejected: String?) async throws(SuprSendError) -> UserToken? {
        try await ask { $0.isDue(rejected: rejected, uptime: self.uptime()) }
        guard let token = refresh.token, token.rawValue != rejected else { return nil }
        return token
    }

    /// Asks the provider if `isDue`, after whoever is asking it already: their answer may have settled the matter.
    private func ask(if isDue: (TokenRefresh) -> Bool) async throws(SuprSendError) {
        guard provider != nil, isDue(refresh) else { return }
        try await asking.pass { () async throws(SuprSendError) in
            guard let provider, isDue(refresh) else { return }
            do {
                let text = try await provider(refresh.token?.rawValue)
                refresh.provided(try Self.readable(text), uptime: uptime())
                warnAboutStrangers()
            } catch {
                // The next in line asks anew; the failure is not the provider's.
                if Task.isCancelled { throw .cancelled }
                refresh.failed(Self.describe(error), uptime: uptime())
                logger.warning("user token not refreshed", metadata: ["error": "\(refresh.failure?.message ?? "")"])
            }
        }
    }

    /// Without surrounding blanks (commands end their output with a line feed); nothing left means "none".
    private static func readable(_ text: String?) throws(SuprSendError) -> UserToken? {
        guard let text else { return nil }
        let token = String(
            text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed()
        )
        if token.isEmpty { return nil }
        do { return try UserToken(token) } catch {
            throw SuprSendError(.unauthorized, error.message + " Check where it comes from.")
        }
    }

    private static func describe(_ error: any Error) -> SuprSendError {
        if let error = error as? SuprSendError { return error }
        return SuprSendError(.unauthorized, "The user token could not be obtained: \(Redaction.tokens(in: "\(error)"))")
    }

    private func warnAboutStrangers() {
        if let stranger = refresh.token?.distinctID, stranger != distinctID {
            logger.warning(
                "user token is for another user",
                metadata: ["token_for": "\(stranger)", "user": "\(distinctID)"]
            )
        }
    }
}
