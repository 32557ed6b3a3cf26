import Basics
import Inbox

/// Lists and counts.
extension InboxTable {
    /// The listed notification with this id, as the user sees it.
    func listed(_ id: NotificationID) throws(StoreError) -> Notification? {
        try row(id)?.shown.flatMap { reach.covers($0) ? $0 : nil }
    }

    /// The notifications of a view that pass a filter, as the user sees them: pinned ones on top until they are read or
    /// archived, then the newest.
    ///
    /// - Parameter filter: With ``NotificationFilter/takesKept``, also what is kept beyond the reach of the view.
    func list(_ predicate: InboxPredicate, _ filter: NotificationFilter) throws(StoreError) -> [Notification] {
        var condition = InboxCondition(predicate, in: inbox)
        condition.add(filter)
        if !filter.takesKept { condition.add(reach[predicate]) }
        let order = "ORDER BY top DESC, time DESC, id DESC LIMIT \(filter.limit ?? -1) OFFSET \(filter.offset)"
        return try rows("\(condition.sql) \(order)", condition.values).compactMap(\.shown)
    }

    /// Whether the service has more notifications of a view than are listed.
    func hasMore(_ predicate: InboxPredicate) -> Bool { reach[predicate].hasMore }

    /// Whether a view may lack notifications that cannot be loaded.
    func hasGap(_ predicate: InboxPredicate) -> Bool { reach[predicate].hasGap }

    /// Whether it is known what is in the inbox, from the service or a previous run.
    var isKnown: Bool { isReported || isRestored }

    /// The counts as the user sees them.
    func shownCounts() throws(StoreError) -> ShownCounts {
        let readsAll = overlay.readsAll
        let unread = counts.unread.flatMap { readsAll ? nil : $0 + sums.difference.unread } ?? sums.unread
        let seesAll = rules.badgeIsUnseen && overlay.restartsBadge
        let unseen = counts.unseen.flatMap { seesAll ? nil : $0 + sums.difference.unseen } ?? sums.unseen
        let badge = overlay.resetsBadge ? counts.badge.map { _ in 0 } : counts.badge
        var shown = ShownCounts(
            unread: max(0, unread),
            unseen: max(0, unseen),
            badge: max(0, badge ?? unseen),
            total: max(sums.total, (counts.total ?? 0) + sums.difference.total),
            hiddenUnread: sums.hidden.filter { $0.value != 0 }
        )
        for (index, tab) in tabs.enumerated() {
            let reported = (counts.tabs[tab.id] ?? 0) + sums.difference.tabs[index]
            shown.tabs.append(max(0, readsAll ? try unreadOfNewest(tab.predicate) : reported))
        }
        return shown
    }

    /// The unread notifications of the newest part: others become read when everything is marked as read.
    private func unreadOfNewest(_ predicate: InboxPredicate) throws(StoreError) -> Int {
        var condition = InboxCondition(predicate, in: inbox)
        condition.add("read = 0 AND followed = 1")
        return try count(condition)
    }

    // MARK: Rows

    func row(_ id: NotificationID) throws(StoreError) -> InboxRow? {
        try rows("inbox = ? AND id = ?", [.integer(inbox), .text(id.rawValue)]).first
    }

    func rows(_ clauses: String, _ values: [Database.Value]) throws(StoreError) -> [InboxRow] {
        try database.rows("SELECT \(InboxRow.columns) FROM rows WHERE \(clauses)", values).map(InboxRow.init)
    }

    func ids(_ condition: InboxCondition) throws(StoreError) -> [NotificationID] {
        try database.rows("SELECT id FROM rows WHERE \(condition.sql) ORDER BY id", condition.values)
            .map { NotificationID($0[0].text) }
    }

    func count(_ condition: InboxCondition) throws(StoreError) -> Int {
        Int(try database.rows("SELECT count(*) FROM rows WHERE \(condition.sql)", condition.values)[0][0].integer)
    }

    /// Places in the service's order.
    func places(_ condition: InboxCondition, limit: Int) throws(StoreError) -> [SortKey] {
        let order = "ORDER BY pinned DESC, time DESC, id DESC LIMIT \(limit)"
        return try database.rows("SELECT id, pinned, time FROM rows WHERE \(condition.sql) \(order)", condition.values)
            .map { SortKey(place: $0) }
    }
}

extension SortKey {
    /// A row of id, pinned and time.
    init(place row: [Database.Value]) {
        let time = Timestamp(milliseconds: row[2].integer)
        self.init(isPinned: row[1].integer > 0, time: time, id: NotificationID(row[0].text))
    }
}
