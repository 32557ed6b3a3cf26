/// The delay before the next attempt. It never gives up.
///
/// A delay is drawn uniformly from its window ("full jitter"), so that the clients of a restarting server do not
/// reconnect together. The random number is an argument, 0 to 1.
///
/// | In a row | Attempt failed | Lost without a close | Ended by the server | Credentials refused |
/// |---|---|---|---|---|
/// | 1 | 0.1 s … 1 s | 0.1 s … 5 s | 0.1 s … 30 s | 30 s … 60 s |
/// | 2 | 0.1 s … 2 s | 0.1 s … 10 s | 0.1 s … 30 s | 30 s … 120 s |
/// | 3 | 0.1 s … 4 s | 0.1 s … 15 s | 0.1 s … 30 s | 30 s … 240 s |
/// | 4 | 0.1 s … 8 s | 0.1 s … 15 s | 0.1 s … 30 s | 30 s … 300 s |
/// | 5 | 0.1 s … 15 s | 0.1 s … 15 s | 0.1 s … 30 s | 30 s … 300 s |
/// | 6 | 0.1 s … 30 s | | | |
/// | 7 and more | 0.1 s … 60 s | 0.1 s … 15 s | 0.1 s … 30 s | 30 s … 300 s |
///
/// A window is twice the previous one, whatever its cause, up to a limit: ``lostLimit`` after a connection that was
/// joined and after up to ``patientFailures`` failed attempts in a row, otherwise ``longestDelay``. Failed attempts
/// after an announced end continue with its window at once: 60 s.
///
/// Windows start over only after a connection that stayed joined for ``steadyUptime``, so that a server that accepts
/// and drops a client is not overloaded. A link that breaks every few seconds costs a wait of 7.6 s each time on
/// average, and 15 s at most. A connection that lasts longer, on a poor link or at a server that restarts every 20 s,
/// costs 2.6 s.
///
/// A server that ends a good connection most likely ends all of them. When 100,000 clients lose it at the same moment,
/// at most 6 % of them connect within one second, however long the outage lasts (packaging/benchmark, "fleet"), and at
/// most 9 % if it ends them again every few seconds. The cost: a single client that the server disconnected is back
/// after 15 s on average, and after 30 s at most.
///
/// A connection that breaks without a close is most often the fault of the client's own network, so the client is back
/// after 2.6 s on average, and after 5 s at most. If the server was the cause, 20 % of its clients connect within one
/// second, and up to 31 % during a longer outage, when second attempts coincide with first ones.
///
/// Events of the client's own host (network available, resume, the user's request) are independent of other clients:
/// there is no delay then.
package struct ReconnectPolicy: Sendable, Equatable {
    /// Why another attempt is needed.
    package enum Cause: Sendable, Equatable {
        /// An attempt or a request failed. It may succeed later, and other clients may not be affected.
        case failed
        /// A good connection broke without a close: a reset, an end of file, silence.
        case lost
        /// The server announced the end of the connection.
        case announced
        /// Only other credentials, or a change at the service, can help.
        case refused
    }

    package static let shortestDelay = Duration.milliseconds(100)
    package static let base = Duration.seconds(1)
    package static let lostBase = Duration.seconds(5)
    package static let announcedBase = Duration.seconds(30)
    /// The maximum delay after a connection that was joined, unless the server announced its end.
    package static let lostLimit = Duration.seconds(15)
    /// The failed attempts in a row after which delays exceed ``lostLimit``.
    package static let patientFailures = 5
    package static let longestDelay = Duration.seconds(60)
    package static let shortestRefusedDelay = Duration.seconds(30)
    /// The maximum delay, also for a server's Retry-After.
    package static let longestRefusedDelay = Duration.seconds(300)
    /// After this time joined, a connection counts as good.
    package static let steadyUptime = Duration.seconds(15)

    /// The scale of all delays, except those that a server requests. 1 except in tests.
    private let scale: Double
    /// The end of the last window, except those of refusals.
    private var window: Duration?
    /// The failed attempts since a connection was joined.
    private var failures = 0
    private var refusals = 0

    package init(scale: Double = 1) { self.scale = scale }

    /// The delay after a failed attempt or an ended connection.
    ///
    /// - Parameters:
    ///   - cause: Why it ended.
    ///   - uptime: How long it was joined; nil: never.
    ///   - retryAfter: The delay that the server requests (`Retry-After`). The jitter is added to it.
    ///   - jitter: A random number, 0 to 1; other values are clamped.
    package mutating func delay(
        after cause: Cause,
        uptime: Duration? = nil,
        retryAfter: Duration? = nil,
        jitter: Double
    ) -> Duration {
        if let uptime, uptime >= Self.steadyUptime { startOver() }
        let bounds: ClosedRange<Duration>
        if cause == .refused {
            // Stops doubling before an overflow.
            let end = refusals < 3 ? .seconds(60) * (1 << refusals) : Self.longestRefusedDelay
            bounds = Self.shortestRefusedDelay...end
            refusals += 1
        } else {
            // Only a joined connection can be lost.
            let wasJoined = uptime != nil || cause == .lost
            failures = wasJoined ? 0 : failures + 1
            let doubled = max(Self.firstWindow(after: cause), (window ?? .zero) * 2)
            let end = min(doubled, longestWindow(after: cause, wasJoined: wasJoined))
            window = end
            bounds = Self.shortestDelay...end
        }
        let delay = Self.draw(jitter, from: bounds)
        guard let retryAfter, retryAfter > .zero else { return delay * scale }
        return min(max(delay * scale, retryAfter + (delay - bounds.lowerBound) * scale), Self.longestRefusedDelay)
    }

    /// The delay after a request that failed.
    ///
    /// - Parameter jitter: As above.
    package mutating func delay(after error: some LibraryError, jitter: Double) -> Duration {
        delay(after: error.isRefusal ? .refused : .failed, retryAfter: error.retryAfter, jitter: jitter)
    }

    /// Starts over with the first windows, after a success.
    package mutating func startOver() { self = ReconnectPolicy(scale: scale) }

    private func longestWindow(after cause: Cause, wasJoined: Bool) -> Duration {
        if cause == .announced { return wasJoined ? Self.announcedBase : Self.longestDelay }
        // A wider window is that of an announced end, which keeps the clients of the server apart.
        let isWide = failures > Self.patientFailures || (window ?? .zero) > Self.lostLimit
        return isWide && !wasJoined ? Self.longestDelay : Self.lostLimit
    }

    private static func firstWindow(after cause: Cause) -> Duration {
        switch cause {
        case .failed, .refused: base
        case .lost: lostBase
        case .announced: announcedBase
        }
    }

    private static func draw(_ jitter: Double, from bounds: ClosedRange<Duration>) -> Duration {
        let share = jitter.isNaN ? 0.5 : min(max(jitter, 0), 1)
        return min(bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) * share, bounds.upperBound)
    }
}
