package import Basics
package import SuprSend

/// The service's rules about lists, written down once more: a mistake of the library's own must not pass because its
/// tests share it.
package enum SuprSendRules {
    /// Pinned first, then by the service's time, the latest first, then by id, the greatest first.
    package static func sorted(_ rows: some Sequence<FeedNotification>) -> [FeedNotification] {
        rows.sorted { a, b in
            switch (a.isPinned, b.isPinned) {
            case (true, false): true
            case (false, true): false
            default: (a.sortKey.milliseconds, a.id) > (b.sortKey.milliseconds, b.id)
            }
        }
    }

    /// Every condition holds; a store without a condition for archived rows excludes them.
    package static func belongs(_ row: FeedNotification, to query: NotificationStore.Query) -> Bool {
        var conditions = [row.isArchived == (query.archived == true)]
        if let read = query.read { conditions.append((row.read != nil) == read) }
        if !query.tags.isEmpty { conditions.append(!Set(query.tags).isDisjoint(with: row.tags)) }
        if !query.categories.isEmpty { conditions.append(query.categories.contains(row.category)) }
        return conditions.allSatisfy(\.self)
    }

    /// A page begins strictly behind its cursor.
    package static func isBehind(_ row: FeedNotification, pinned: Bool, created: Int64) -> Bool {
        switch (pinned, row.isPinned) {
        case (true, false): true
        case (false, true): false
        default: row.sortKey.milliseconds < created
        }
    }

    /// The row at `now`: what is over is archived.
    package static func current(_ row: FeedNotification, at now: Timestamp) -> FeedNotification {
        var row = row
        row.isArchived = row.isArchived || isOver(row, at: now)
        return row
    }

    package static func isOver(_ row: FeedNotification, at now: Timestamp) -> Bool {
        if let expiry = row.expiry { expiry.milliseconds < now.milliseconds } else { false }
    }
}
