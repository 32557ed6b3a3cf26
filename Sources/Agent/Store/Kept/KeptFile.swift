import CSQLite
import Glibc

/// The file with the copies of the inboxes. Apart from the state file: what can be loaded from the service again must
/// not be able to damage the user's actions, nor slow their file down.
///
/// A number orders all notifications by time, so that a search finds the newest ones first. Their words are indexed at
/// the next search or start: many at once, and not while notifications arrive.
struct KeptFile {
    private static let version: Int64 = 1
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
        CREATE VIRTUAL TABLE words USING fts5 (
            text, content = 'notifications', content_rowid = 'number',
            tokenize = 'unicode61 remove_diacritics 2', columnsize = 0
        );
        CREATE TRIGGER removed AFTER DELETE ON notifications WHEN old.indexed BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
        END;
        CREATE TRIGGER changed AFTER UPDATE OF text ON notifications WHEN old.indexed AND new.text <> old.text BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
            UPDATE notifications SET indexed = 0 WHERE number = new.number;
        END;
        """

    /// Opens the file, or creates it with its directory. A damaged one, or one of another version, is replaced by a new
    /// one.
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
        switch try Schema.found(in: database) {
        case 0:
            try database.transaction { () throws(StoreError) in
                try database.execute(tables + "PRAGMA user_version = \(version);")
            }
        case version: break
        default: throw StoreError.damage("another version of Feedbell wrote it")
        }
        return database
    }

    /// Removes the file.
    static func remove(_ path: String) { for part in ["", "-wal", "-shm", "-journal"] { unlink(path + part) } }
}
