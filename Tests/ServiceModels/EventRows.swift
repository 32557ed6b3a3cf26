package import MagicBell
package import SuprSend

extension RealtimeEvent {
    /// The row of an event of a single row.
    package var rowID: String? {
        switch self {
        case .newNotification(let id), .notificationUpdate(let id): id
        case .allRead, .seen, .badgeReset: nil
        }
    }

    /// Whether this event and another one may arrive in either order.
    package func commutes(with other: RealtimeEvent) -> Bool {
        if let rowID, let other = other.rowID { rowID != other } else { false }
    }
}

extension InboxEvent {
    /// The row of an event of a single row.
    package var rowID: String? {
        switch self {
        case .created(let id), .changed(let id, _), .deleted(let id): id
        case .allRead, .allSeen: nil
        }
    }

    /// Whether this event and another one may arrive in either order.
    package func commutes(with other: InboxEvent) -> Bool {
        if let rowID, let other = other.rowID { rowID != other } else { false }
    }
}
