import Basics
import Inbox

/// Lists and counts.
extension InboxTable {
    /// The number of rows that are read at once.
    private static let readAtOnce = 100

    /// The listed notification with this id, as the user sees it; nil: there is none, or the database cannot be read.
    subscript(id: NotificationID) -> Notification? {
        (try? row(id))??.shown.flatMap { reach.covers($0) ? $0 : nil }
    }

    /// Whether a notification is listed, unless a pending change hides it.
    func isListed(_ id: NotificationID) -> Bool { (try? row(id))??.reported.map(reach.covers) ?? false }

    /// A notification as the user sees it, whether it is listed or only kept; nil: there is none, or the database
    /// cannot be read.
    func known(_ id: NotificationID) -> Notification? { (try? row(id))??.shown }

    /// Reads the notifications of a view that pass a filter, as the user sees them: pinned ones on top until they are
    /// read or archived, then the newest.
    ///
    /// - Parameters:
    ///   - filter: With ``NotificationFilter/takesKept``, with ids, or of what is snoozed, also what is kept beyond the
    ///     reach of the view.
    ///   - body: Returns whether to go on.
    func forEach(
        _ predicate: InboxPredicate,
        _ filter: NotificationFilter,
        _ body: (Notification) -> Bool
    ) throws(StoreError) {
        let condition = condition(predicate, filter)
        var (rest, offset, last) = (filter.limit ?? .max, filter.offset, [Database.Value]())
        while rest > 0 {
            let after = last.isEmpty ? "" : " AND (top, time, id) < (?, ?, ?)"
            let count = min(rest, Self.readAtOnce)
            let found = try database.rows(
                """
                SELECT \(InboxRow.columns) FROM rows WHERE \(condition.sql)\(after)
                ORDER BY top DESC, time DESC, id DESC LIMIT ? OFFSET ?
                """,
                condition.values + last + [.integer(Int64(count)), .integer(Int64(offset))]
            )
            for row in found {
                guard let shown = InboxRow(row).shown, body(shown) else { return }
            }
            guard found.count == count, let end = found.last else { return }
            (rest, offset, last) = (rest - count, 0, [end[InboxRow.top], end[InboxRow.time], end[InboxRow.id]])
        }
    }

    /// The notifications of a view that pass a filter; see ``forEach(_:_:_:)``.
    func list(_ predicate: InboxPredicate, _ filter: NotificationFilter) throws(StoreError) -> [Notification] {
        var found: [Notification] = []
        try forEach(predicate, filter) {
            found.append($0)
            return true
        }
        return found
    }

    private func condition(_ predicate: InboxPredicate, _ filter: NotificationFilter) -> InboxCondition {
        var condition = unexpired(predicate)
        condition.add(filter)
        let isBeyondReach = filter.takesKept || filter.ids != nil || filter.snoozed == true
        if !isBeyondReach { condition.add(reach[predicate]) }
        return condition
    }

    private func unexpired(_ predicate: InboxPredicate) -> InboxCondition {
        var condition = InboxCondition(predicate, in: inbox)
        if !predicate.archived { condition.add("(expires = 0 OR expires > ?)", .integer(now().milliseconds)) }
        return condition
    }

    /// The number of listed notifications of a view that pass a filter, without its limit.
    func count(_ predicate: InboxPredicate, _ filter: NotificationFilter, atMost limit: Int) throws(StoreError) -> Int {
        let condition = condition(predicate, filter)
        let some = "SELECT 1 FROM rows WHERE \(condition.sql) LIMIT ?"
        let values = condition.values + [.integer(Int64(limit))]
        return Int(try database.rows("SELECT count(*) FROM (\(some))", values)[0][0].integer)
    }

    /// The size of the texts of those after the filter's offset, in bytes.
    func size(_ predicate: InboxPredicate, _ filter: NotificationFilter) throws(StoreError) -> Int {
        let condition = condition(predicate, filter)
        let order = "ORDER BY top DESC, time DESC, id DESC LIMIT -1 OFFSET ?"
        let some = "SELECT content FROM rows WHERE \(condition.sql) \(order)"
        let sum = "SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM (\(some))"
        return Int(try database.rows(sum, condition.values + [.integer(Int64(filter.offset))])[0][0].integer)
    }

    /// The number of all rows.
    var rowCount: Int { get throws(StoreError) { Int(try database.query("SELECT count(*) FROM rows")[0][0].integer) } }

    /// The notifications whose words match, in the user's order.
    ///
    /// - Parameters:
    ///   - match: See ``InboxSearch/match``.
    ///   - predicate: nil: any.
    func search(
        _ match: String,
        _ predicate: InboxPredicate?,
        _ filter: NotificationFilter
    ) throws(StoreError) -> [Notification] {
        var condition = predicate.map { unexpired($0) } ?? .all(in: inbox)
        condition.add(filter)
        condition.add("number IN (SELECT rowid FROM words WHERE words MATCH ?)", .text(match))
        return try database.rows(
            within: InboxSearch.timeLimit,
            """
            SELECT \(InboxRow.columns) FROM rows WHERE \(condition.sql)
            ORDER BY top DESC, time DESC, id DESC LIMIT ? OFFSET ?
            """,
            condition.values + [.integer(Int64(filter.limit ?? -1)), .integer(Int64(filter.offset))]
        ).compactMap { InboxRow($0).shown }
    }

    /// The ids of the listed notifications of the inbox that a condition holds for, in order.
    func listedIDs(where condition: String) throws(StoreError) -> [NotificationID] {
        var all = self.condition(.inbox, NotificationFilter())
        all.add(condition)
        return try ids(all)
    }

    /// The unread notifications of the whole inbox; nil: not all of them are listed.
    var allUnread: [NotificationID]? {
        get throws(StoreError) {
            let unread = try listedIDs(where: "read = 0")
            return try unread.count == shownCounts().unread ? unread : nil
        }
    }

    /// The number of notifications of the inbox that are kept, and not archived.
    var keptCount: Int { get throws(StoreError) { try count(InboxCondition(.inbox, in: inbox)) } }

    /// Whether the service has more notifications of a view than are listed.
    func hasMore(_ predicate: InboxPredicate) -> Bool { reach[predicate].hasMore }

    /// Whether a view may lack notifications that cannot be loaded.
    func hasGap(_ predicate: InboxPredicate) -> Bool { reach[predicate].hasGap }

    /// Whether the contents of the inbox are known, from the service or a previous run.
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
        condition.add("read = 0")
        condition.add(followed.keys)
        return try count(condition)
    }

    // MARK: Rows

    func row(_ id: NotificationID) throws(StoreError) -> InboxRow? {
        try rows("inbox = ? AND id = ?", [.integer(inbox), .text(id.rawValue)]).first
    }

    func rows(_ clauses: String, _ values: [Database.Value]) throws(StoreError) -> [InboxRow] {
        try database.rows("SELECT \(InboxRow.columns) FROM rows WHERE \(clauses)", values).map {
            var row = InboxRow($0)
            row.isFollowed = followed[row.id] != nil
            return row
        }
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
        let all = "SELECT id, pinned, time FROM rows WHERE \(condition.sql) ORDER BY pinned DESC, time DESC, id DESC"
        return try database.rows("\(all) LIMIT ?", condition.values + [.integer(Int64(limit))])
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
