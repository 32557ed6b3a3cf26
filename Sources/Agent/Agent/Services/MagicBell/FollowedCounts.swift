import Inbox
import MagicBell

/// The counts of the inbox and of its tabs: the service's, adjusted by what changed since. Counts that the service does
/// not have come from the notifications of the newest part.
struct FollowedCounts: Sendable, Equatable {
    private let tabs: [(id: String, predicate: StorePredicate)]
    /// Of the whole inbox, as the service counts it.
    private var inbox = StoreCounts()
    /// The service's unread notifications of tabs.
    private var counted: [String: Int] = [:]
    /// Whether the inbox was loaded.
    private(set) var isKnown = false
    /// Whether the service's pages have the number of unread notifications. Otherwise it is requested by itself.
    private var pagesHaveUnread = true
    /// Whether the parts of the page that is being loaded have the total.
    private var partsHaveTotal = false
    /// Whether the last page lacks the total because it changed between its parts.
    private(set) var changedBetweenParts = false
    /// Whether that number is not older than the last page.
    private var isUnreadCurrent = false

    init(tabs: [(id: String, predicate: StorePredicate)]) { self.tabs = tabs }

    /// The first page of the inbox was loaded.
    mutating func replace(with counts: StoreCounts) {
        let unread = inbox.unread
        inbox = counts
        (changedBetweenParts, partsHaveTotal) = (partsHaveTotal && counts.total == nil, false)
        pagesHaveUnread = counts.unread != nil
        isUnreadCurrent = pagesHaveUnread
        // The last answer stays until the next one.
        inbox.unread = counts.unread ?? unread
        isKnown = true
    }

    /// The first parts of a page were loaded.
    mutating func show(_ part: StoreCounts) { partsHaveTotal = part.total != nil }

    /// A predicate was counted; nil as `tab`: the inbox. Without an answer, the last count stays.
    mutating func replace(_ tab: String?, with counts: StoreCounts) {
        guard let unread = counts.unread else { return }
        if let tab { counted[tab] = unread } else { (inbox.unread, isUnreadCurrent) = (unread, true) }
    }

    /// A notification changed. nil: it is new, or was deleted.
    mutating func adjust(from old: InboxNotification?, to new: InboxNotification?) {
        inbox.adjust(from: old, to: new, of: StorePredicate())
        for tab in tabs {
            var counts = StoreCounts(unread: counted[tab.id])
            counts.adjust(from: old, to: new, of: tab.predicate)
            counted[tab.id] = counts.unread
        }
    }

    /// All notifications of the inbox were read or seen.
    mutating func clear(_ change: StateChange) {
        inbox.clear(change)
        guard change == .read else { return }
        for tab in tabs where !tab.predicate.archived { counted[tab.id] = counted[tab.id].map { _ in 0 } }
    }

    // MARK: Unknown counts

    /// The counts to request from the service, because the newest part does not contain them. nil as `tab`: the inbox.
    func unknown(in rows: FollowedRows) -> [(tab: String?, predicate: StorePredicate)] {
        var unknown: [(tab: String?, predicate: StorePredicate)] = []
        if rows.hasMore, !pagesHaveUnread { unknown.append((nil, StorePredicate())) }
        for tab in tabs where !isDerived(tab.predicate, rows) { unknown.append((tab.id, tab.predicate)) }
        return unknown
    }

    /// Whether the newest part contains every unread notification of a tab.
    private func isDerived(_ predicate: StorePredicate, _ rows: FollowedRows) -> Bool {
        if predicate.read == true { return true }
        if predicate.archived { return false }
        return !rows.hasMore || isUnreadCurrent && inbox.unread == rows.tally.unread
    }

    // MARK: The result

    func shown(of rows: FollowedRows) -> Counts {
        let (unread, unseen) = (rows.tally.unread, rows.tally.unseen)
        var counts = Counts()
        if isKnown, !rows.hasMore {
            counts = Counts(unread: unread, unseen: unseen, badge: unseen, total: rows.count)
        } else {
            counts.unread = inbox.unread.map { max($0, unread) }
            counts.unseen = inbox.unseen.map { max($0, unseen) }
            counts.badge = counts.unseen ?? unseen
            counts.total = inbox.total.map { max($0, rows.count) }
        }
        for (tab, loaded) in zip(tabs, rows.tally.unreadOfTabs) {
            let count = isDerived(tab.predicate, rows) ? loaded : max(counted[tab.id] ?? 0, loaded)
            counts.tabs[tab.id] = count
        }
        return counts
    }

    static func == (a: FollowedCounts, b: FollowedCounts) -> Bool {
        a.inbox == b.inbox && a.counted == b.counted && a.isKnown == b.isKnown
            && a.pagesHaveUnread == b.pagesHaveUnread && a.isUnreadCurrent == b.isUnreadCurrent
            && a.tabs.map(\.id) == b.tabs.map(\.id)
    }
}
