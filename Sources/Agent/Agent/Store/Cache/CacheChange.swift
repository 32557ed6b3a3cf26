package import Basics
package import Inbox

/// A change of the copy of an inbox: what the service has said.
package enum CacheChange: Equatable, Sendable {
    /// Notifications as they are now.
    case put([CachedNotification])
    /// These notifications no longer exist.
    case remove([NotificationID])
    /// A mark of notifications.
    case mark(Mark, ids: [NotificationID], time: Timestamp)
    /// A mark of all notifications that were created until `time` and do not have it.
    case markAll(Mark, time: Timestamp)
    /// A part of the list without gaps: what the copy has between its ends, and this part lacks, no longer exists.
    case list([CachedNotification], Range)

    package enum Mark: String, Sendable {
        case seen, read, interacted, archived
        /// Removes ``read``.
        case unread
        /// Removes ``archived``.
        case unarchived
    }

    /// The ends of a part of the list.
    package struct Range: Equatable, Sendable {
        package var isArchived: Bool
        /// The place before it; nil: it begins at the top.
        package var first: SortKey?
        /// Its last place; nil: it ends at the bottom.
        package var last: SortKey?

        package init(isArchived: Bool, first: SortKey?, last: SortKey?) {
            self.isArchived = isArchived
            self.first = first
            self.last = last
        }
    }

    /// The approximate size of the notifications that it carries, in bytes.
    var size: Int {
        switch self {
        case .put(let notifications), .list(let notifications, _):
            notifications.reduce(0) { $0 + $1.notification.size }
        case .remove, .mark, .markAll: 0
        }
    }

    /// The number of notifications that it carries.
    var count: Int {
        switch self {
        case .put(let notifications), .list(let notifications, _): notifications.count
        case .remove(let ids), .mark(_, let ids, _): ids.count
        case .markAll: 1
        }
    }
}

extension CacheChange.Mark {
    /// `?1` is the time.
    var assignment: String {
        switch self {
        case .seen: "seen = iif(seen > 0, seen, ?1)"
        case .read: "read = iif(read > 0, read, ?1)"
        case .interacted: "interacted = ?1"
        case .archived: "archived = 1"
        case .unread: "read = 0"
        case .unarchived: "archived = 0"
        }
    }

    /// Holds for those that lack the mark.
    var condition: String {
        switch self {
        case .seen: "seen = 0"
        case .read: "read = 0"
        case .interacted: "interacted = 0"
        case .archived: "archived = 0"
        case .unread: "read > 0"
        case .unarchived: "archived > 0"
        }
    }
}
