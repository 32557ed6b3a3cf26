/// The change of an inbox's counts by pending changes.
package struct CountDifference: Equatable, Sendable {
    package var unread = 0
    package var unseen = 0
    package var total = 0
    /// In the order of the configuration.
    package var tabs: [Int]

    package init(tabs count: Int) { tabs = Array(repeating: 0, count: count) }

    /// - Parameter new: nil: deleted.
    package init(from old: Notification, to new: Notification?, tabs: [InboxTab]) {
        func step(_ isCounted: (Notification) -> Bool) -> Int {
            (new.map(isCounted) ?? false ? 1 : 0) - (isCounted(old) ? 1 : 0)
        }
        total = step { !$0.isArchived }
        unread = step { !$0.isArchived && $0.read == nil }
        unseen = step { !$0.isArchived && $0.seen == nil }
        self.tabs = tabs.map { tab in step { $0.read == nil && tab.predicate.matches($0) } }
    }

    package static func += (a: inout CountDifference, b: CountDifference) {
        a.unread += b.unread
        a.unseen += b.unseen
        a.total += b.total
        for tab in a.tabs.indices { a.tabs[tab] += b.tabs[tab] }
    }

    package static func -= (a: inout CountDifference, b: CountDifference) {
        a.unread -= b.unread
        a.unseen -= b.unseen
        a.total -= b.total
        for tab in a.tabs.indices { a.tabs[tab] -= b.tabs[tab] }
    }
}
