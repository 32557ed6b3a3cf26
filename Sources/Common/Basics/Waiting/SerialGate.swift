/// Runs bodies one at a time, in the order of arrival.
package actor SerialGate {
    private var isTaken = false
    private var waiting: [(id: UInt64, turn: Completion)] = []
    private var lastID: UInt64 = 0

    package init() {}

    /// The number of waiting bodies.
    package var waitingCount: Int { waiting.count }

    /// Runs `body` after all earlier ones. Throws `cancellation` when the task is cancelled while it waits.
    package nonisolated func pass<Result: Sendable, Failure: Error>(
        orThrow cancellation: Failure,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard await enter() else { throw cancellation }
        let result: Swift.Result<Result, Failure>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await leave()
        return try result.get()
    }

    /// Returns false when the task was cancelled while it waited.
    private func enter() async -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        lastID += 1
        let id = lastID
        let turn = Completion()
        waiting.append((id, turn))
        await turn.wait()
        // Still in the queue: cancelled while waiting. Not in it: this is our turn, which must be given back after
        // cancellation.
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
            guard Task.isCancelled else { return true }
            leave()
            return false
        }
        waiting.remove(at: index)
        return false
    }

    private func leave() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().turn.finish()
    }
}
