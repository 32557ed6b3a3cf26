/// How long to wait before the next attempt, as a value. It never gives up.
///
/// A wait is drawn evenly from its window (“full jitter”), so that the clients of a server that restarts do not come back together.
/// The draw is an argument, 0 to 1.
///
/// | Failures in a row | Not reached | Lost without a word | Ended by the server | Credentials refused |
/// |---|---|---|---|---|
/// | 1 | 0.1 s … 1 s | 0.1 s … 5 s | 0.1 s … 30 s | 30 s … 60 s |
/// | 2 | 0.1 s … 2 s | 0.1 s … 10 s | 0.1 s … 60 s | 30 s … 120 s |
/// | 3 | 0.1 s … 4 s | 0.1 s … 20 s | | 30 s … 240 s |
/// | 4 | 0.1 s … 8 s | 0.1 s … 40 s | | 30 s … 300 s |
/// | 5 | 0.1 s … 16 s | | | |
/// | 6 | 0.1 s … 32 s | | | |
/// | 7 and more | 0.1 s … 60 s | 0.1 s … 60 s | 0.1 s … 60 s | 30 s … 300 s |
///
/// A window is twice the one before, whatever opened that. They start over only after a connection that stayed joined for
/// ``steadyUptime``: a server that lets us in and drops us again is not hammered.
///
/// A server that ends a good connection most likely ends them all. Of 100,000 clients that lose it in the same moment, no second sees
/// more than 6 % at its door, however long it is away (packaging/benchmark, “fleet”). The price: a client that was put out alone is
/// back after 15 s on average, and after 30 s at most.
///
/// A connection that is lost without a word is most often the fault of the client's own network, so the client is back after 2.6 s on
/// average, and after 5 s at most. If it was the server after all, 20 % of its clients are at its door within one second, and up to 31 %
/// while it stays away, when the second attempts fall together with the first ones.
///
/// News of the client's own machine (the network is back, the machine woke up, a person asks) says nothing of other clients: then nobody
/// waits.
package struct ReconnectPolicy: Sendable, Equatable {
    /// Why another attempt is needed.
    package enum Cause: Sendable, Equatable {
        /// An attempt or a request did not succeed. Time may cure it, and it need not have happened to others.
        case failed
        /// A good connection broke without a word: a reset, an end of file, silence.
        case lost
        /// The server said that it ends the connection.
        case announced
        /// Only other credentials, or a change at the service, will cure it.
        case refused
    }

    package static let shortestDelay = Duration.milliseconds(100)
    package static let base = Duration.seconds(1)
    package static let lostBase = Duration.seconds(5)
    package static let announcedBase = Duration.seconds(30)
    package static let longestDelay = Duration.seconds(60)
    package static let shortestRefusedDelay = Duration.seconds(30)
    /// No wait is longer than this, whatever a server asks for.
    package static let longestRefusedDelay = Duration.seconds(300)
    /// Joined for so long, a connection counts as good.
    package static let steadyUptime = Duration.seconds(60)

    /// What all waits are multiplied by, except those that a server asks for. Other than 1 in tests only.
    private let scale: Double
    /// The end of the last window that was not for a refusal.
    private var window: Duration?
    private var refusals = 0

    package init(scale: Double = 1) { self.scale = scale }

    /// The wait after an attempt or a connection that ended.
    ///
    /// - Parameters:
    ///   - cause: Why it ended.
    ///   - uptime: How long it was *joined*; nil when it never was.
    ///   - retryAfter: How long the server asks us to stay away. The jitter is added to it.
    ///   - jitter: A random number, 0 to 1. What lies outside is moved to the nearer end.
    package mutating func delay(
        after cause: Cause,
        uptime: Duration? = nil,
        retryAfter: Duration? = nil,
        jitter: Double
    ) -> Duration {
        if let uptime, uptime >= Self.steadyUptime { startOver() }
        let bounds: ClosedRange<Duration>
        if cause == .refused {
            // Stops doubling before anything can overflow.
            let end = refusals < 3 ? .seconds(60) * (1 << refusals) : Self.longestRefusedDelay
            bounds = Self.shortestRefusedDelay...end
            refusals += 1
        } else {
            let end = min(max(Self.firstWindow(after: cause), (window ?? .zero) * 2), Self.longestDelay)
            window = end
            bounds = Self.shortestDelay...end
        }
        let delay = Self.draw(jitter, from: bounds)
        guard let retryAfter, retryAfter > .zero else { return delay * scale }
        return min(max(delay * scale, retryAfter + (delay - bounds.lowerBound) * scale), Self.longestRefusedDelay)
    }

    /// Something succeeded: the next windows are the first ones again.
    package mutating func startOver() { self = ReconnectPolicy(scale: scale) }

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
