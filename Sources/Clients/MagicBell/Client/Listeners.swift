import Basics

/// The pending elements of one listener, in bounded memory.
protocol ListenerQueue: Sendable {
    associatedtype Element: Sendable

    /// The next element; nil: none waits.
    mutating func next() -> Element?
}

/// The listeners of a sequence, each with a queue. A released listener is removed.
struct Listeners<Queue: ListenerQueue>: Sendable {
    final class Listener: Sendable {}

    private struct Entry: Sendable {
        weak var listener: Listener?
        var queue: Queue
        /// The listener's present wait for an element.
        var wait: Completion?
    }

    enum Step: Sendable {
        case element(Queue.Element)
        case wait(Completion)
        case end
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var isEnded = false

    init() {}

    mutating func add(_ queue: Queue) -> Listener {
        let listener = Listener()
        entries[ObjectIdentifier(listener)] = Entry(listener: listener, queue: queue)
        return listener
    }

    mutating func remove(_ listener: Listener) { entries[ObjectIdentifier(listener)] = nil }

    /// The listener's next element, or the wait for it. Ends the listener's previous wait.
    mutating func next(for listener: Listener) -> Step {
        let id = ObjectIdentifier(listener)
        guard entries[id] != nil else { return .end }
        if let element = entries[id]?.queue.next() { return .element(element) }
        if isEnded { return .end }
        entries[id]?.wait?.finish()
        let wait = Completion()
        entries[id]?.wait = wait
        return .wait(wait)
    }

    /// Adds to every queue.
    mutating func forEach(_ body: (inout Queue) -> Void) {
        for id in entries.keys {
            guard entries[id]?.listener != nil else {
                entries[id] = nil
                continue
            }
            body(&entries[id]!.queue)
            entries[id]?.wait?.finish()
        }
    }

    /// Every listener's sequence ends after what waits for it.
    mutating func end() {
        isEnded = true
        for entry in entries.values { entry.wait?.finish() }
    }
}

/// The latest value only.
struct LatestValue<Value: Sendable>: ListenerQueue {
    var value: Value?

    mutating func next() -> Value? {
        defer { value = nil }
        return value
    }
}
