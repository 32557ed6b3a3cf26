/// The end of a wait: one task waits, another one finishes it. Finished before the wait, the wait ends at once.
package struct Completion: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Ends the wait. A second call has no effect.
    package func finish() { continuation.finish() }

    /// Waits for ``finish()`` or cancellation. At most one task may wait.
    package func wait() async {
        for await _ in stream {}
    }

    /// Waits for ``finish()``, for `limit` to pass, or for cancellation.
    ///
    /// - Parameter limit: nil: no limit.
    /// - Returns: Whether `limit` has passed.
    package func wait(atMost limit: Duration?, clock: any Clock<Duration>) async -> Bool {
        guard let limit else {
            await wait()
            return false
        }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await wait()
                return false
            }
            group.addTask { (try? await clock.sleep(for: limit)) != nil }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
