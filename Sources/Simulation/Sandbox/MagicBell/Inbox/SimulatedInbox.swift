/// The notifications, preferences, push tokens and subscriptions to topics of one user.
package struct SimulatedInbox: Sendable, Equatable {
    private var stored: [StoredNotification] = []
    package internal(set) var preferences = SimulatedPreferences.sample
    package internal(set) var tokens = StoredTokens()
    package internal(set) var subscriptions = StoredSubscriptions()

    package init() {}

    /// Newest first, archived ones too.
    package var notifications: [StoredNotification] { stored.sorted(by: StoredNotification.precedes) }

    package subscript(id: String) -> StoredNotification? { stored.first { $0.id == id } }

    package func notifications(matching filter: StatusFilter) -> [StoredNotification] {
        stored.filter(filter.matches).sorted(by: StoredNotification.precedes)
    }

    package func count(of filter: StatusFilter, where isCounted: (StoredNotification) -> Bool) -> Int {
        stored.count { filter.matches($0) && isCounted($0) }
    }

    mutating func insert(_ notification: StoredNotification) {
        remove(notification.id)
        stored.append(notification)
    }

    @discardableResult
    mutating func remove(_ id: String) -> Bool {
        guard let index = stored.firstIndex(where: { $0.id == id }) else { return false }
        stored.remove(at: index)
        return true
    }

    /// Changes one notification; false when there is none.
    mutating func change(_ id: String, _ body: (inout StoredNotification) -> Void) -> Bool {
        guard let index = stored.firstIndex(where: { $0.id == id }) else { return false }
        body(&stored[index])
        return true
    }

    mutating func apply(_ action: StoredNotification.Action, toAll filter: StatusFilter, now: Int64) {
        for index in stored.indices where filter.matches(stored[index]) { stored[index].apply(action, now: now) }
    }
}
