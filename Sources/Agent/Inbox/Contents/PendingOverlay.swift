package import Basics

/// The user's changes that the service has not confirmed, by the notifications that they concern.
package struct PendingOverlay: Sendable {
    package typealias Entry = PendingChange<TimestampedChange>

    private var entries: [Int64: Entry] = [:]
    private var numbers: [NotificationID: [Int64]] = [:]
    /// Changes of the whole inbox.
    private var whole: [Int64] = []

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Whether the badge is 0 with the pending changes.
    package var resetsBadge: Bool { !whole.isEmpty }

    /// Whether a pending change marks everything as read.
    package var readsAll: Bool { contains(.allRead) }

    /// Whether a pending change is ``Change/badgeReset``.
    package var restartsBadge: Bool { contains(.badgeReset) }

    private func contains(_ change: Change) -> Bool { whole.contains { entries[$0]?.change.change == change } }

    /// The pending change with this number.
    package func change(_ number: Int64) -> TimestampedChange? { entries[number]?.change }

    /// The changes that concern a notification, in order.
    package func changes(of id: NotificationID) -> [TimestampedChange] {
        let own = numbers[id] ?? []
        let all = whole.isEmpty ? own : (own + whole).sorted()
        return all.compactMap { entries[$0]?.change }
    }

    /// Adds a change, or replaces the one with its number.
    package mutating func add(_ entry: Entry) {
        remove(entry.number)
        entries[entry.number] = entry
        let ids = entry.change.change.ids
        for id in ids { numbers[id, default: []].append(entry.number) }
        if ids.isEmpty { whole.append(entry.number) }
    }

    /// - Returns: The removed change; nil: there is none with this number.
    @discardableResult
    package mutating func remove(_ number: Int64) -> TimestampedChange? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        for id in entry.change.change.ids {
            numbers[id]?.removeAll { $0 == number }
            if numbers[id]?.isEmpty == true { numbers[id] = nil }
        }
        whole.removeAll { $0 == number }
        return entry.change
    }
}
