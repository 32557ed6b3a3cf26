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

    /// Remembers what was shown.
    package mutating func add(_ id: ItemID, created: Timestamp) {
        shown[id] = created
        guard shown.count > Self.capacity else { return }
        // Some more than needed, so that this happens rarely.
        let excess = shown.count - Self.capacity * 4 / 5
        raise(to: shown.values.sorted()[excess - 1])
    }
}
