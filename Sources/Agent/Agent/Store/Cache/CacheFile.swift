import CSQLite
import Glibc

/// The file with the copies of the inboxes. Apart from the state file: what can be loaded from the service again must
/// not be able to damage the user's actions, nor slow their file down.
///
/// A number orders all notifications by time, so that a search finds the newest ones first. Their words are indexed at
/// the next search or start: many at once, and not while notifications arrive.
struct CacheFile {
    private static let version: Int64 = 2
    private static let tables = """
        CREATE TABLE inboxes (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL UNIQUE,
            as_of INTEGER NOT NULL DEFAULT 0,
            last_event INTEGER NOT NULL DEFAULT 0,
            has_more INTEGER NOT NULL DEFAULT 1,
            counts TEXT NOT NULL DEFAULT ''
        );
        CREATE TABLE notifications (
            number INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            id TEXT NOT NULL,
            pinned INTEGER NOT NULL,
            time INTEGER NOT NULL,
            created INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            read INTEGER NOT NULL,
            interacted INTEGER NOT NULL,
            archived INTEGER NOT NULL,
            content TEXT NOT NULL,
            text TEXT NOT NULL,
            indexed INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX ids ON notifications (inbox, id);
        CREATE INDEX places ON notifications (inbox, archived, pinned, time, id);
        CREATE INDEX unindexed ON notifications (number) WHERE indexed = 0;
        """

    /// Opens the file, or creates it with its directory. One of another version is migrated; a damaged one, or one that
    /// has nothing in common with this version, is replaced by a new one.
    ///
    /// - Parameter path: nil: in memory.
    /// - Returns: The database, and why an existing file was replaced.
    static func open(_ path: String?) throws(StoreError) -> (Database, replaced: StoreError?) {
        guard let path else { return (try connect(":memory:"), nil) }
        try makeFile(path)
        do throws(StoreError) { return (try connect(path), nil) } catch {
            guard error.isDamage || error.isStatementError else { throw error }
            remove(path)
            try makeFile(path)
            return (try connect(path), error)
        }
    }

    private static func makeFile(_ path: String) throws(StoreError) {
        do { try StateFile.makeDirectory(of: path) } catch {
            throw StoreError(code: SQLITE_CANTOPEN, reason: "\(error)")
        }
    }

    private static func connect(_ path: String) throws(StoreError) -> Database {
        let database = try Database(file: path)
        let found = try Schema.found(in: database)
        switch found {
        case 0: try database.transaction { () throws(StoreError) in try create(in: database) }
        case version: break
        default: try database.transaction { () throws(StoreError) in try migrate(database, from: found) }
        }
        return database
    }

    private static func create(in database: Database) throws(StoreError) {
        try database.execute(tables + IndexedWords.tables + "PRAGMA user_version = \(version);")
    }

    /// Makes the tables of this version, with what those of another one have in common with them. The words are indexed
    /// anew.
    private static func migrate(_ database: Database, from found: Int64) throws(StoreError) {
        let objects = try database.query("SELECT type, name, sql FROM sqlite_master WHERE sql <> ''")
        func drop(_ type: String, where isDropped: (_ name: String, _ sql: String) -> Bool = { _, _ in true })
            throws(StoreError)
        {
            for object in objects where object[0].text == type && isDropped(object[1].text, object[2].text) {
                let name = object[1].text.replacing("\"", with: "\"\"")
                try database.execute("DROP \(type) IF EXISTS \"\(name)\"")
            }
        }
        let copied = ["inboxes", "notifications"]
        for type in ["trigger", "view", "index"] { try drop(type) }
        // With their own tables.
        try drop("table") { _, sql in sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE") }
        try drop("table") { name, sql in
            !copied.contains(name) && !name.hasPrefix("sqlite_") && !sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE")
        }
        for table in copied { try database.execute("ALTER TABLE \(table) RENAME TO old_\(table)") }
        try create(in: database)
        for table in copied {
            let new = try columns(of: table, in: database)
            let common = try columns(of: "old_\(table)", in: database).filter { new.contains($0) && $0 != "indexed" }
            let list = common.joined(separator: ", ")
            try database.execute("INSERT INTO \(table) (\(list)) SELECT \(list) FROM old_\(table)")
            try database.execute("DROP TABLE old_\(table)")
        }
        if found == 1 { try IndexedWords.convertTexts(in: database) }
    }

    private static func columns(of table: String, in database: Database) throws(StoreError) -> [String] {
        try database.query("SELECT name FROM pragma_table_info(?)", .text(table)).map { $0[0].text }
    }

    /// Removes the file.
    static func remove(_ path: String) { for part in ["", "-wal", "-shm", "-journal"] { unlink(path + part) } }
}
