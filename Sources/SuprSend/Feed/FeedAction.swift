import ClientKit

/// What a person does with notifications: what changes here at once, and what is asked of the service.
package enum FeedAction: Sendable, Equatable {
    case markAsSeen(String)
    case markBulkAsSeen([String])
    case markAsRead(String)
    case markAsUnread(String)
    case markAsInteracted(String)
    case markAsArchived(String)
    case markAllAsRead
    case resetBadgeCount

    /// The request (F4 … F11).
    var call: FeedCall {
        switch self {
        case .markAsSeen(let id): .markSeen(id: id)
        case .markBulkAsSeen(let ids): .markBulkSeen(ids: ids)
        case .markAsRead(let id): .markRead(id: id)
        case .markAsUnread(let id): .markUnread(id: id)
        case .markAsInteracted(let id): .markInteracted(id: id)
        case .markAsArchived(let id): .archive(id: id)
        case .markAllAsRead: .markAllRead
        case .resetBadgeCount: .resetBadge
        }
    }
}

/// One alteration of rows: an action of this feed waiting for the service, or something the service told about many rows at once.
struct RowChange: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case seen, read, allRead, unread, interacted, archived }

    /// When it was begun.
    var number: UInt64
    var kind: Kind
    /// The rows it alters; nil: every row there is.
    var ids: Set<String>?
    var time: Milliseconds
    /// When the service was known to have done it; nil: not yet. Answers asked for earlier may not show it.
    var confirmed: UInt64?

    func alters(_ id: String) -> Bool { ids?.contains(id) ?? true }

    /// Whether a row asked for at `asked` may know something newer than this action: it was asked for while the action was on its
    /// way, and says the opposite. Nobody can tell which came first.
    func isContradicted(by row: FeedNotification, asked: UInt64) -> Bool {
        guard let confirmed, number < asked, asked < confirmed else { return false }
        return switch kind {
        case .seen: !row.isSeen
        case .read, .allRead: !row.isRead
        case .unread: row.isRead
        case .interacted: !row.isRead || row.interacted == nil
        case .archived: !row.isArchived
        }
    }

    func apply(to row: inout FeedNotification) {
        switch kind {
        case .seen:
            row.seen = row.seen ?? time
        case .read:
            row.read = row.read ?? time
            row.seen = row.seen ?? time
        case .allRead:
            // The service says nothing about "seen" here.
            row.read = row.read ?? time
        case .unread:
            row.read = nil
        case .interacted:
            row.interacted = time
            row.read = row.read ?? time
            row.seen = row.seen ?? time
        case .archived:
            row.isArchived = true
        }
    }
}
