import Basics

/// Sequences of what changes. Every call creates a listener from now on, and each of them gets everything. A sequence
/// ends when the store is disposed, when the user is disconnected, and when its task is cancelled.
extension NotificationStore {
    /// The changes of the list, in order: reload, insertions, changes in place, deletions, and whether there is a next
    /// page. Each comes with the contents after it.
    ///
    /// To follow them, begin with the list of ``contents`` after this call; a change that is in it already does no
    /// harm if the list is taken from ``StoreChange/contents``. A listener that is more than 64 changes late gets a
    /// ``StoreChange/Kind/reload`` in place of them.
    public func changes() -> AsyncStream<StoreChange> { stream(\.changes, ChangeQueue()) }

    /// The changes of the counts. A slow listener gets the latest value of each.
    public func counts() -> AsyncStream<CountChange> { stream(\.counts, CountQueue()) }

    /// The present contents, and then the contents after each change. A slow listener gets the latest.
    ///
    /// Of a store that is not fetched, the first page is loaded while ``MagicBellUser/run()`` or
    /// ``MagicBellClient/run()`` runs, as soon as that succeeds.
    public func updates() -> AsyncStream<StoreContents> {
        stores.locked { shared in
            shared.state.follow(number)
            shared.flush()
        }
        return stream(\.updates, LatestValue(value: nil)) { $0.value = $1 }
    }

    private func stream<Queue>(
        _ listeners: any WritableKeyPath<StoreListeners, Listeners<Queue>> & Sendable,
        _ queue: Queue,
        _ begin: (inout Queue, StoreContents) -> Void = { _, _ in }
    ) -> AsyncStream<Queue.Element> {
        let listener = stores.locked { shared -> Listeners<Queue>.Listener? in
            guard let store = shared.state.stores[number] else { return nil }
            var queue = queue
            begin(&queue, store.contents)
            return shared.listeners[number]?[keyPath: listeners].add(queue)
        }
        guard let listener else { return AsyncStream(unfolding: { nil }) }
        return AsyncStream { await self.next(for: listener, listeners) }
    }

    private func next<Queue>(
        for listener: Listeners<Queue>.Listener,
        _ listeners: any WritableKeyPath<StoreListeners, Listeners<Queue>> & Sendable
    ) async -> Queue.Element? {
        while !Task.isCancelled {
            let step = stores.locked { $0.listeners[number]?[keyPath: listeners].next(for: listener) ?? .end }
            switch step {
            case .element(let element): return element
            case .wait(let wait): await wait.wait()
            case .end: return nil
            }
        }
        stores.locked { $0.listeners[number]?[keyPath: listeners].remove(listener) }
        return nil
    }
}
