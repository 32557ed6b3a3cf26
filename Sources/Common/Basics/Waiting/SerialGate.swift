/// Runs bodies one at a time, in the order of arrival. If they have owners, the owners take turns.
package actor SerialGate {
    private var isTaken = false
    private var waiting: [(id: UInt64, owner: String, turn: Completion)] = []
    private var lastID: UInt64 = 0
    /// The last turn of each owner whose bodies wait.
    private var served: [String: UInt64] = [:]

    package init() {}

    /// The number of waiting bodies.
    package var waitingCount: Int { waiting.count }

    /// Runs `body` after all earlier ones of its owner. Throws `cancellation` when the task is cancelled while it
    /// waits.
    ///
    /// - Parameter owner: Whose body it is: one of an owner that had no turn for longer goes first.
    package nonisolated func pass<Result: Sendable, Failure: Error>(
        of owner: String = "",
        orThrow cancellation: Failure,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard await enter(owner) else { throw cancellation }
        let result: Swift.Result<Result, Failure>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await leave()
        return try result.get()
    }

    /// Returns false when the task was cancelled while it waited.
    private func enter(_ owner: String) async -> Bool {
        guard isTaken else {
            isTaken = true
            serve(owner)
            return true
        }
        lastID += 1
        let id = lastID
        let turn = Completion()
        waiting.append((id, owner, turn))
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
        let next = waiting.indices.min { served[waiting[$0].owner] ?? 0 < served[waiting[$1].owner] ?? 0 }
        guard let next else {
            isTaken = false
            served = [:]
            return
        }
        let (_, owner, turn) = waiting.remove(at: next)
        serve(owner)
        turn.finish()
    }

    private func serve(_ owner: String) {
        lastID += 1
        served = served.filter { served in waiting.contains { $0.owner == served.key } }
        served[owner] = lastID
    }
}
