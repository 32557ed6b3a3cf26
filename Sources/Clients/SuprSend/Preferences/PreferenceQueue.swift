import Basics

/// A change of preferences that the service has not confirmed.
struct QueuedEdit: Sendable, Hashable {
    struct Key: Sendable, Hashable {
        /// Without an active tenant: `default`.
        var tenant: String
        var target: PreferenceTarget

        init(_ target: PreferenceTarget, _ tenantID: String?) {
            tenant = tenantID ?? "default"
            self.target = target
        }
    }

    var key: Key
    var edit: PreferenceEdit
    /// The query of its request.
    var args: PreferenceArgs
    /// When the user made it.
    var time: Duration
    /// The category at that time, in case a later response does not contain it.
    var category: PreferenceCategory?
}

/// When pending changes are sent: those of one key sequentially, those of different keys independently.
extension PendingQueue<QueuedEdit> {
    /// The delay of toggles of one key after the last of them, so that they share a request.
    private static var debounce: Duration { .seconds(1) }

    /// The numbers of the changes of one key; nil: of all.
    func numbers(of key: QueuedEdit.Key? = nil) -> Set<Int64> {
        Set(entries.filter { key == nil || $0.change.key == key }.map(\.number))
    }

    /// The time of the next request; nil: no change waits, or all wait for a response.
    var nextDeadline: Duration? { keys.compactMap { next(for: $0)?.due }.min() }

    /// The changes of the next request that is due, the oldest first, which are then in flight. With `numbers`: of one
    /// with any of these changes, due or not.
    mutating func begin(now: Duration, among numbers: Set<Int64>? = nil) -> [Entry]? {
        for key in keys {
            guard let (batch, due) = next(for: key) else { continue }
            guard numbers.map({ !$0.isDisjoint(with: batch.map(\.number)) }) ?? (due <= now) else { continue }
            markSent(batch)
            return batch
        }
        return nil
    }

    /// The keys of all changes, the oldest change first.
    private var keys: [QueuedEdit.Key] {
        var found: Set<QueuedEdit.Key> = []
        return entries.map(\.change.key).filter { found.insert($0).inserted }
    }

    /// The changes of a key for its next request: its toggles up to a change of another kind, or one of those. Nil
    /// while a request of the key is in flight.
    private func next(for key: QueuedEdit.Key) -> (changes: [Entry], due: Duration)? {
        let all = entries.filter { $0.change.key == key }
        guard let first = all.first, !isInFlight(first) else { return nil }
        guard first.change.edit.isToggle else { return ([first], first.change.time) }
        let toggles = Array(all.prefix { $0.change.edit.isToggle })
        let last = toggles.last ?? first
        // The change after them is due at once, so they do not wait for more.
        if toggles.count < all.count { return (toggles, last.change.time) }
        return (toggles, last.change.time + Self.debounce)
    }
}
