import Basics
import Inbox

/// The rows that a transaction reads and changes.
struct TouchedRows {
    private struct Touched {
        /// As they were before the transaction; nil: there was none.
        let before: InboxRow?
        /// As they were written last.
        var written: InboxRow?
        var row: InboxRow { didSet { isWritten = false } }
        /// Whether nothing has changed them since they were written.
        var isWritten = false
    }

    private let table: InboxTable
    private var touched: [NotificationID: Touched] = [:]
    private var order: [NotificationID] = []

    /// - Parameter table: As it is before the transaction.
    init(_ table: InboxTable) { self.table = table }

    /// A row as it is now; without anything known, if there is none.
    mutating func row(_ id: NotificationID) throws(StoreError) -> InboxRow {
        if let known = touched[id] { return known.row }
        let before = try table.row(id)
        let row = before ?? InboxRow(id, created: 0)
        touched[id] = Touched(before: before, written: before, row: row)
        order.append(id)
        return row
    }

    mutating func change(_ id: NotificationID, _ body: (inout InboxRow) -> Void) throws(StoreError) {
        var row = try row(id)
        body(&row)
        touched[id]?.row = row
    }

    /// Includes a row in ``differences(from:to:)``, which a change of the reach may concern.
    mutating func touch(_ id: NotificationID) throws(StoreError) { _ = try row(id) }

    /// The service does not have it in this inbox any more.
    mutating func remove(_ id: NotificationID) throws(StoreError) {
        try change(id) { ($0.reported, $0.isFollowed) = (nil, false) }
    }

    /// Calls `body` with each row that must be written, as it was written last and as it is now.
    mutating func forEach(
        _ body: (NotificationID, InboxRow?, inout InboxRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        for id in order {
            guard var known = touched[id], !known.isWritten else { continue }
            try body(id, known.written, &known.row)
            (known.written, known.isWritten) = (known.row, true)
            touched[id] = known
        }
    }

    /// The differences of the listed notifications, as the user sees them.
    func differences(from old: InboxReach, to new: InboxReach) -> [InboxTable.Difference] {
        order.compactMap { id in
            guard let known = touched[id] else { return nil }
            let shown = known.row.shown
            let before = known.before?.shown.flatMap { old.covers($0) ? $0 : nil }
            return switch (before, shown.flatMap { new.covers($0) ? $0 : nil }) {
            case (nil, nil): nil
            case (_?, nil): shown.map(old.covers) == true ? .unloaded(id) : .removed(id)
            case (nil, let after?): .added(after)
            case (let before?, let after?): before == after ? nil : .changed(after)
            }
        }
    }
}
