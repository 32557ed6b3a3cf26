import AgentInterface
import DBus
import VisibleText

/// The action of `read`, `seen`, `archive` or `delete` on the given notifications, or on those that a filter selects.
enum SelectionAction: String, CaseIterable {
    case read, seen, archive, delete

    var method: InterfaceMethod<AgentInbox, ([String]), ()> {
        switch self {
        case .read: AgentInbox.markRead
        case .seen: AgentInbox.markSeen
        case .archive: AgentInbox.archive
        case .delete: AgentInbox.delete
        }
    }

    /// The method for all notifications of the inbox, also those that are not loaded, and the property that counts
    /// them; nil: services have none.
    var forAll: (method: InterfaceMethod<AgentInbox, (), ()>, count: InterfaceProperty<AgentInbox, UInt32>)? {
        switch self {
        case .read: (AgentInbox.markAllRead, AgentInbox.unreadCount)
        case .seen: (AgentInbox.markAllSeen, AgentInbox.unseenCount)
        case .archive, .delete: nil
        }
    }

    /// The capability that the account's service must have; nil: every service can do it.
    var capability: String? { self == .read ? nil : rawValue }

    /// Whether the notification is to be changed.
    func concerns(_ notification: NotificationRecord) -> Bool {
        switch self {
        case .read: notification.read == 0
        case .seen: notification.seen == 0
        case .archive: !notification.isArchived
        case .delete: true
        }
    }

    func question(_ count: Int) -> String {
        switch self {
        case .read:
            translated(
                "Mark {count} notification as read?",
                plural: "Mark {count} notifications as read?",
                count: count
            )
        case .seen:
            translated(
                "Mark {count} notification as seen?",
                plural: "Mark {count} notifications as seen?",
                count: count
            )
        case .archive:
            translated("Archive {count} notification?", plural: "Archive {count} notifications?", count: count)
        case .delete: translated("Delete {count} notification?", plural: "Delete {count} notifications?", count: count)
        }
    }

    /// The result, as a sentence.
    func result(_ count: Int) -> String {
        switch self {
        case .read:
            translated(
                "{count} notification was marked as read.",
                plural: "{count} notifications were marked as read.",
                count: count
            )
        case .seen:
            translated(
                "{count} notification was marked as seen.",
                plural: "{count} notifications were marked as seen.",
                count: count
            )
        case .archive:
            translated(
                "{count} notification was archived.",
                plural: "{count} notifications were archived.",
                count: count
            )
        case .delete:
            translated(
                "{count} notification was deleted.",
                plural: "{count} notifications were deleted.",
                count: count
            )
        }
    }
}
