/// Tasks that wait for the state of their actor to change.
///
/// ```swift
/// while !isReady, !Task.isCancelled { await waiters.add().wait() }
/// ```
package struct Waiters: Sendable {
    private var all: [Completion] = []

    package init() {}

    /// A wait that ends with the next ``wakeAll()``, or when its task is cancelled.
    package mutating func add() -> Completion {
        let wait = Completion()
        all.append(wait)
        return wait
    }

    package mutating func wakeAll() {
        for wait in all { wait.finish() }
        all = []
    }
}
