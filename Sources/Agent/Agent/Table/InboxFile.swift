/// The file with the inboxes.
enum InboxFile {
    private static let version: Int64 = 3

    /// Creates the tables.
    static func create(in database: Database) throws(StoreError) {
        try database.execute(
            "\(InboxRecord.table)\(InboxRow.table)\(IndexedWords.tables) PRAGMA user_version = \(version);"
        )
    }

    /// Opens the file, or creates it with its directory. A damaged one, or one of another version, is replaced.
    ///
    /// - Returns: The file, and what to report.
    static func open(_ path: String) throws -> (file: StateFile, notice: StateStore.Notice?) {
        try StateFile.makeDirectory(of: path)
        do throws(StoreError) {
            return (StateFile(path, try connect(path)), nil)
        } catch {
            guard error.isDamage || error.isStatementError else { throw error }
            StateFile.remove(path)
            try StateFile.makeDirectory(of: path)
            let sentence = "The list of notifications \"\(path)\" begins again: \(error.reason)."
            return (StateFile(path, try connect(path)), .problem(sentence))
        }
    }

    private static func connect(_ path: String) throws(StoreError) -> Database {
        let database = try Database(file: path)
        try database.check()
        switch try Schema.found(in: database) {
        case 0: try database.transaction { () throws(StoreError) in try create(in: database) }
        case version: try database.execute("SELECT \(InboxRow.columns) FROM rows LIMIT 0")
        case let found: throw StoreError.damage("it is of version \(found)")
        }
        return database
    }
}
