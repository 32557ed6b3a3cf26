/// The unconfirmed changes of preferences, and when to send them.
///
/// Changes of one key are sent sequentially, those of different keys independently.
struct PreferenceQueue: Sendable {
    /// The delay of toggles of one key after the last of them, so that they share a request.
    private static let debounce = Duration.seconds(1)

    struct Key: Sendable, Hashable {
        /// Without an active tenant: `default`.
        var tenant: String
        var target: PreferenceTarget

        init(_ target: PreferenceTarget, _ tenantID: String?) {
            tenant = tenantID ?? "default"
            self.target = target
        }
    }

    struct Change: Sendable {
        var number: UInt64
        var key: Key
        var edit: PreferenceEdit
        /// The query of its request.
        var args: PreferenceArgs
        /// When the user made it.
        var time: Duration
        /// The category at that time, in case a later response does not contain it.
        var category: PreferenceCategory?
        fileprivate(set) var isInFlight = false
    }

    /// In the order of creation.
    private(set) var changes: [Change] = []

    mutating func add(_ change: Change) { changes.append(change) }

    /// The numbers of all changes.
    var numbers: Set<UInt64> { Set(changes.map(\.number)) }

    /// The numbers of the changes of one key.
    func numbers(of key: Key) -> Set<UInt64> { Set(changes.filter { $0.key == key }.map(\.number)) }

    /// The changes with these numbers.
    func changes(_ numbers: Set<UInt64>) -> [Change] { changes.filter { numbers.contains($0.number) } }

    /// The time of the next request; nil: no change waits, or all wait for a response.
    var nextDeadline: Duration? { keys.compactMap { next(for: $0)?.due }.min() }

    /// The changes of the next request that is due, the oldest first, which are then in flight. With `numbers`: of one
    /// with any of these changes, due or not.
    mutating func begin(now: Duration, among numbers: Set<UInt64>? = nil) -> [Change]? {
        for key in keys {
            guard let (batch, due) = next(for: key) else { continue }
            let chosen = Set(batch.map(\.number))
            guard numbers.map({ !$0.isDisjoint(with: chosen) }) ?? (due <= now) else { continue }
            setInFlight(true, chosen)
            return batch
        }
        return nil
    }

    /// The request was cancelled before its response: its changes will be sent again.
    mutating func requeue(_ numbers: Set<UInt64>) { setInFlight(false, numbers) }

    /// Removes the changes with these numbers, and returns them.
    mutating func remove(_ numbers: Set<UInt64>) -> [Change] {
        defer { changes.removeAll { numbers.contains($0.number) } }
        return changes(numbers)
    }

    /// The keys of all changes, the oldest change first.
    private var keys: [Key] {
        var found: Set<Key> = []
        return changes.map(\.key).filter { found.insert($0).inserted }
    }

    /// The changes of a key for its next request: its toggles up to a change of another kind, or one of those. Nil
    /// while a request of the key is in flight.
    private func next(for key: Key) -> (changes: [Change], due: Duration)? {
        let all = changes.filter { $0.key == key }
        guard let first = all.first, !first.isInFlight else { return nil }
        guard first.edit.isToggle else { return ([first], first.time) }
        let toggles = Array(all.prefix { $0.edit.isToggle })
        let last = toggles.last ?? first
        // The change after them is due at once, so they do not wait for more.
        if toggles.count < all.count { return (toggles, last.time) }
        return (toggles, last.time + Self.debounce)
    }

    private mutating func setInFlight(_ isInFlight: Bool, _ numbers: Set<UInt64>) {
        for index in changes.indices where numbers.contains(changes[index].number) {
            changes[index].isInFlight = isInFlight
        }
    }
}
