/// Wakes one waiting task. A signal without a waiting task is kept for the next wait; several signals count as one.
package actor WakeSignal {
    private var isRung = false
    private var waiter: AsyncStream<Never>.Continuation?

    package init() {}

    package func signal() {
        isRung = true
        waiter?.finish()
    }

    /// Clears a signal that no task has received yet.
    package func clear() { isRung = false }

    /// Waits for a signal, for `limit` to pass, or for cancellation.
    package func wait(atMost limit: Duration? = nil, clock: any Clock<Duration>) async {
        if !isRung {
            let (rings, waiter) = AsyncStream<Never>.makeStream()
            self.waiter = waiter
            await withTaskGroup { group in
                group.addTask { for await _ in rings {} }
                if let limit { group.addTask { try? await clock.sleep(for: limit) } }
                await group.next()
                group.cancelAll()
            }
            self.waiter = nil
        }
        isRung = false
    }
}
