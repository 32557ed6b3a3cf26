/// Lets one body at a time through, in the order of arrival.
actor SerialGate {
    private var isTaken = false
    private var waiting: [(id: UInt64, waiter: AsyncStream<Never>.Continuation)] = []
    private var lastID: UInt64 = 0

    /// How many stand in line.
    var waitingCount: Int { waiting.count }

    /// Runs `body` after everything that came before. Throws `cancelled` when the task is cancelled while it waits.
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
        // Still in the line: the wait was ended by cancellation. Not in it: it is our turn, and we are to leave again.
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
