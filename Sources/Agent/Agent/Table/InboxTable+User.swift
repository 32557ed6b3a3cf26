import Basics
import Inbox

/// Pending changes, snoozes and rules: the parts of a row that the service does not report.
extension InboxTable {
    private static let checkedAtOnce = 100
    /// The work of one call of ``applyRules(after:)``.
    private static let step = PatternBudget(steps: 250_000)
    /// The steps that a notification takes besides those of the rules.
    private static let stepsOfNotification = 250

    /// Changes of the user begin to be pending, or end.
    ///
    /// - Parameters:
    ///   - entries: New ones; they replace those with their numbers.
    ///   - numbers: Those that end: they were confirmed, rejected or superseded.
    ///   - confirmed: What the service has confirmed.
    mutating func change(
        adding entries: [Entry] = [],
        ending numbers: [Int64] = [],
        confirmed: TimestampedChange? = nil
    ) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            if let confirmed {
                try table.make(confirmed, in: &rows)
                if [.archive, .unarchive].contains(confirmed.change.requirement) {
                    try table.endViews(in: &rows) { $0.archived }
                }
            }
            for entry in entries {
                try table.touch(entry.change, in: &rows)
                if let earlier = table.overlay.change(entry.number) { try table.touch(earlier, in: &rows) }
                table.overlay.add(entry)
            }
            for number in numbers {
                guard let ended = table.overlay.remove(number) else { continue }
                try table.touch(ended, in: &rows)
            }
        }
    }

    /// Begins with the pending changes of a previous run.
    mutating func restore(_ entries: [Entry]) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            let altered = "SELECT id FROM rows WHERE inbox = ? AND altered = 1"
            for row in try table.database.query(altered, .integer(table.inbox)) {
                try rows.touch(NotificationID(row[0].text))
            }
            for entry in entries {
                table.overlay.add(entry)
                try table.touch(entry.change, in: &rows)
            }
        }
    }

    private func touch(_ made: TimestampedChange, in rows: inout TouchedRows) throws(StoreError) {
        for id in try concerned(by: made) { try rows.touch(id) }
    }

    /// The notifications that a change concerns.
    func concerned(by made: TimestampedChange) throws(StoreError) -> [NotificationID] {
        guard made.change.concernsAll(by: rules) else { return made.change.ids }
        let mark = made.change == .allRead ? "read" : "seen"
        let canChange = "content <> '' AND (altered = 1 OR \(mark) = 0 OR reported_\(mark) = 0)"
        let condition = "inbox = ? AND \(canChange) AND created <= ?"
        let sql = "SELECT id FROM rows WHERE \(condition) ORDER BY id"
        return try database.query(sql, .integer(inbox), .integer(made.time.milliseconds))
            .map { NotificationID($0[0].text) }
    }

    /// Begins and ends (nil) snoozes.
    mutating func snooze(
        _ changes: [NotificationID: Snoozes.Snooze?]
    ) throws(StoreError) -> [Difference] {
        try transact { (_, rows) throws(StoreError) in
            for (id, snooze) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try rows.change(id) { $0.snooze = snooze }
            }
        }
    }

    var snoozedIDs: [NotificationID] {
        get throws(StoreError) {
            try database.query("SELECT id FROM rows WHERE inbox = ? AND snoozed > 0", .integer(inbox))
                .map { NotificationID($0[0].text) }
        }
    }

    /// Applies the rules to a part of the rows, which takes some milliseconds.
    ///
    /// - Parameter last: The last row of the previous part.
    /// - Returns: What the user sees of it, the patterns that exceeded a limit, and the last row if there may be more.
    mutating func applyRules(
        after last: Int64
    ) throws(StoreError) -> (differences: [Difference], exceeding: Set<Rules.ExceedingPattern>, last: Int64?) {
        let rules = muting
        let marked = rules == nil ? "AND (muted = 1 OR uncounted = 1)" : ""
        let all = "SELECT number, id FROM rows WHERE inbox = ? AND number > ? AND content <> '' \(marked)"
        let part = "\(all) ORDER BY number LIMIT \(Self.checkedAtOnce)"
        let found = try database.query(part, .integer(inbox), .integer(last))
        if found.isEmpty { return ([], [], nil) }
        var (exceeding, checked) = (Set<Rules.ExceedingPattern>(), 0)
        let differences = try transact { (table, rows) throws(StoreError) in
            var budget = Self.step
            (exceeding, checked) = ([], 0)
            for row in found where !budget.isExhausted {
                checked += 1
                guard let reported = try rows.row(NotificationID(row[1].text)).reported else { continue }
                let match = rules?.match(reported)
                exceeding.formUnion(match?.exceeding ?? [])
                budget.spend(Self.stepsOfNotification + (match?.steps ?? 0))
                try rows.change(reported.id) { $0.apply(match.flatMap { rules?.effects($0) }) }
            }
        }
        let hasMore = checked < found.count || found.count == Self.checkedAtOnce
        return (differences, exceeding, hasMore ? found[checked - 1][0].integer : nil)
    }
}
