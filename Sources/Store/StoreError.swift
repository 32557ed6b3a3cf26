import CSQLite

/// Why something could not be kept or read.
package struct StoreError: Error, Equatable, CustomStringConvertible {
    /// SQLite's result code.
    package let code: Int32
    /// SQLite's own words.
    package let reason: String

    package var description: String { "SQLite says: \(reason) (\(code))" }

    /// Whether the file is no database, or a damaged one.
    var isDamage: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }
}
