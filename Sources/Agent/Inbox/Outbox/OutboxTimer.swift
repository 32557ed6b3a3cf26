/// A timer that an outbox started. A superseded one is ignored when it fires.
package struct OutboxTimer: Hashable, Sendable { fileprivate let generation: UInt64 }

/// Creates the timers of an outbox.
struct OutboxTimers: Equatable, Sendable {
    private var lastGeneration: UInt64 = 0

    mutating func next() -> OutboxTimer {
        lastGeneration += 1
        return OutboxTimer(generation: lastGeneration)
    }
}
