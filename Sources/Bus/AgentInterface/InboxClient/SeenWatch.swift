/// Which rows have been on the screen for a second, so that they are seen: each is reported once.
package struct SeenWatch: Equatable, Sendable {
    /// The rows that have been visible since the second began; nil: no second runs.
    private var watched: Set<String>?
    private var reported: Set<String> = []

    package init() {}

    /// The unseen rows on the screen.
    ///
    /// - Returns: Whether a second begins.
    package mutating func update(visible: [String]) -> Bool {
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
    package mutating func secondPassed(visible: [String]) -> [String] {
        defer { watched = nil }
        let seen = visible.filter { watched?.contains($0) ?? false }
        reported.formUnion(seen)
        return seen
    }

    /// The screen is not visible.
    package mutating func interrupt() { if watched != nil { watched = [] } }
}
