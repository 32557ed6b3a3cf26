import Synchronization

/// Wakes one waiting task. A signal without a waiting task is kept for the next wait; several signals count as one.
package final class WakeSignal: Sendable {
    private struct State {
        var isSignalled = false
        var current: Completion?
    }

    private let state = Mutex(State())

    package init() {}

    package func signal() {
        let current = state.withLock { state in
            state.isSignalled = true
            return state.current
        }
        current?.finish()
    }

    /// Clears a signal that no task has received yet.
    package func clear() { state.withLock { $0.isSignalled = false } }

    /// Waits for a signal, for `limit` to pass, or for cancellation.
    package func wait(atMost limit: Duration? = nil, clock: any Clock<Duration>) async {
        let wait = Completion()
        let isSignalled = state.withLock { state in
            state.current = wait
            return state.isSignalled
        }
        if !isSignalled { _ = await wait.wait(atMost: limit, clock: clock) }
        state.withLock { $0 = State() }
    }
}
