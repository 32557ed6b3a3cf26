import MagicBell

/// How many of the loaded notifications are unread, unseen, and unread in each tab. It is adjusted with each change:
/// recounting would take longer with each loaded notification.
struct RowTally: Sendable, Equatable {
    private let tabs: [StorePredicate]
    private(set) var unread = 0
    private(set) var unseen = 0
    /// The unread notifications of each tab, in the tabs' order.
    private(set) var unreadOfTabs: [Int]

    init(tabs: [StorePredicate]) {
        self.tabs = tabs
        unreadOfTabs = tabs.map { _ in 0 }
    }

    /// A notification changed. nil: it is, or was, not loaded.
    mutating func adjust(from old: InboxNotification?, to new: InboxNotification?) {
        if let old { add(old, -1) }
        if let new { add(new, 1) }
    }

    private mutating func add(_ row: InboxNotification, _ step: Int) {
        if !row.isSeen { unseen += step }
        guard !row.isRead else { return }
        unread += step
        for (index, tab) in tabs.enumerated() where tab.matches(row) { unreadOfTabs[index] += step }
    }
}
