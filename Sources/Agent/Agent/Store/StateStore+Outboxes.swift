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

        /// Method, arguments, and the times if they are stored.
        fileprivate var columns: [String] {
            switch self {
            case .actions: ["action", "ids", "made", "begun"]
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
        /// When its request without an answer was begun; nil: there is none. It is not stored with the row.
        package var begun: Int64?
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
                made: row.count > 3 ? row[3].integer : nil,
                begun: row.count > 4 && row[4].integer != 0 ? row[4].integer : nil
            )
        }
    }

    /// Deletes changes and adds others in one transaction.
    ///
    /// Added changes are on disk when this returns. If only a deletion is lost in a power failure, the change is sent
    /// once more, which is harmless. Changes that the file cannot take are in the redo log, so that they survive the
    /// end of the process; also if this throws, and then they are written with the next changes.
    ///
    /// - Parameter begun: When the requests of changes were begun, by number; 0: they are over. A power failure, which
    ///   ends the requests, too, may lose it.
    package func replace(
        _ numbers: [Int64],
        by rows: [OutboxRow],
        begun: [Int64: Int64] = [:],
        in table: OutboxTable,
        of owner: String
    ) throws(StoreError) {
        let beginnings = begun.map { [Database.Value.integer($1), .text(owner), .integer($0)] }
        let statements = [
            table.deletion(numbers, of: owner), table.insertion(rows, of: owner),
            RedoLog.Statement(kind: .beginAction, rows: beginnings),
        ]
        .filter { !$0.rows.isEmpty }
        do throws(StoreError) {
            try write(statements, durably: !rows.isEmpty)
        } catch {
            log.add(statements)
            throw error
        }
        if !state.isInFile { log.add(statements, arePending: false) }
    }
}

extension StateStore.OutboxTable {
    fileprivate func deletion(_ numbers: [Int64], of owner: String) -> RedoLog.Statement {
        let kind: RedoLog.Statement.Kind =
            switch self {
            case .actions: .removeAction
            case .preferences: .removePreferenceChange
            }
        return .init(kind: kind, rows: numbers.map { [.text(owner), .integer($0)] })
    }

    fileprivate func insertion(_ rows: [StateStore.OutboxRow], of owner: String) -> RedoLog.Statement {
        let kind: RedoLog.Statement.Kind =
            switch self {
            case .actions: .addAction
            case .preferences: .addPreferenceChange
            }
        return .init(
            kind: kind,
            rows: rows.map { row in
                let values: [Database.Value] = [
                    .text(owner), .integer(row.number), .text(row.method), .text(TextList.encode(row.arguments)),
                    .integer(row.made ?? 0),
                ]
                return Array(values.prefix(kind.valueCount))
            }
        )
    }
}
