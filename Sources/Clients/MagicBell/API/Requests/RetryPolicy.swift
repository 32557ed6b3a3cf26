/// Decides whether a failed request is repeated, and after which delay.
///
/// Repeated is what the service failed at or had no capacity for: statuses 408, 421, 425, 429, 499 and 5xx. Not what
/// did not reach the service; the caller knows better when to try again.
package struct RetryPolicy: Sendable, Equatable {
    /// The number of requests for one call.
    package static let attempts = 3
    /// The delay before the first repetition is drawn from its half to the whole, each next one is twice as long.
    package static let base = Duration.milliseconds(300)
    /// A call does not wait longer than this for a service that says how long (`Retry-After`).
    package static let longestWait = Duration.seconds(30)

    /// The scale of the delays that the service does not ask for. 1 except in tests.
    private let scale: Double
    private var failures = 0

    package init(scale: Double = 1) { self.scale = scale }

    /// The delay before the next attempt; nil: the call has failed.
    ///
    /// - Parameter jitter: A random number, 0 to 1; other values are clamped.
    package mutating func delay(after error: MagicBellError, jitter: Double) -> Duration? {
        guard error.kind == .serverFailure || error.kind == .rateLimited else { return nil }
        failures += 1
        guard failures < Self.attempts else { return nil }
        let share = jitter.isNaN ? 0.5 : min(max(jitter, 0), 1)
        let delay = Self.base * (1 << (failures - 1)) * (0.5 + share / 2) * scale
        guard let requested = error.retryAfter else { return delay }
        return requested > Self.longestWait ? nil : requested + delay
    }
}
