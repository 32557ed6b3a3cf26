/// The pending changes of the two outboxes.
extension StateStore {
    /// A table of pending changes.
    package enum OutboxTable: Sendable {
        /// Actions on notifications.
        case actions
        /// Changes of preferences.
        case preferences

        fileprivate var name: String {
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
    /// once more, which is harmless.
    package func replace(
        _ numbers: [Int64],
        by rows: [OutboxRow],
        in table: OutboxTable,
        of owner: String
    ) throws(StoreError) {
        let columns = ["owner", "number"] + table.columns
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insertion =
            "INSERT OR REPLACE INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(places))"
        try write(durably: !rows.isEmpty) { (database) throws(StoreError) in
            for number in numbers {
                let deletion = "DELETE FROM \(table.name) WHERE owner = ? AND number = ?"
                try database.run(deletion, .text(owner), .integer(number))
            }
            for row in rows {
                let values: [Database.Value] = [
                    .text(owner), .integer(row.number), .text(row.method), .text(TextList.encode(row.arguments)),
                    .integer(row.made ?? 0),
                ]
                try database.run(insertion, Array(values.prefix(columns.count)))
            }
        }
    }
}
