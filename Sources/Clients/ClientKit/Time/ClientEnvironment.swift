package import FoundationEssentials

/// The library's sources of time and randomness, replaceable in tests.
package struct ClientEnvironment: Sendable {
    /// The wall clock: token expiry, notification expiry, timestamps.
    package var now: @Sendable () -> Date
    /// The clock of delays and timeouts.
    package var clock: any Clock<Duration>
    /// A random number, uniform in 0 ... 1, for the delays of reconnects.
    package var jitter: @Sendable () -> Double
    /// The scale of the delays between attempts, see ``ReconnectPolicy``. 1 except in tests.
    package var waitScale: Double
    /// A new UUID in lower case.
    package var makeID: @Sendable () -> String

    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        waitScale: Double = 1,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.now = now
        self.clock = clock
        self.jitter = jitter
        self.waitScale = waitScale
        self.makeID = makeID
    }

    /// The time after `delay`.
    package func date(after delay: Duration) -> Date { now().addingTimeInterval(delay / .seconds(1)) }
}
