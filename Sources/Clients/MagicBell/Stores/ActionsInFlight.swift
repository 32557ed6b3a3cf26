/// The actions that were begun and not ended, in the order of their numbers.
///
/// Actions on the same notification are sent one after the other, because the last one takes effect. Other actions are
/// sent concurrently.
struct ActionsInFlight: Sendable {
    private struct Action: Sendable {
        /// nil: all notifications.
        var id: String?
        /// nil: it deletes.
        var change: StateChange?
        /// The last event about it meanwhile.
        var lastEvent: InboxEvent?
    }

    private var actions: [UInt64: Action] = [:]

    var isEmpty: Bool { actions.isEmpty }

    /// An action begins, and waits for the earlier ones.
    ///
    /// - Parameters:
    ///   - id: Of its notification; nil: all.
    ///   - change: nil: it deletes.
    mutating func begin(_ number: UInt64, _ change: StateChange?, on id: String?) {
        actions[number] = Action(id: id, change: change)
    }

    /// Whether an action under way makes this change to a notification.
    func make(_ change: StateChange, to id: String) -> Bool {
        actions.values.contains { $0.id == id && $0.change == change }
    }

    /// Whether no earlier action on the same notification is in flight.
    func isNext(_ number: UInt64) -> Bool {
        guard let action = actions[number] else { return true }
        return !actions.contains { other, earlier in
            other < number && (action.id == nil || earlier.id == nil || action.id == earlier.id)
        }
    }

    /// An event about one notification arrived.
    mutating func note(_ event: InboxEvent, about id: String) {
        for (number, action) in actions where action.id == id { actions[number]?.lastEvent = event }
    }

    /// An event about all notifications arrived.
    mutating func noteAll(_ event: InboxEvent) {
        for number in actions.keys { actions[number]?.lastEvent = event }
    }

    /// The action ended. Returns the last event about its notification since it began.
    mutating func end(_ number: UInt64) -> InboxEvent? { actions.removeValue(forKey: number)?.lastEvent }
}
