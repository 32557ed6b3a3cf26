/// Pending changes of preferences.
extension StateStore {
    /// A change that the service has not confirmed yet.
    package struct PreferenceRow: Equatable, Sendable {
        /// The order of the changes; see ``StateStore/reserveNumbers()``.
        package var number: Int64
        /// A method of `org.feedbell.Agent1.Preferences` and its arguments.
        package var method: String
        package var arguments: [String]

        package init(number: Int64, method: String, arguments: [String]) {
            self.number = number
            self.method = method
            self.arguments = arguments
        }
    }

    /// An owner's pending changes, in order.
    package func preferenceOutbox(of owner: String) throws(StoreError) -> [PreferenceRow] {
        guard let database else { return [] }
        let sql = "SELECT number, method, arguments FROM preference_outbox WHERE owner = ? ORDER BY number"
        return try database.query(sql, .text(owner)).map { row in
            PreferenceRow(number: row[0].integer, method: row[1].text, arguments: Self.list(row[2].text))
        }
    }

    /// Deletes changes and adds others in one transaction. Added changes are on disk when this returns.
    package func replacePreferences(
        _ numbers: [Int64],
        by rows: [PreferenceRow],
        of owner: String
    ) throws(StoreError) {
        try write(durably: !rows.isEmpty) { (database) throws(StoreError) in
            for number in numbers {
                let sql = "DELETE FROM preference_outbox WHERE owner = ? AND number = ?"
                try database.run(sql, .text(owner), .integer(number))
            }
            for row in rows {
                try database.run(
                    "INSERT OR REPLACE INTO preference_outbox (owner, number, method, arguments) VALUES (?, ?, ?, ?)",
                    .text(owner),
                    .integer(row.number),
                    .text(row.method),
                    .text(Self.text(row.arguments))
                )
            }
        }
    }
}
