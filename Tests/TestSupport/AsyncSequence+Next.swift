extension AsyncSequence where Self: Sendable, Failure == Never {
    /// The next element, for tests that wait for one fact after the other. `nil` when the stream has ended.
    package func next() async -> Element? { await first { _ in true } }
}
