import Store

/// The notifications whose arrival is recorded, above the watermark.
struct RecordedArrivals {
    /// Times of creation by owner and id.
    private var arrivals: [String: [String: Int64]] = [:]

    /// Adds arrivals. Returns those that were not recorded before.
    mutating func add(_ arrived: StateStore.Arrivals) -> StateStore.Arrivals {
        let new = arrived.created.filter { arrivals[arrived.owner]?[$0.key] == nil }
        if !new.isEmpty { arrivals[arrived.owner, default: [:]].merge(new) { $1 } }
        return StateStore.Arrivals(owner: arrived.owner, created: new)
    }

    /// Removes what the watermark of an owner covers.
    mutating func remove(upTo watermark: Int64, of owner: String) {
        arrivals[owner] = arrivals[owner]?.filter { $0.value > watermark }
    }
}
