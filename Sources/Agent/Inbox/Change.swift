package import Basics

/// A change of notifications by the user.
package enum Change: Hashable, Sendable {
    case interacted(NotificationID)
    case seen([NotificationID])
    case read(NotificationID)
    case unread(NotificationID)
    case archive(NotificationID)
    case unarchive(NotificationID)
    case delete(NotificationID)
    /// All notifications, loaded or not.
    case allRead
    /// The inbox was opened: the badge restarts at 0.
    case badgeReset

    /// Changes that mark notifications as seen, at most `limit` in each.
    package static func seen(_ ids: [NotificationID], atOnce limit: Int) -> [Change] {
        stride(from: 0, to: ids.count, by: max(1, limit)).map { start in
            .seen(Array(ids[start...].prefix(max(1, limit))))
        }
    }

    /// The name of the D-Bus method that makes this change.
    package var name: String {
        switch self {
        case .interacted: "MarkInteracted"
        case .seen: "MarkSeen"
        case .read: "MarkRead"
        case .unread: "MarkUnread"
        case .archive: "Archive"
        case .unarchive: "Unarchive"
        case .delete: "Delete"
        case .allRead: "MarkAllRead"
        case .badgeReset: "ResetBadge"
        }
    }

    /// What it does, as in "The service cannot delete notifications."
    package var verb: String {
        switch self {
        case .interacted: "mark notifications as interacted"
        case .seen: "mark notifications as seen"
        case .read: "mark notifications as read"
        case .unread: "mark notifications as unread"
        case .archive: "archive notifications"
        case .unarchive: "unarchive notifications"
        case .delete: "delete notifications"
        case .allRead: "mark all notifications as read"
        case .badgeReset: "reset the badge"
        }
    }

    /// The change with this name and these notifications; nil if there is none.
    package init?(name: String, ids: [NotificationID]) {
        switch (name, ids.first) {
        case ("MarkInteracted", let id?): self = .interacted(id)
        case ("MarkSeen", _): self = .seen(ids)
        case ("MarkRead", let id?): self = .read(id)
        case ("MarkUnread", let id?): self = .unread(id)
        case ("Archive", let id?): self = .archive(id)
        case ("Unarchive", let id?): self = .unarchive(id)
        case ("Delete", let id?): self = .delete(id)
        case ("MarkAllRead", _): self = .allRead
        case ("ResetBadge", _): self = .badgeReset
        default: return nil
        }
    }

    /// The notification that ``archive(_:)`` archives.
    package var archived: NotificationID? { if case .archive(let id) = self { id } else { nil } }

    /// The notifications that the change concerns; empty if it concerns the whole inbox.
    package var ids: [NotificationID] {
        switch self {
        case .interacted(let id), .read(let id), .unread(let id), .archive(let id), .unarchive(let id), .delete(let id):
            [id]
        case .seen(let ids): ids
        case .allRead, .badgeReset: []
        }
    }

    /// Whether the change concerns all notifications, loaded or not.
    package func concernsAll(by rules: ServiceRules) -> Bool {
        switch self {
        case .allRead: true
        case .badgeReset: rules.badgeIsUnseen
        default: false
        }
    }

    /// The capabilities that the service must have.
    package var requirement: Capabilities {
        switch self {
        case .interacted, .read, .unread, .allRead: []
        case .seen: .seen
        case .archive: .archive
        case .unarchive: .unarchive
        case .delete: .delete
        case .badgeReset: .serverBadge
        }
    }
}

extension Change {
    /// Whether `later` supersedes this change: both set the same mark, or `later` deletes the notification. Changes
    /// that the service counts (interacted, seen) are never superseded.
    func isSuperseded(by later: Change) -> Bool {
        if self == .badgeReset || later == .badgeReset { return self == later }
        guard let mark else { return false }
        if later == .allRead { return mark == .read }
        guard ids == later.ids else { return false }
        if case .delete = later { return true }
        return mark == later.mark
    }

    /// A state that changes set or clear.
    private enum Mark { case read, archived }

    private var mark: Mark? {
        switch self {
        case .read, .unread, .allRead: .read
        case .archive, .unarchive: .archived
        case .interacted, .seen, .delete, .badgeReset: nil
        }
    }

    /// Whether both changes change the same thing: "mark all as read" may change each notification.
    func concerns(_ other: Change) -> Bool {
        switch self {
        case .allRead: true
        case .badgeReset: other == .badgeReset
        default: !Set(ids).isDisjoint(with: other.ids)
        }
    }

    /// Whether `later` must wait until this change is answered, because the service keeps the state of the last one.
    func mustPrecede(_ later: Change) -> Bool {
        switch (self, later) {
        case (.unread, .allRead), (.allRead, .unread): return true
        default: break
        }
        guard !Set(ids).isDisjoint(with: later.ids) else { return false }
        return switch (self, later) {
        case (.delete, _), (_, .delete): true
        case (.unread, .read), (.unread, .interacted), (.read, .unread), (.interacted, .unread): true
        case (.archive, .unarchive), (.unarchive, .archive): true
        default: false
        }
    }
}

/// A change and the time at which the user made it. For a change of the whole inbox, the time is on the service's clock
/// and not before the newest notification that was known then: the change concerns everything created up to that time.
package struct TimestampedChange: Hashable, Sendable {
    package var change: Change
    package var time: Timestamp

    package init(_ change: Change, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    /// The notification after this change; `nil` if the change deletes it.
    package func applied(to notification: Notification, by rules: ServiceRules) -> Notification? {
        var notification = notification
        switch change {
        case .interacted:
            notification.interacted = time
            if rules.interactedIsRead {
                notification.read = notification.read ?? time
                notification.seen = notification.seen ?? time
            }
        case .seen:
            notification.seen = notification.seen ?? time
        case .read:
            notification.read = notification.read ?? time
            if rules.readIsSeen { notification.seen = notification.seen ?? time }
        case .allRead:
            // Later notifications stay unread.
            if notification.created <= time { notification.read = notification.read ?? time }
        case .unread:
            notification.read = nil
        case .archive:
            notification.isArchived = true
        case .unarchive:
            notification.isArchived = false
        case .delete:
            return nil
        case .badgeReset:
            if rules.badgeIsUnseen, notification.created <= time { notification.seen = notification.seen ?? time }
        }
        return notification
    }
}

extension TimestampedChange: OutboxChange {
    package func isSuperseded(by later: TimestampedChange) -> Bool { change.isSuperseded(by: later.change) }
}
