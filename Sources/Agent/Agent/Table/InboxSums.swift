import Inbox

/// Sums over the rows of a table, by which its counts differ from the service's.
struct InboxSums {
    private let tabs: [InboxTab]
    /// The difference of the counts with the pending changes from the service's.
    private(set) var difference: CountDifference
    /// Of the newest part.
    private(set) var (unread, unseen, total) = (0, 0, 0)
    /// As of ``ShownCounts/hiddenUnread``, with zeros.
    private(set) var hidden: [Int?: Int] = [:]

    init(tabs: [InboxTab]) {
        self.tabs = tabs
        difference = CountDifference(tabs: tabs.count)
    }

    /// Adds a row (1), or takes it out (-1).
    mutating func add(_ row: InboxRow, by step: Int) {
        if let reported = row.reported, row.isAltered {
            let change = CountDifference(from: reported, to: row.shown, tabs: tabs)
            if step > 0 { difference += change } else { difference -= change }
        }
        if row.isFollowed, let shown = row.shown, !shown.isArchived {
            total += step
            if shown.read == nil { unread += step }
            if shown.seen == nil { unseen += step }
        }
        guard row.isHidden else { return }
        let matching = row.shown.map { shown in tabs.indices.filter { tabs[$0].predicate.matches(shown) } } ?? []
        for index in [nil] + matching.map(Optional.some) { hidden[index, default: 0] += step }
    }
}
