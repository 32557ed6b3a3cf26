/// Which notifications of an account were shown: all up to a moment, and some after it. So a notification is never shown a second time,
/// whatever happens in between, and bounded memory is enough.
package struct DeliveryMarks: Equatable, Sendable {
    /// Ids remembered at the most; of more, the older ones are covered by the floor. A service lists fewer that were missed.
    package static let capacity = 500

    /// Whatever was created up to then needs no popup any more. Nil: nobody has seen this inbox before, so what is in it is no news.
    package private(set) var floor: Timestamp?
    /// Shown, and created after the floor, with the time of creation.
    package private(set) var shown: [ItemID: Timestamp]

    package init(floor: Timestamp? = nil, shown: [ItemID: Timestamp] = [:]) {
        self.floor = floor
        self.shown = shown
    }

    package func contains(_ id: ItemID) -> Bool { shown[id] != nil }

    /// Raises the floor; never lowers it.
    package mutating func raise(to moment: Timestamp) {
        floor = max(floor ?? moment, moment)
        shown = shown.filter { $0.value > moment }
    }

    /// The floor was never right.
    mutating func lower(to moment: Timestamp) { floor = floor.map { min($0, moment) } }

    /// Remembers what was shown. No floor is raised beyond `latest`, at which nothing was made yet: what says to be younger has a wrong time,
    /// and of many of those some are forgotten.
    package mutating func add(_ id: ItemID, created: Timestamp, latest: Timestamp = Timestamp(milliseconds: .max)) {
        shown[id] = created
        guard shown.count > Self.capacity else { return }
        // Some more than needed, so that this happens rarely.
        let kept = Self.capacity * 4 / 5
        let excess = shown.values.sorted()[shown.count - kept - 1]
        if excess <= latest { return raise(to: excess) }
        if let last = shown.values.filter({ $0 <= latest }).max() { raise(to: last) }
        let oldest = shown.sorted { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        for (id, _) in oldest.dropLast(kept) { shown[id] = nil }
    }
}
