/// Owners of rows, and row numbers.
extension StateStore {
    /// How long rows of unused owners are kept.
    package static let retention = Duration.seconds(30 * 86_400)

    /// Marks owners as used now, and deletes the rows of owners that were unused for ``retention``.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    package func use(_ owners: [String], now: Int64) throws(StoreError) {
        try write(durably: false) { (database) throws(StoreError) in
            for owner in owners {
                try database.run(
                    "INSERT OR REPLACE INTO owners (owner, used) VALUES (?, ?)",
                    .text(owner),
                    .integer(now)
                )
            }
            let oldest = now - Self.retention.components.seconds * 1000
            for row in try database.query("SELECT owner FROM owners WHERE used < ?", .integer(oldest)) {
                for table in Schema.ownedTables {
                    try database.run("DELETE FROM \(table) WHERE owner = ?", row[0])
                }
            }
        }
    }

    /// Reserves row numbers for this run: no other run uses the numbers above the returned one, so two processes with
    /// the same file never overwrite each other's rows. Rows of previous runs have smaller numbers.
    package func reserveNumbers() throws(StoreError) -> Int64 {
        var run: Int64 = 1
        try write(durably: false) { (database) throws(StoreError) in
            run = try database.query("UPDATE runs SET last = last + 1 RETURNING last").first?.first?.integer ?? run
        }
        return run << 32
    }
}
