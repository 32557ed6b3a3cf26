import Synchronization

/// The end of a wait: one task waits, another one finishes it. Finished before the wait, the wait ends at once.
package final class Completion: Sendable {
    private enum Phase {
        case open
        case awaited(UnsafeContinuation<Void, Never>)
        case finished
    }

    private let phase = Mutex(Phase.open)

    package init() {}

    /// Ends the wait. A second call has no effect.
    package func finish() {
        let waiter = phase.withLock { phase -> UnsafeContinuation<Void, Never>? in
            defer { phase = .finished }
            if case .awaited(let waiter) = phase { return waiter }
            return nil
        }
        waiter?.resume()
    }

    /// Waits for ``finish()`` or cancellation. At most one task may wait.
    package func wait() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                let isFinished = phase.withLock { phase in
                    switch phase {
                    case .open:
                        phase = .awaited(waiter)
                        return false
                    case .awaited: preconditionFailure("A completion has one waiting task.")
                    case .finished: return true
                    }
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
