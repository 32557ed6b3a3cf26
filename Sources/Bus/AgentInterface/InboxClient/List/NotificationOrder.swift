/// The order of notifications: pinned ones that are unread first, then newest.
package enum NotificationOrder {
    /// The lists as one, in the order of each: pinned notifications that are unread first, then newest.
    package static func merged(_ lists: [[NotificationRecord]]) -> [NotificationRecord] {
        var rest = lists.map { $0[...] }
        var merged: [NotificationRecord] = []
        while let next = rest.indices.min(by: { isBefore(rest[$0].first, rest[$1].first) }),
            let first = rest[next].popFirst()
        {
            merged.append(first)
        }
        return merged
    }

    /// Whether a notification comes first; nil: the end of a list.
    private static func isBefore(_ left: NotificationRecord?, _ right: NotificationRecord?) -> Bool {
        guard let left, let right else { return left != nil && right == nil }
        return left.comesBefore(right)
    }
}

extension NotificationRecord {
    /// Whether the notification stays above newer ones.
    package var isOnTop: Bool { self.isPinned && self.read == 0 && !self.isArchived }

    /// Whether the notification stands above another one, in the order of ``NotificationOrder``.
    package func comesBefore(_ other: NotificationRecord) -> Bool {
        isOnTop == other.isOnTop ? self.created > other.created : isOnTop
    }

    /// Whether the notification stands above another one of its account, in the agent's order, which sorts those of the
    /// same millisecond by id.
    package func isListedBefore(_ other: NotificationRecord) -> Bool {
        hasPlace(of: other) ? self.id > other.id : comesBefore(other)
    }

    /// Whether neither stands above the other, in the order of ``NotificationOrder``.
    package func hasPlace(of other: NotificationRecord) -> Bool {
        isOnTop == other.isOnTop && self.created == other.created
    }
}
