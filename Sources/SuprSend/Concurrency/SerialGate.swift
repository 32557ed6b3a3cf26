/// Runs bodies one at a time, in the order of arrival.
actor SerialGate {
    private var isTaken = false
    private var waiting: [(id: UInt64, waiter: AsyncStream<Never>.Continuation)] = []
    private var lastID: UInt64 = 0

    /// The number of waiting bodies.
    var waitingCount: Int { waiting.count }

    /// Runs `body` after all earlier ones. Throws `cancelled` when the task is cancelled while it waits.
    nonisolated func pass<Result: Sendable>(
        _ body: () async throws(SuprSendError) -> Result
    ) async throws(SuprSendError) -> Result {
        try await enter()
        let result: Swift.Result<Result, SuprSendError>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await leave()
        return try result.get()
    }

    private func enter() async throws(SuprSendError) {
        guard isTaken else {
            isTaken = true
            return
        }
        lastID += 1
        let id = lastID
        let (turn, waiter) = AsyncStream<Never>.makeStream()
        waiting.append((id, waiter))
        for await _ in turn {}
        // Still in the queue: cancelled while waiting. Not in it: this is our turn, which must be given back after
        // cancellation.
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            if Task.isCancelled {
                leave()
                throw .cancelled
            }
            return
        }
        waiting.remove(at: index)
        throw .cancelled
    }

    private func leave() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().waiter.finish()
    }
}
