import CSQLite

/// A failed read or write of the state file.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    /// SQLite's result code.
    package let code: Int32
    /// SQLite's message.
    package let reason: String

    package var description: String { "SQLite: \(reason) (\(code))" }

    /// A newly created file is unusable.
    static let unusable = StoreError(code: SQLITE_ERROR, reason: "a new file cannot be used")

    /// A file is damaged in a way that SQLite does not see.
    static func damage(_ reason: String) -> StoreError { StoreError(code: SQLITE_CORRUPT, reason: reason) }

    /// Whether the write could succeed at another path or later: the disk is full or failed, permission is missing, or
    /// another process locks the file.
    var isObstacle: Bool {
        [SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY, SQLITE_PROTOCOL, SQLITE_PERM]
            .contains(code & 0xFF)
    }

    /// Whether the statement took longer than it may.
    package var isTimeout: Bool { code & 0xFF == SQLITE_INTERRUPT }

    /// Whether a statement does not fit the tables.
    var isStatementError: Bool { code & 0xFF == SQLITE_ERROR }

    /// Whether the file is damaged or not a database.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }
}
