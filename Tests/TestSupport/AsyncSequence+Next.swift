extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
    /// The next element, for tests that wait for one fact after the other. `nil` when the sequence has ended. For
    /// sequences whose iterators continue each other, such as `AsyncStream` and the messages of a `Mailbox`.
    package func next() async -> Element? { await first { _ in true } }
}
