/// How long to wait after each failure in a row: about a second, then twice as long each time, up to five minutes.
struct Backoff: Equatable, Sendable {
    private static let shortest = 1.0
    private static let longest = 300.0

    private var failures = 0

    /// Something succeeded: the next wait is short again.
    mutating func reset() { failures = 0 }

    /// Something failed.
    ///
    /// - Parameter jitter: In 0...1; spreads the waits over the longer half of their range.
    mutating func next(jitter: Double) -> Duration {
        let longest = min(Self.longest, Self.shortest * Double(1 << min(failures, 16)))
        failures += 1
        return .milliseconds(Int64((0.5 + 0.5 * min(max(jitter, 0), 1)) * longest * 1000))
    }
}
