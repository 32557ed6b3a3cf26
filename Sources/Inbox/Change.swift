/// A change a person makes to notifications.
package enum Change: Hashable, Sendable {
    case interacted(ItemID)
    case seen([ItemID])
    case read(ItemID)
    case unread(ItemID)
    case archive(ItemID)
    case unarchive(ItemID)
    case delete(ItemID)
    /// Everything, loaded or not.
    case allRead
    /// The inbox was opened: the badge counts from now on.
    case badgeReset

    /// Marks notifications as seen, at most `limit` in one request.
    package static func seen(_ ids: [ItemID], atOnce limit: Int) -> [Change] {
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

    /// The change that has this name and is about these notifications; nil if there is none.
    package init?(name: String, ids: [ItemID]) {
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

    /// The notifications it is about; none for those about the inbox as a whole.
    package var ids: [ItemID] {
        switch self {
        case .interacted(let id), .read(let id), .unread(let id), .archive(let id), .unarchive(let id), .delete(let id):
            [id]
        case .seen(let ids): ids
        case .allRead, .badgeReset: []
        }
    }

    /// What a service must be capable of to make it.
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

/// A change, and when the user made it. The time of one that concerns the whole inbox is by the service's clock and not before the
/// newest notification that was known then: it is about everything that was created up to it.
package struct MadeChange: Hashable, Sendable {
    package var change: Change
    package var time: Timestamp

    package init(_ change: Change, at time: Timestamp) {
        self.change = change
        self.time = time
    }

    /// The notification as it is after this; `nil`: no longer in the list.
    func applied(to item: Item, by rules: ServiceRules) -> Item? {
        var item = item
        switch change {
        case .interacted:
            item.interacted = time
            if rules.interactedIsRead {
                item.read = item.read ?? time
                item.seen = item.seen ?? time
            }
        case .seen:
            item.seen = item.seen ?? time
        case .read:
            item.read = item.read ?? time
            if rules.readIsSeen { item.seen = item.seen ?? time }
        case .allRead:
            // What arrives later was not read by it.
            if item.created <= time { item.read = item.read ?? time }
        case .unread:
            item.read = nil
        case .archive, .unarchive, .delete:
            return nil
        case .badgeReset:
            break
        }
        return item
    }
}
