/// Wakes one waiting task. A signal without a waiting task is kept for the next wait; several signals count as one.
package actor WakeSignal {
    private var isSignalled = false
    private var current: Completion?

    package init() {}

    package func signal() {
        isSignalled = true
        current?.finish()
    }

    /// Clears a signal that no task has received yet.
    package func clear() { isSignalled = false }

    /// Waits for a signal, for `limit` to pass, or for cancellation.
    package func wait(atMost limit: Duration? = nil, clock: any Clock<Duration>) async {
        if !isSignalled {
            let wait = Completion()
            current = wait
            _ = await wait.wait(atMost: limit, clock: clock)
            current = nil
        }
        isSignalled = false
    }
}
