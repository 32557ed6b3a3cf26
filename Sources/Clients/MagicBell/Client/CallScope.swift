import Basics
import Synchronization

/// The calls of a user in flight. They end when the user is disconnected or the client is shut down.
final class CallScope: Sendable {
    private struct State: Sendable {
        /// Why no call is possible any more.
        var end: MagicBellError?
        var lastID: UInt64 = 0
        var waits: [UInt64: Completion] = [:]
    }

    private let state = Mutex(State())

    /// Why the calls end; nil: they do not.
    var end: MagicBellError? { state.withLock(\.end) }

    /// Ends all calls; they and later ones throw `error`. A second call has no effect.
    func end(_ error: MagicBellError) {
        let waits = state.withLock { state in
            guard state.end == nil else { return [Completion]() }
            state.end = error
            return Array(state.waits.values)
        }
        for wait in waits { wait.finish() }
    }

    /// Runs `body`, which is cancelled when the scope ends.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(MagicBellError) -> Result
    ) async throws(MagicBellError) -> Result {
        let wait = Completion()
        let id = try add(wait)
        defer { state.withLock { $0.waits[id] = nil } }
        let result = await withTaskGroup(of: Swift.Result<Result, MagicBellError>?.self) { group in
            group.addTask {
                do throws(MagicBellError) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                await wait.wait()
                return nil
            }
            // Cancelled, the wait may end first; the result of the call is still what counts.
            var result: Swift.Result<Result, MagicBellError>?
            for await first in group {
                if let first { result = first }
                group.cancelAll()
            }
            return result
        }
        if let end { throw end }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    private func add(_ wait: Completion) throws(MagicBellError) -> UInt64 {
        try state.withLock { (state) throws(MagicBellError) in
            if let end = state.end { throw end }
            state.lastID += 1
            state.waits[state.lastID] = wait
            return state.lastID
        }
    }
}
