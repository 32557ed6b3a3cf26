import Basics
import ClientKit

/// One change of rows: an action of this feed in flight, or an event of the service about several rows.
struct RowChange: Sendable, Equatable {
    enum Kind: Sendable, Equatable { case seen, read, allRead, unread, interacted, archived }

    /// The number of its start.
    var number: UInt64
    var kind: Kind
    /// The changed rows; nil: all.
    var ids: Set<String>?
    var time: Timestamp
    /// The number of the confirmation by the service; nil: in flight. Responses to earlier requests may lack the
    /// change.
    var confirmed: UInt64?
    /// Whether the change is shown before it is confirmed.
    var isShown = true

    func alters(_ id: String) -> Bool { ids?.contains(id) ?? true }

    /// Whether a row requested at `requestNumber` may be newer than this action: it was requested while the action was
    /// in flight, and shows the opposite. Which came first is unknown.
    func isContradicted(by row: FeedNotification, requestNumber: UInt64) -> Bool {
        guard let confirmed, number < requestNumber, requestNumber < confirmed else { return false }
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
            // The service does not document an effect on "seen".
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
