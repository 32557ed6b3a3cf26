/// Which rows have been on the screen for a second, so that they are seen: each is reported once.
struct SeenWatch: Equatable, Sendable {
    /// The rows that have been visible since the second began; nil: no second runs.
    private var watched: Set<RowID>?
    private var reported: Set<RowID> = []

    init() {}

    /// The unseen rows on the screen.
    ///
    /// - Returns: Whether a second begins.
    mutating func update(visible: [RowID]) -> Bool {
        guard watched == nil else {
            watched?.formIntersection(visible)
            return false
        }
        let new = Set(visible).subtracting(reported)
        watched = new.isEmpty ? nil : new
        return watched != nil
    }

    /// The second has passed.
    ///
    /// - Returns: The rows that are seen now, in the order of `visible`.
    mutating func secondPassed(visible: [RowID]) -> [RowID] {
        defer { watched = nil }
        let seen = visible.filter { watched?.contains($0) ?? false }
        reported.formUnion(seen)
        return seen
    }

    /// The screen is not visible.
    mutating func interrupt() { if watched != nil { watched = [] } }
}
