import Basics
import Inbox

extension [Notification] {
    /// These notifications, which are in the service's order, as they are displayed: a pinned one stays on top until it
    /// is read or archived. Pages are continued in the service's order.
    var inDisplayOrder: [Notification] {
        let pinned = prefix { $0.isPinned }
        let released = pinned.filter { $0.read != nil || $0.isArchived }
        guard !released.isEmpty else { return self }
        var displayed = pinned.filter { $0.read == nil && !$0.isArchived }
        var waiting = released[...]
        for notification in dropFirst(pinned.count) {
            while let next = waiting.first, next.isNewer(than: notification) {
                displayed.append(next)
                waiting.removeFirst()
            }
            displayed.append(notification)
        }
        return displayed + waiting
    }
}

extension Notification {
    fileprivate func isNewer(than other: Notification) -> Bool {
        (sortTime, id.rawValue) > (other.sortTime, other.id.rawValue)
    }
}
