import FoundationEssentials

/// What the agent has to know after it was ended or killed, in an SQLite file.
///
/// What has returned survives the end of the process. Where the file cannot be used, everything is kept in memory, and ``notices`` say
/// why: the agent goes on.
package actor StateStore {
    /// A change a person made, not yet confirmed by the service.
    package struct OutboxRow: Equatable, Sendable {
        /// The order of an account's changes.
        package var number: Int64
        /// What it is, in the words of the D-Bus interface.
        package var action: String
        package var ids: [String]
        /// When it was made, in milliseconds since the Unix epoch.
        package var made: Int64

        package init(number: Int64, action: String, ids: [String], made: Int64) {
            self.number = number
            self.action = action
            self.ids = ids
            self.made = made
        }
    }

    /// Sentences for the log: what happened to the file when it was opened.
    package let notices: [String]
    let database: Database?

    /// A store in memory only.
    package init() {
        let opened = Self.inMemory()
        database = opened
        notices = []
    }

    /// A store in a file, which is made with its directory if it is not there. A damaged file, or one that a later version of Feedbell has
    /// written, is set aside under another name.
    package init(path: String) {
        let opening = Self.open(path)
        database = opening.database
        notices = opening.notices
    }

    /// The usual place: `$XDG_STATE_HOME/feedbell/feedbell.sqlite3`.
    package static func usualPath(environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? (environment["HOME"] ?? "") + "/.local/state") + "/feedbell/feedbell.sqlite3"
    }

    private static func inMemory() -> Database? {
        guard let database = try? Database(":memory:"), (try? Schema.migrate(database)) == true else { return nil }
        return database
    }

    private static func open(_ path: String) -> (database: Database?, notices: [String]) {
        do {
            try makeDirectory(of: path)
            switch try examine(path) {
            case .usable(let database): return (database, [])
            case .unusable(let why):
                let place = try setAside(path)
                guard case .usable(let database) = try examine(path) else { break }
                return (database, ["\"\(path)\" \(why). It is kept as \"\(place)\", and a new file is begun."])
            }
        } catch {
            let consequence = "What waits for the service is kept in memory and lost when the agent ends."
            return (inMemory(), ["\"\(path)\" cannot be used: \(error). \(consequence)"])
        }
        return (inMemory(), [])
    }

    private enum Verdict {
        case usable(Database)
        /// What is wrong, as the end of a sentence.
        case unusable(String)
    }

    private static func examine(_ path: String) throws(StoreError) -> Verdict {
        do throws(StoreError) {
            let database = try Database(path)
            try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -256")
            let check = try database.query("PRAGMA quick_check(1)").first?.first?.text ?? ""
            guard check == "ok" else { return .unusable("is damaged (\(check))") }
            return try Schema.migrate(database)
                ? .usable(database) : .unusable("was written by a later version of Feedbell")
        } catch {
            if error.isDamage { return .unusable("is damaged (\(error.reason))") }
            throw error
        }
    }

    private static func makeDirectory(of path: String) throws {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        if !FileManager.default.fileExists(atPath: path) { makeFile(path) }
    }

    /// What it holds says what a person reads: nobody else's business.
    private static func makeFile(_ path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }

    /// - Returns: The file's new name.
    private static func setAside(_ path: String) throws -> String {
        let place =
            (1...).lazy.map { "\(path).aside-\($0)" }.first { !FileManager.default.fileExists(atPath: $0) } ?? path
        for part in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + part) {
            try FileManager.default.moveItem(atPath: path + part, toPath: place + part)
        }
        makeFile(path)
        return place
    }

    // MARK: The outbox

    /// An account's changes that are not confirmed, in order.
    package func outbox(of account: String) throws(StoreError) -> [OutboxRow] {
        guard let database else { return [] }
        let sql = "SELECT number, action, ids, made FROM outbox WHERE account = ? ORDER BY number"
        return try database.query(sql, .text(account)).map { row in
            OutboxRow(
                number: row[0].integer,
                action: row[1].text,
                ids: Self.list(row[2].text),
                made: row[3].integer
            )
        }
    }

    /// Forgets changes, and keeps others: all of it, or nothing.
    ///
    /// What is kept is on the disk when this returns. If a mere forgetting is lost with the machine's power, a change is made once more,
    /// which does no harm.
    package func replace(_ numbers: [Int64], by rows: [OutboxRow], of account: String) throws(StoreError) {
        try write(durably: !rows.isEmpty) { (database) throws(StoreError) in
            for number in numbers {
                let sql = "DELETE FROM outbox WHERE account = ? AND number = ?"
                try database.run(sql, .text(account), .integer(number))
            }
            for row in rows {
                try database.run(
                    "INSERT OR REPLACE INTO outbox (account, number, action, ids, made) VALUES (?, ?, ?, ?, ?)",
                    .text(account),
                    .integer(row.number),
                    .text(row.action),
                    .text(Self.text(row.ids)),
                    .integer(row.made)
                )
            }
        }
    }

    // MARK: Writing

    /// Changes the database: all of `body`, or nothing.
    ///
    /// - Parameter isDurable: It is on the disk when this returns, so that it survives the machine's power, too. For what a person has
    ///   done, which happens rarely and is worth waiting for the disk.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        guard let database else { return }
        if isDurable { try database.execute("PRAGMA synchronous = FULL") }
        defer { if isDurable { try? database.execute("PRAGMA synchronous = NORMAL") } }
        try database.transaction { () throws(StoreError) in try body(database) }
    }

    /// Texts as one text.
    static func text(_ list: [String]) -> String {
        (try? JSONEncoder().encode(list)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// The texts that ``text(_:)`` made one text of.
    static func list(_ text: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
    }
}
