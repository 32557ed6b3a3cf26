import Synchronization

/// The end of a wait: tasks wait, another one finishes it. Finished before the wait, the wait ends at once.
package final class Completion: Sendable {
    private struct State {
        var isFinished = false
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Ends the wait. A second call has no effect.
    package func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for ``finish()`` or cancellation, which finishes it, too.
    package func wait() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                let isFinished = state.withLock { state in
                    if !state.isFinished { state.waiters.append(waiter) }
                    return state.isFinished
                }
                if isFinished { waiter.resume() }
            }
        } onCancel: {
            finish()
        }
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
                await self.wait()
                return false
            }
            group.addTask { (try? await clock.sleep(for: limit)) != nil }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
