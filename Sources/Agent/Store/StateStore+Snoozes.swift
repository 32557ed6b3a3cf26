/// The notifications that users have put off.
extension StateStore {
    package struct SnoozeRow: Equatable, Sendable {
        package var id: String
        /// In milliseconds since the Unix epoch.
        package var until: Int64
        package var wasRead: Bool

        package init(id: String, until: Int64, wasRead: Bool) {
            self.id = id
            self.until = until
            self.wasRead = wasRead
        }
    }

    /// The snoozed notifications of an owner.
    package func snoozes(of owner: String) throws(StoreError) -> [SnoozeRow] {
        let sql = "SELECT id, until, was_read FROM snoozes WHERE owner = ?"
        return try (database?.query(sql, .text(owner)) ?? []).map { row in
            SnoozeRow(id: row[0].text, until: row[1].integer, wasRead: row[2].integer > 0)
        }
    }

    /// Ends the snoozes of some notifications and begins others, which are on disk when this returns.
    package func replaceSnoozes(_ ended: [String], by begun: [SnoozeRow], of owner: String) throws(StoreError) {
        try write(durably: true) { (database) throws(StoreError) in
            for id in ended {
                try database.run("DELETE FROM snoozes WHERE owner = ? AND id = ?", .text(owner), .text(id))
            }
            for row in begun {
                try database.run(
                    "INSERT OR REPLACE INTO snoozes (owner, id, until, was_read) VALUES (?, ?, ?, ?)",
                    .text(owner),
                    .text(row.id),
                    .integer(row.until),
                    .integer(row.wasRead ? 1 : 0)
                )
            }
        }
    }
}
