import CSQLite

/// Why something could not be kept or read.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    /// SQLite's result code.
    package let code: Int32
    /// SQLite's own words.
    package let reason: String

    package var description: String { "SQLite says: \(reason) (\(code))" }

    /// A file that was just made, and cannot be used.
    static let useless = StoreError(code: SQLITE_ERROR, reason: "a new file cannot be used")

    /// Whether the same could be written elsewhere, or later: there is no room, no permission, no disk, or somebody else locks the file.
    var isObstacle: Bool {
        [SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY, SQLITE_PROTOCOL, SQLITE_PERM]
            .contains(code & 0xFF)
    }

    /// Whether the file is no database, or a damaged one.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }
}
