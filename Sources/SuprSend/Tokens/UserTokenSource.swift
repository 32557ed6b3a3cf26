import FoundationEssentials
package import Logging

/// Holds the user token and refreshes it: on demand, one provider call at a time, for every feed of a client.
package actor UserTokenSource {
    private let provider: UserTokenProvider?
    private let distinctID: String
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Duration
    private let logger: Logger
    private var refresh = TokenRefresh()
    private var isAsking = false
    private var waiting: [AsyncStream<Never>.Continuation] = []

    package init(provider: UserTokenProvider?, distinctID: String, surroundings: Surroundings, logger: Logger) {
        self.provider = provider
        self.distinctID = distinctID
        now = surroundings.now
        uptime = surroundings.clock.stopwatch()
        self.logger = logger
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
        guard let provider else { return }
        while isAsking {
            let (turn, waiter) = AsyncStream<Never>.makeStream()
            waiting.append(waiter)
            for await _ in turn {}
            if Task.isCancelled { throw .cancelled }
        }
        guard isDue(refresh) else { return }
        isAsking = true
        defer {
            isAsking = false
            for waiter in waiting { waiter.finish() }
            waiting = []
        }
        do {
            let text = try await provider(refresh.token?.rawValue)
            refresh.provided(try Self.sendable(text), uptime: uptime())
            warnAboutStrangers()
        } catch {
            // The next in line asks anew; the failure is not the provider's.
            if Task.isCancelled { throw .cancelled }
            refresh.failed(Self.describe(error), uptime: uptime())
            logger.warning("user token not refreshed", metadata: ["error": "\(refresh.failure?.message ?? "")"])
        }
    }

    /// Without surrounding blanks (commands end their output with a line feed); nothing left means "none".
    private static func sendable(_ text: String?) throws(SuprSendError) -> String? {
        guard let text else { return nil }
        let token = String(
            text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed()
        )
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SuprSendError(
                .unauthorized,
                "The user token holds characters that no token has; check where it comes from."
            )
        }
        return token.isEmpty ? nil : token
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
