package import FoundationEssentials

/// What the library takes from outside besides the network: time and chance.
package struct Surroundings: Sendable {
    /// The wall clock: token expiry, notification expiry, timestamps.
    package var now: @Sendable () -> Date
    /// Waiting.
    package var clock: any Clock<Duration>
    /// Uniform in 0 ... 1; spreads reconnects.
    package var jitter: @Sendable () -> Double
    /// A UUID of its own each time, in lower case.
    package var makeID: @Sendable () -> String

    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.now = now
        self.clock = clock
        self.jitter = jitter
        self.makeID = makeID
    }
}

extension Clock where Duration == Swift.Duration {
    /// A function that tells the time since this call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
