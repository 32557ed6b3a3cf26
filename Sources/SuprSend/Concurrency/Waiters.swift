/// Tasks that wait for the state of their actor to change.
///
/// ```swift
/// while !isReady, !Task.isCancelled { for await _ in waiters.add() {} }
/// ```
struct Waiters {
    private var all: [AsyncStream<Never>.Continuation] = []

    /// A stream without elements that ends with the next ``wakeAll()``, or when its task is cancelled.
    mutating func add() -> AsyncStream<Never> {
        let (end, waiter) = AsyncStream<Never>.makeStream()
        all.append(waiter)
        return end
    }

    mutating func wakeAll() {
        for waiter in all { waiter.finish() }
        all = []
    }
}
