import Basics
import ClientKit

/// A change by the user: applied here at once, and sent to the service.
package enum FeedAction: Sendable, Equatable {
    case markAsSeen(String)
    case markBulkAsSeen([String])
    case markAsRead(String)
    case markAsUnread(String)
    case markAsInteracted(String)
    case markAsArchived(String)
    case markAllAsRead
    case resetBadgeCount

    /// The request.
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

    /// The notifications that it concerns; nil: all.
    package var ids: [String]? {
        switch self {
        case .markAsSeen(let id), .markAsRead(let id), .markAsUnread(let id), .markAsInteracted(let id),
            .markAsArchived(let id):
            [id]
        case .markBulkAsSeen(let ids): ids
        case .markAllAsRead: nil
        case .resetBadgeCount: []
        }
    }

    /// Whether a loaded row already has the change. Every opened link counts; bulk actions may concern rows not loaded.
    func isApplied(to rows: FeedRows) -> Bool {
        switch self {
        case .markAsSeen(let id): rows.row(id)?.isSeen == true
        case .markAsRead(let id): rows.row(id)?.isRead == true
        case .markAsUnread(let id): rows.row(id)?.isRead == false
        case .markAsArchived(let id): rows.row(id)?.isArchived == true
        case .markBulkAsSeen(let ids): ids.isEmpty
        case .markAsInteracted, .markAllAsRead, .resetBadgeCount: false
        }
    }

    /// The change of the rows; nil: none.
    func change(of rows: FeedRows, number: UInt64, now: Timestamp) -> RowChange? {
        func change(_ kind: RowChange.Kind, _ ids: some Sequence<String>) -> RowChange {
            RowChange(number: number, kind: kind, ids: Set(ids), time: now, confirmed: nil)
        }
        return switch self {
        case .markAsSeen(let id): change(.seen, [id])
        case .markBulkAsSeen(let ids): change(.seen, ids)
        case .markAsRead(let id): change(.read, [id])
        case .markAsUnread(let id): change(.unread, [id])
        case .markAsInteracted(let id): change(.interacted, [id])
        case .markAsArchived(let id): change(.archived, [id])
        // Only the rows present now: later ones are not read by it.
        case .markAllAsRead: change(.allRead, rows.ids)
        case .resetBadgeCount: nil
        }
    }
}
