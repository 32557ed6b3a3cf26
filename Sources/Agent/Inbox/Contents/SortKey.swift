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

    /// Whether the place comes before another one in any order of the notifications of one time: services have an order
    /// of their own among these.
    package func isEarlier(than other: SortKey) -> Bool {
        isPinned == other.isPinned ? time > other.time : isPinned
    }

    /// Whether both have one time.
    package func isTied(with other: SortKey) -> Bool { isPinned == other.isPinned && time == other.time }

    /// Where a view ends that has ended at a place, and goes on with others.
    ///
    /// - Parameter end: nil: at the top.
    package static func end(after end: SortKey?, _ others: [SortKey]) -> SortKey? {
        ([end].compactMap(\.self) + others).max()
    }

    /// Whether `a` comes before `b`.
    package static func < (a: SortKey, b: SortKey) -> Bool {
        if a.isPinned != b.isPinned { return a.isPinned }
        if a.time != b.time { return a.time > b.time }
        return a.id.rawValue > b.id.rawValue
    }
}
