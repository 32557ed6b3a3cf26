import FoundationEssentials
package import Inbox

/// What the agent takes from outside besides the bus and the network: time and chance.
package struct Surroundings: Sendable {
    /// The wall clock.
    package var now: @Sendable () -> Timestamp
    /// Waiting.
    package var clock: any Clock<Duration>
    /// Uniform in 0...1; spreads retries.
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Timestamp = { Timestamp(Date()) },
        clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.now = now
        self.clock = clock
        self.jitter = jitter
    }
}

extension Timestamp {
    /// The millisecond in which a moment lies.
    init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
