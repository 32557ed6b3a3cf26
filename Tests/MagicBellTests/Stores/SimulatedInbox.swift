import Basics

@testable import MagicBell

/// The service's side: a user's notifications, lists with filters and counts, actions, and the events that they cause.
/// It shares no decision with the library.
struct SimulatedInbox {
    private(set) var rows: [String: InboxNotification] = [:]
    /// Whether a change of what is already so is an event all the same.
    var reportsRepetitions = true

    // MARK: Lists

    func list(_ predicate: StorePredicate) -> [InboxNotification] {
        var found: [InboxNotification] = []
        for row in rows.values {
            if predicate.read == true && row.readAt == nil { continue }
            if predicate.read == false && row.readAt != nil { continue }
            if predicate.seen == true && row.seenAt == nil { continue }
            if predicate.seen == false && row.seenAt != nil { continue }
            if (row.archivedAt != nil) != predicate.archived { continue }
            if !predicate.categories.isEmpty && !predicate.categories.contains(row.category ?? "-") { continue }
            if !predicate.topics.isEmpty && !predicate.topics.contains(row.topic ?? "-") { continue }
            found.append(row)
        }
        return found.sorted { ($1.sentAt, $1.id) < ($0.sentAt, $0.id) }
    }

    func counts(_ predicate: StorePredicate) -> StoreCounts {
        var result = StoreCounts(total: 0, unread: 0, unseen: 0)
        for row in list(predicate) {
            result.total! += 1
            if row.readAt == nil { result.unread! += 1 }
            if row.seenAt == nil { result.unseen! += 1 }
        }
        return result
    }

    /// A page by number.
    func page(_ predicate: StorePredicate, _ cursor: InboxPageCursor?, _ size: Int) -> StorePage {
        var number = 1
        if case .page(let given)? = cursor { number = given }
        let all = list(predicate)
        let first = min((number - 1) * size, all.count)
        let last = min(first + size, all.count)
        let next: InboxPageCursor? = last < all.count ? .page(number + 1) : nil
        return StorePage(Array(all[first..<last]), counts: counts(predicate), next: next)
    }

    // MARK: Actions

    /// Adds notifications without an event.
    mutating func add(_ notifications: [InboxNotification]) {
        for notification in notifications { rows[notification.id] = notification }
    }

    mutating func create(_ notification: InboxNotification) -> [InboxEvent] {
        rows[notification.id] = notification
        return [.created(id: notification.id)]
    }

    mutating func change(_ id: String, _ change: StateChange) -> [InboxEvent] {
        guard var row = rows[id] else { return [] }
        let old = row
        set(&row, change)
        rows[id] = row
        return row != old || reportsRepetitions ? [.changed(id: id, change)] : []
    }

    mutating func delete(_ id: String) -> [InboxEvent] {
        rows.removeValue(forKey: id) == nil ? [] : [.deleted(id: id)]
    }

    /// Changes what matches.
    mutating func changeAll(_ predicate: StorePredicate, _ change: StateChange) -> [InboxEvent] {
        for row in list(predicate) {
            var row = row
            set(&row, change)
            rows[row.id] = row
        }
        switch change {
        case .read: return [.allRead]
        case .seen: return [.allSeen]
        default: return []
        }
    }

    private func set(_ row: inout InboxNotification, _ change: StateChange) {
        switch change {
        case .seen: if row.seen == nil { row.seen = base }
        case .read:
            if row.seen == nil { row.seen = base }
            if row.read == nil { row.read = base }
        case .unread: row.read = nil
        case .archived: if row.archived == nil { row.archived = base }
        case .unarchived: row.archived = nil
        }
    }
}
