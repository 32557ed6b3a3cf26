import Basics
import Inbox

/// Owners of rows, and row numbers.
extension StateStore {
    /// How long rows of unused owners are kept.
    package static let retention = Duration.seconds(30 * 86_400)

    /// Marks owners as used now, and deletes the rows of owners that were unused for ``retention``. Once the popups of
    /// others are gone, nothing of their texts is left in the file.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    package func use(_ owners: [String], now: Int64) throws(StoreError) {
        let others = usedOwners?.subtracting(owners) ?? []
        usedOwners = Set(owners)
        let leavesTexts = others.isEmpty ? try hasPopupsOfOthers : true
        try write(durably: false) { (database) throws(StoreError) in
            if leavesTexts { try database.demandErasure() }
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
        mustErase = try database?.mustErase ?? false
        // With what is recorded of their popups.
        if mustErase { recorded.signal() }
    }

    private var hasPopupsOfOthers: Bool {
        get throws(StoreError) {
            guard let usedOwners else { return false }
            return try (database?.query("SELECT notifications FROM popups") ?? []).contains { row in
                SavedPopup.references(row[0].text).contains { !usedOwners.contains($0.account) }
            }
        }
    }

    /// Erases the texts of removed accounts, once their popups are gone. If that fails, the next call of
    /// ``use(_:now:)`` repeats it, also that of another run.
    func erase() {
        guard mustErase, state.isInFile else { return }
        do throws(StoreError) {
            guard try !hasPopupsOfOthers else { return }
            mustErase = false
            try database?.vacuum()
        } catch {
            mustErase = false
            report(.problem("Cannot erase what is left of removed accounts: \(error)."))
        }
    }

    /// The user that the last token of an account named, and what identifies that user's inbox; nil: unknown.
    ///
    /// - Parameter owner: The owner as far as the account's configuration tells.
    package func tokenUser(of owner: String) throws(StoreError) -> (name: String, inbox: [String])? {
        let rows = try database?.query("SELECT name, inbox FROM token_users WHERE owner = ?", .text(owner)) ?? []
        return rows.first.map { ($0[0].text, TextList.decode($0[1].text)) }
    }

    /// Records the user that a token of an account named, see ``tokenUser(of:)``, and gives that user the rows of the
    /// time when the user was not known. Both or none: otherwise a user's actions could be left behind.
    ///
    /// - Parameters:
    ///   - owner: The inbox as the account's configuration names it.
    ///   - key: The owner of the user's rows, which stay.
    package func recordTokenUser(
        _ name: String,
        inbox: [String],
        of owner: String,
        key: String
    ) throws(StoreError) {
        try write(durably: true) { (database) throws(StoreError) in
            try database.run(
                "INSERT OR REPLACE INTO token_users (owner, name, inbox) VALUES (?, ?, ?)",
                .text(owner),
                .text(name),
                .text(TextList.encode(inbox))
            )
            guard key != owner else { return }
            for table in Schema.ownedTables where table != "owners" && table != "token_users" {
                try database.run("UPDATE OR IGNORE \(table) SET owner = ? WHERE owner = ?", .text(key), .text(owner))
                try database.run("DELETE FROM \(table) WHERE owner = ?", .text(owner))
            }
        }
    }

    /// Reserves row numbers for this run: no other run uses the numbers above the returned one, so two processes with
    /// the same file never overwrite each other's rows. Rows of previous runs have smaller numbers.
    package func reserveNumbers() throws(StoreError) -> Int64 {
        var run: Int64 = 1
        try write(durably: false) { (database) throws(StoreError) in
            // The numbers of runs that could not be recorded in the file count, too.
            let others = StateStore.OutboxTable.allCases
                .map { ", (SELECT coalesce(max(number), 0) >> 32 FROM \($0.name))" }.joined()
            let update = "UPDATE runs SET last = max(last\(others)) + 1 RETURNING last"
            run = try database.query(update).first?.first?.integer ?? run
        }
        return run << 32
    }
}
