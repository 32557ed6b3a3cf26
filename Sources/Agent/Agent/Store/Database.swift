import CSQLite

/// One connection to an SQLite database. Used by one task at a time.
final class Database {
    /// A value in a row or for a statement's `?`.
    enum Value: Equatable, Sendable {
        case integer(Int64)
        case text(String)
    }

    /// How long to wait for a lock on the file while it is opened, in milliseconds: another agent that is about to end
    /// may still be writing.
    private static let busyTimeout: Int32 = 2_000

    /// The number of instructions of SQLite's virtual machine between two checks of a time limit. FTS5 works for long
    /// within one of them, and executes a few for each page of its index that it reads.
    private static let checkedInstructions: Int32 = 100

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Before the first connection: the database is small.
    private static let configuration = csqlite_allocate_pages_singly()

    /// Opens a file and creates it if it does not exist; `:memory:` for a database in memory.
    init(_ path: String) throws(StoreError) {
        _ = Self.configuration
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard let handle, code == SQLITE_OK else {
            defer { sqlite3_close(handle) }
            throw StoreError(code: code, reason: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, Self.busyTimeout)
    }

    /// Opens a file as the agent uses it: with a write-ahead log, and a small cache.
    convenience init(file path: String) throws(StoreError) {
        try self.init(path)
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    /// Runs statements without values; rows are discarded.
    func execute(_ sql: String) throws(StoreError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Runs one statement with its values.
    func run(_ sql: String, _ values: Value...) throws(StoreError) { _ = try rows(sql, values) }

    /// Runs one statement with its values.
    func run(_ sql: String, _ values: [Value]) throws(StoreError) { _ = try rows(sql, values) }

    /// The rows of one statement.
    func query(_ sql: String, _ values: Value...) throws(StoreError) -> [[Value]] { try rows(sql, values) }

    /// The rows of one statement, which is interrupted after a time.
    func rows(within limit: Duration, _ sql: String, _ values: [Value]) throws(StoreError) -> [[Value]] {
        var deadline = ContinuousClock.now + limit
        return try withUnsafeMutablePointer(to: &deadline) { (deadline) throws(StoreError) in
            sqlite3_progress_handler(
                handle,
                Self.checkedInstructions,
                { ContinuousClock.now < $0!.load(as: ContinuousClock.Instant.self) ? 0 : 1 },
                deadline
            )
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try rows(sql, values)
        }
    }

    func rows(_ sql: String, _ values: [Value]) throws(StoreError) -> [[Value]] {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            // The statement stays prepared, but not with 100 kB of a summary's notifications.
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code =
                switch value {
                case .integer(let number): sqlite3_bind_int64(statement, Int32(index + 1), number)
                case .text(var text):
                    text.withUTF8 {
                        csqlite_bind_text(statement, Int32(index + 1), $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            guard code == SQLITE_OK else { throw failure }
        }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.column($0, of: statement) })
            case SQLITE_DONE: return rows
            default: throw failure
            }
        }
    }

    private static func column(_ index: Int32, of statement: OpaquePointer) -> Value {
        if sqlite3_column_type(statement, index) == SQLITE_INTEGER {
            return .integer(sqlite3_column_int64(statement, index))
        }
        guard let text = sqlite3_column_text(statement, index) else { return .text("") }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, index)))
        return .text(String(decoding: bytes, as: UTF8.self))
    }

    /// Runs `body` in a transaction.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Runs `body` in a transaction.
    ///
    /// - Parameter isDurable: Whether to sync to disk before returning, so that the changes survive a power failure.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        if isDurable { try execute("PRAGMA synchronous = FULL") }
        defer { if isDurable { try? execute("PRAGMA synchronous = NORMAL") } }
        try transaction { () throws(StoreError) in try body(self) }
    }

    /// Throws an error of a damaged database if SQLite finds that it is.
    func check() throws(StoreError) {
        let result = try query("PRAGMA quick_check(1)").first?.first?.text ?? ""
        guard result == "ok" else { throw .damage(result) }
    }

    // MARK: The version

    /// The version of the tables; 0: there are none. Any number if the file is damaged.
    private var version: Int64 {
        get throws(StoreError) { try query("PRAGMA user_version").first?.first?.integer ?? 0 }
    }

    /// Creates the tables of a version in an empty database.
    ///
    /// - Returns: The version of the tables.
    func prepare(_ tables: String, version: Int64) throws(StoreError) -> Int64 {
        if try self.version == 0 {
            try transaction { () throws(StoreError) in
                // Another process may have created them meanwhile.
                if try self.version == 0 { try execute("\(tables) PRAGMA user_version = \(version);") }
            }
        }
        return try self.version
    }

    // MARK: Erasing

    /// Whether the file may still have what was deleted from the tables and must not be left; false after
    /// ``vacuum()``. Kept in the file as SQLite's application id, which nothing else uses: an erasure that was not
    /// completed is repeated.
    var mustErase: Bool {
        get throws(StoreError) { try query("PRAGMA application_id").first?.first?.integer ?? 0 != 0 }
    }

    /// Sets ``mustErase`` with the current transaction.
    func demandErasure() throws(StoreError) { try execute("PRAGMA application_id = 1") }

    /// Leaves nothing of what was deleted in the file: neither in free pages nor in the write-ahead log.
    func vacuum() throws(StoreError) {
        try execute("VACUUM")
        // Not 0: another program reads the file.
        guard try query("PRAGMA wal_checkpoint(TRUNCATE)").first?.first?.integer == 0 else { return }
        try execute("PRAGMA application_id = 0")
    }

    // MARK: Copying

    /// Replaces the contents of another database by those of this one.
    func copy(to other: Database) throws(StoreError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else { throw other.failure }
        sqlite3_backup_step(backup, -1)
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw other.failure }
    }

    /// From now on, another process that has locked the file is an error at once: what waits for the thread of the disk
    /// does not wait for that process.
    func stopWaitingForLocks() { sqlite3_busy_timeout(handle, 0) }

    /// Replaces the contents of this database by those of another one and syncs to disk.
    func replace(by other: Database) throws(StoreError) {
        try execute("PRAGMA synchronous = FULL")
        defer { try? execute("PRAGMA synchronous = NORMAL") }
        try other.copy(to: self)
    }

    private func statement(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure }
        statements[sql] = statement
        return statement
    }

    private var failure: StoreError {
        StoreError(code: sqlite3_errcode(handle), reason: String(cString: sqlite3_errmsg(handle)))
    }
}

extension Database.Value {
    /// The number; 0 for a text.
    var integer: Int64 { if case .integer(let number) = self { number } else { 0 } }
    /// The text; empty for a number.
    var text: String { if case .text(let text) = self { text } else { "" } }
}
