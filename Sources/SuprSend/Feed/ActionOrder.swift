/// Which actions may be on their way to the service at once: those on the same notification go one after the other, in the order in
/// which they were made, because the last one counts there.
struct ActionOrder: Sendable, Equatable {
    /// By number; nil ids: every notification.
    private var underWay: [UInt64: Set<String>?] = [:]

    /// How many have begun and not ended.
    var count: Int { underWay.count }

    /// An action begins to wait for its turn.
    mutating func begin(_ number: UInt64, on ids: Set<String>?) { underWay[number] = .some(ids) }

    /// Whether nothing before it concerns the same notifications.
    func isNext(_ number: UInt64) -> Bool {
        guard let ids = underWay[number] else { return true }
        return !underWay.contains { other, others in
            guard other < number else { return false }
            guard let ids, let others else { return true }
            return !ids.isDisjoint(with: others)
        }
    }

    /// The service answered, or nobody waits any more.
    mutating func end(_ number: UInt64) { underWay[number] = nil }
}
