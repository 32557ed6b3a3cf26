/// The pending changes of the two outboxes.
extension StateStore {
    /// A table of pending changes.
    package enum OutboxTable: CaseIterable, Sendable {
        /// Actions on notifications.
        case actions
        /// Changes of preferences.
        case preferences

        var name: String {
            switch self {
            case .actions: "outbox"
            case .preferences: "preference_outbox"
            }
        }

        /// Method, arguments, and the time if it is stored.
        fileprivate var columns: [String] {
            switch self {
            case .actions: ["action", "ids", "made"]
            case .preferences: ["method", "arguments"]
            }
        }
    }

    /// A change that the service has not confirmed yet: a method of the D-Bus interface and its arguments.
    package struct OutboxRow: Equatable, Sendable {
        /// The order of the changes; see ``StateStore/reserveNumbers()``.
        package var number: Int64
        package var method: String
        package var arguments: [String]
        /// When the user made it, in milliseconds since the Unix epoch. Not stored for preferences.
        package var made: Int64?

        package init(number: Int64, method: String, arguments: [String], made: Int64? = nil) {
            self.number = number
            self.method = method
            self.arguments = arguments
            self.made = made
        }
    }

    /// An owner's pending changes, in order.
    package func rows(in table: OutboxTable, of owner: String) throws(StoreError) -> [OutboxRow] {
        guard let database else { return [] }
        let columns = table.columns.joined(separator: ", ")
        let sql = "SELECT number, \(columns) FROM \(table.name) WHERE owner = ? ORDER BY number"
        return try database.query(sql, .text(owner)).map { row in
            OutboxRow(
                number: row[0].integer,
                method: row[1].text,
                arguments: TextList.decode(row[2].text),
                made: row.count > 3 ? row[3].integer : nil
            )
        }
    }

    /// Deletes changes and adds others in one transaction.
    ///
    /// Added changes are on disk when this returns. If only a deletion is lost in a power failure, the change is sent
    /// once more, which is harmless. Changes that the file cannot take are in a journal, so that they survive the end
    /// of the process; also if this throws, and then they are written with the next change.
    package func replace(
        _ numbers: [Int64],
        by rows: [OutboxRow],
        in table: OutboxTable,
        of owner: String
    ) throws(StoreError) {
        let change = OutboxJournal.Change(table: table, owner: owner, forgotten: numbers, kept: rows)
        do throws(StoreError) {
            try write([change])
        } catch {
            record(change)
            throw error
        }
        if !state.isInFile { record(change) }
    }

    /// A failure is that of the journal's place, which may be on the same full disk; the state file's is reported.
    func record(_ change: OutboxJournal.Change) { try? outboxJournal?.append(change) }

    /// Writes changes after those that SQLite has refused.
    func write(_ changes: [OutboxJournal.Change]) throws(StoreError) {
        let all = refusedOutboxChanges + changes
        guard !all.isEmpty else { return }
        refusedOutboxChanges = all.suffix(Self.refusedLimit)
        try write(durably: all.contains { !$0.kept.isEmpty }) { (database) throws(StoreError) in
            for change in all { try apply(change, to: database) }
        }
        refusedOutboxChanges = []
        clearOutboxJournal()
    }

    private func apply(_ change: OutboxJournal.Change, to database: Database) throws(StoreError) {
        let table = change.table
        for number in change.forgotten {
            let deletion = "DELETE FROM \(table.name) WHERE owner = ? AND number = ?"
            try database.run(deletion, .text(change.owner), .integer(number))
        }
        let columns = ["owner", "number"] + table.columns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = "INSERT OR REPLACE INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
        for row in change.kept {
            let values: [Database.Value] = [
                .text(change.owner), .integer(row.number), .text(row.method), .text(TextList.encode(row.arguments)),
                .integer(row.made ?? 0),
            ]
            try database.run(insertion, Array(values.prefix(columns.count)))
        }
    }
}
