import FoundationEssentials

/// State files that were moved aside because they were unusable, such as one of a later version after a downgrade.
enum QuarantinedFiles {
    /// The paths for files that are moved aside, in the order of their use.
    static func paths(beside path: String) -> some Sequence<String> { (1...).lazy.map { "\(path).aside-\($0)" } }

    /// The path for the next one; nil: there is none left.
    static func freePath(beside path: String) -> String? {
        paths(beside: path).first { !FileManager.default.fileExists(atPath: $0) }
    }

    /// Takes over the pending changes of files that a version between an older one and this one wrote: the user has
    /// downgraded and upgraded again. They are older than those in the database, so they come before them.
    ///
    /// - Parameters:
    ///   - before: The version of the database before its migration.
    ///   - database: Is in a transaction, and migrated.
    /// - Returns: The files whose changes were taken over, and what to report.
    static func takeOver(
        beside path: String,
        since before: Int64,
        into database: Database
    ) throws(StoreError) -> (places: [String], notices: [StateStore.Notice]) {
        var (places, notices): ([String], [StateStore.Notice]) = ([], [])
        // A new database follows no downgrade.
        guard before > 0 else { return (places, notices) }
        for place in paths(beside: path).prefix(while: { FileManager.default.fileExists(atPath: $0) }).reversed() {
            let file: Database?
            do throws(StoreError) { file = try copy(place, since: before) } catch {
                notices.append(.problem("Pending changes in \"\(place)\" are not sent: it cannot be read (\(error))."))
                continue
            }
            guard let file else { continue }
            let count = try takeOver(file, into: database)
            guard count > 0 else { continue }
            places.append(place)
            notices.append(.recovery("Pending changes of \"\(place)\" were taken over: \(count)."))
        }
        return (places, notices)
    }

    /// Removes pending changes that were taken over, after they are in the database. If that fails, the next upgrade
    /// takes them over again.
    static func clear(_ places: [String]) {
        for place in places {
            guard let file = try? Database(place) else { continue }
            for table in StateStore.OutboxTable.allCases { try? file.execute("DELETE FROM \(table.name)") }
        }
    }

    /// A copy in memory, of this version; nil: the file is not of a version that follows `before`.
    private static func copy(_ place: String, since before: Int64) throws(StoreError) -> Database? {
        let file = try Database(place)
        let version = try Schema.found(in: file)
        guard version > before, version <= Schema.version else { return nil }
        guard try file.query("PRAGMA quick_check(1)").first?.first?.text == "ok" else {
            throw StoreError.damage("SQLite's quick_check found errors")
        }
        let copy = try Database(":memory:")
        try file.copy(to: copy)
        _ = try Schema.migrate(copy)
        return copy
    }

    /// - Returns: The number of changes.
    private static func takeOver(_ file: Database, into database: Database) throws(StoreError) -> Int {
        var count = 0
        for table in StateStore.OutboxTable.allCases {
            let columns = Schema.columns[table.name] ?? ""
            let rows = try file.query("SELECT \(columns) FROM \(table.name) ORDER BY number")
            // Numbers of a run begin at 2^32.
            let least = try database.query("SELECT coalesce(min(number), 1 << 32) FROM \(table.name)").first?.first
            let first = (least?.integer ?? 0) - Int64(rows.count)
            for (index, var row) in rows.enumerated() {
                row[1] = .integer(first + Int64(index))
                let places = row.map { _ in "?" }.joined(separator: ", ")
                try database.run("INSERT INTO \(table.name) (\(columns)) VALUES (\(places))", row)
            }
            count += rows.count
        }
        return count
    }
}
