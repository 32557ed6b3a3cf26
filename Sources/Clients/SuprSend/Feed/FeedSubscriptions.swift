import Basics

/// The listeners of a feed's events, each with a queue. A released listener is removed.
struct FeedSubscriptions: Sendable {
    final class Listener: Sendable {}

    private struct Subscription: Sendable {
        weak var listener: Listener?
        var queue = EventQueue()
        /// The listener's present wait for an event.
        var wait: Completion?
    }

    private var subscriptions: [ObjectIdentifier: Subscription] = [:]

    var isEmpty: Bool { subscriptions.isEmpty }

    mutating func add() -> Listener {
        let listener = Listener()
        subscriptions[ObjectIdentifier(listener)] = Subscription(listener: listener)
        return listener
    }

    mutating func remove(_ listener: Listener) { subscriptions[ObjectIdentifier(listener)] = nil }

    /// The listener's next event; nil: none is queued.
    mutating func next(for listener: Listener) -> FeedEvent? {
        subscriptions[ObjectIdentifier(listener)]?.queue.next()
    }

    /// A wait until the next event; nil: the listener was removed. Ends the listener's previous wait.
    mutating func wait(for listener: Listener) -> Completion? {
        let id = ObjectIdentifier(listener)
        guard let previous = subscriptions[id] else { return nil }
        previous.wait?.finish()
        let wait = Completion()
        subscriptions[id]?.wait = wait
        return wait
    }

    /// Queues an event for every listener. False: a listener's oldest announcement was discarded.
    mutating func emit(_ event: FeedEvent) -> Bool {
        var isComplete = true
        for id in subscriptions.keys {
            guard subscriptions[id]?.listener != nil else {
                subscriptions[id] = nil
                continue
            }
            if subscriptions[id]?.queue.add(event) == false { isComplete = false }
            subscriptions[id]?.wait?.finish()
        }
        return isComplete
    }
}
