import Synchronization

/// A one-shot timer. Setting it again replaces the previous setting.
package final class RestartableTimer: Sendable {
    private struct State {
        var delay: Duration?
        var settings = 0
        var current: Completion?
    }

    private let state = Mutex(State())

    package init() {}

    /// Fires after `delay`; nil: never.
    package func set(after delay: Duration?) {
        let current = state.withLock { state in
            state.delay = delay
            state.settings += 1
            return state.current
        }
        current?.finish()
    }

    /// Calls `action` each time the timer fires, until the task is cancelled.
    package func run(clock: any Clock<Duration>, _ action: () async -> Void) async {
        while !Task.isCancelled {
            let wait = Completion()
            let (delay, setting) = state.withLock { state in
                state.current = wait
                return (state.delay, state.settings)
            }
            let isOver = await wait.wait(atMost: delay, clock: clock)
            let hasFired = state.withLock { state in
                guard isOver, setting == state.settings else { return false }
                state.delay = nil
                return true
            }
            if hasFired { await action() }
        }
    }
}
