/// The order of actions at the service: actions on the same notification are sent one after the other, in the order in
/// which the user made them, because the last one takes effect. Other actions are sent concurrently.
package struct ActionOrder: Sendable, Equatable {
    /// The ids of each action in flight, by number; nil ids: every notification.
    private var inFlight: [UInt64: Set<String>?] = [:]

    package init() {}

    /// The number of actions that have begun and not ended.
    var count: Int { inFlight.count }

    /// An action begins and waits for the earlier ones.
    package mutating func begin(_ number: UInt64, on ids: Set<String>?) { inFlight[number] = .some(ids) }

    /// Whether no earlier action on the same notifications is in flight.
    package func isNext(_ number: UInt64) -> Bool {
        guard let ids = inFlight[number] else { return true }
        return !inFlight.contains { other, others in
            guard other < number else { return false }
            guard let ids, let others else { return true }
            return !ids.isDisjoint(with: others)
        }
    }

    /// The service answered, or the caller was cancelled.
    package mutating func end(_ number: UInt64) { inFlight[number] = nil }
}
