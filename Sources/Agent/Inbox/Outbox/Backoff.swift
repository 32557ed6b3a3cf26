/// Exponential backoff with jitter: about 1 s after the first failure, doubled after each further one, at most 5 min.
struct Backoff: Equatable, Sendable {
    private static let shortest = 1.0
    private static let longest = 300.0

    private var failures = 0

    /// Resets the backoff after a success.
    mutating func reset() { failures = 0 }

    /// Counts a failure and returns the time to wait.
    ///
    /// - Parameter jitter: In 0...1; spreads the result over the upper half of its range.
    mutating func next(jitter: Double) -> Duration {
        let longest = min(Self.longest, Self.shortest * Double(1 << min(failures, 16)))
        failures += 1
        return .milliseconds(Int64((0.5 + 0.5 * min(max(jitter, 0), 1)) * longest * 1000))
    }
}
