package import FoundationEssentials

/// What the library takes from outside besides the network: time and chance.
package struct Surroundings: Sendable {
    /// The wall clock: token expiry, notification expiry, timestamps.
    package var now: @Sendable () -> Date
    /// Waiting.
    package var clock: any Clock<Duration>
    /// Uniform in 0 ... 1; spreads reconnects.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.now = now
        self.clock = clock
        self.jitter = jitter
    }
}

extension Clock where Duration == Swift.Duration {
    /// A function that tells the time since this call.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
