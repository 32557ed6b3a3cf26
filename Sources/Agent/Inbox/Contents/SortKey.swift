package import Basics

/// The place of a notification in the service's order: pinned first, then newest, then by id.
package struct SortKey: Hashable, Sendable, Comparable {
    package var isPinned: Bool
    package var time: Timestamp
    package var id: NotificationID

    package init(isPinned: Bool, time: Timestamp, id: NotificationID) {
        self.isPinned = isPinned
        self.time = time
        self.id = id
    }

    package init(of notification: Notification) {
        isPinned = notification.isPinned
        time = notification.sortTime
        id = notification.id
    }

    /// Whether both have one time: a service's order among these is unknown.
    package func isTied(with other: SortKey) -> Bool { isPinned == other.isPinned && time == other.time }

    /// Whether `a` comes before `b`.
    package static func < (a: SortKey, b: SortKey) -> Bool {
        if a.isPinned != b.isPinned { return a.isPinned }
        if a.time != b.time { return a.time > b.time }
        return a.id.rawValue > b.id.rawValue
    }
}
