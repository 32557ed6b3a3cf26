import Basics
import Inbox

/// How rows are changed, and what the user sees of it.
extension InboxTable {
    /// Makes a change in one transaction, with what is known of the inbox as a whole.
    ///
    /// - Returns: What the user sees of it.
    mutating func transact(
        _ body: (inout InboxTable, inout TouchedRows) throws(StoreError) -> Void
    ) throws(StoreError) -> [Difference] {
        guard inbox != 0 else { throw .unusable }
        let old = self
        var (new, differences) = (self, [Difference]())
        // It may run twice: if the file cannot be written, once more in memory.
        try storage.write(durably: false) { (_) throws(StoreError) in
            new = old
            var rows = TouchedRows(old)
            try body(&new, &rows)
            try new.write(&rows)
            try new.saveRecord()
            differences = rows.differences(from: old.reach, to: new.reach)
        }
        self = new
        return differences
    }

    /// Writes what was changed, with what the user sees of it.
    mutating func write(_ touched: inout TouchedRows) throws(StoreError) {
        try touched.forEach { (id, old, row) throws(StoreError) in
            row.present(overlay.changes(of: id), by: rules)
            guard row != old || !row.isNeeded else { return }
            if let old { sums.add(old, by: -1) }
            follow(row)
            if row.isNeeded {
                sums.add(row, by: 1)
                var stored = old
                stored?.isFollowed = row.isFollowed
                if row != stored { try database.run(InboxRow.writing, [.integer(inbox)] + row.values) }
            } else if old != nil {
                try database.run("DELETE FROM rows WHERE inbox = ? AND id = ?", .integer(inbox), .text(id.rawValue))
            }
        }
    }

    /// The rows of a view that one of two parts of it covers, and the other does not.
    func touch(
        _ predicate: InboxPredicate,
        between a: InboxReach.Part,
        _ b: InboxReach.Part = InboxReach.Part(),
        in rows: inout TouchedRows
    ) throws(StoreError) {
        let (shorter, longer) = a.further(than: b) ? (b, a) : (a, b)
        if !shorter.hasMore { return }
        var condition = InboxCondition(predicate, in: inbox)
        condition.add(after: shorter.end)
        condition.add(longer)
        for id in try ids(condition) { try rows.touch(id) }
    }

    /// Sets how far the inbox is whole.
    mutating func setReach(_ new: InboxReach.Part, in rows: inout TouchedRows) throws(StoreError) {
        try touch(.inbox, between: reach.inbox, new, in: &rows)
        reach.inbox = new
    }

    /// Ends views, of which only single notifications stay known.
    mutating func endViews(
        in rows: inout TouchedRows,
        where isEnded: (InboxPredicate) -> Bool
    ) throws(StoreError) {
        for (predicate, part) in reach.views where isEnded(predicate) {
            try touch(predicate, between: part, in: &rows)
        }
        reach.removeViews(where: isEnded)
    }
}
