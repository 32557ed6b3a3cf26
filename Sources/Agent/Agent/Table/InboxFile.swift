/// The file with the inboxes.
enum InboxFile {
    private static let version: Int64 = 5

    /// Creates the tables in an empty database, or checks them.
    ///
    /// - Throws: An error of a damaged database if it has another version.
    static func prepare(_ database: Database) throws(StoreError) {
        let tables = InboxRecord.table + InboxRow.table + IndexedWords.tables
        let found = try database.prepare(tables, version: version)
        guard found == version else { throw .damage("it is of version \(found)") }
        try database.execute("SELECT \(InboxRow.columns) FROM rows LIMIT 0")
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
        try prepare(database)
        return database
    }
}
