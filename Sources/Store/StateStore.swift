import FoundationEssentials

/// The state that the agent needs after a restart, in an SQLite file.
///
/// Rows belong to an owner: one user's inbox at one service, independent of the name of the account.
///
/// Completed changes survive the end of the process. While the file cannot be used, everything is kept in memory and a
/// ``Notice`` reports the reason. The file is opened at the first access.
package actor StateStore {
    /// A sentence for the log.
    package enum Notice: Equatable, Sendable {
        /// A problem with the file.
        case problem(String)
        /// The problem is solved.
        case recovery(String)
    }

    /// A pending change of the user, not yet confirmed by the service.
    package struct OutboxRow: Equatable, Sendable {
        /// The order of the changes; see ``StateStore/reserveNumbers()``.
        package var number: Int64
        /// The action, as named in the D-Bus interface.
        package var action: String
        package var ids: [String]
        /// When the user made it, in milliseconds since the Unix epoch.
        package var made: Int64

        package init(number: Int64, action: String, ids: [String], made: Int64) {
            self.number = number
            self.action = action
            self.ids = ids
            self.made = made
        }
    }

    /// Whether this process has exclusive use of the file.
    package enum Lock: Equatable, Sendable {
        /// It has, or there is nothing to lock: the store is in memory only, or its directory is read-only.
        case taken
        /// Another process has the file; its id, if it is known.
        case held(path: String, process: Int?)
    }

    let path: String?
    private var fileLock: StateLock?
    let report: @Sendable (Notice) -> Void
    private nonisolated let executor = DiskExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var isOpened = false
    /// nil while there is no usable file.
    var file: StateFile?
    /// The memory fallback: the contents of the file and the changes since; nil while the file can be written.
    var memoryFallback: Database?
    /// Whether the memory fallback contains everything from the file, so that it may be written back.
    private(set) var hasFullCopy = false
    let writeFailures: AsyncStream<Void>
    let writeFailureInput: AsyncStream<Void>.Continuation

    /// A store in memory only.
    package init() { self.init(path: nil) { _ in } }

    /// A store in a file, which is created with its directory if it does not exist. A damaged file, or one that a later
    /// version of Feedbell wrote, is renamed.
    ///
    /// - Parameter report: Called with problems of the file and their end.
    package init(path: String, report: @escaping @Sendable (Notice) -> Void) {
        self.init(path: .some(path), report)
    }

    private init(path: String?, _ report: @escaping @Sendable (Notice) -> Void) {
        self.path = path
        self.report = report
        (writeFailures, writeFailureInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The default path: `$XDG_STATE_HOME/feedbell/feedbell.sqlite3`.
    package static func usualPath(environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? (environment["HOME"] ?? "") + "/.local/state") + "/feedbell/feedbell.sqlite3"
    }

    /// Locks the file for this process until it ends. Does nothing if it already holds the lock.
    package func lock() -> Lock {
        guard fileLock == nil, let path, (try? StateFile.makeDirectory(of: path)) != nil else { return .taken }
        do throws(StateLock.Held) {
            fileLock = try StateLock(beside: path)
            return .taken
        } catch {
            return .held(path: path, process: error.process)
        }
    }

    /// The current database; nil if there is not even memory for it.
    var database: Database? {
        if !isOpened { open() }
        return memoryFallback ?? file?.database
    }

    private func open() {
        isOpened = true
        guard let path else { return memoryFallback = Self.inMemory() }
        do {
            let opened = try StateFile.open(path)
            file = opened.file
            hasFullCopy = true
            if let notice = opened.notice { report(.problem(notice)) }
        } catch {
            memoryFallback = Self.inMemory()
            let consequence =
                "Pending changes and the record of shown notifications are kept in memory and lost when the agent ends."
            report(.problem("Cannot use \"\(path)\": \(error). \(consequence)"))
        }
    }

    private static func inMemory() -> Database? {
        guard let database = try? Database(":memory:"), (try? Schema.migrate(database)) == true else { return nil }
        return database
    }

    // MARK: The outbox

    /// An owner's pending changes, in order.
    package func outbox(of owner: String) throws(StoreError) -> [OutboxRow] {
        guard let database else { return [] }
        let sql = "SELECT number, action, ids, made FROM outbox WHERE owner = ? ORDER BY number"
        return try database.query(sql, .text(owner)).map { row in
            OutboxRow(
                number: row[0].integer,
                action: row[1].text,
                ids: Self.list(row[2].text),
                made: row[3].integer
            )
        }
    }

    /// Deletes changes and adds others in one transaction.
    ///
    /// Added changes are on disk when this returns. If only a deletion is lost in a power failure, the change is sent
    /// once more, which is harmless.
    package func replace(_ numbers: [Int64], by rows: [OutboxRow], of owner: String) throws(StoreError) {
        try write(durably: !rows.isEmpty) { (database) throws(StoreError) in
            for number in numbers {
                let sql = "DELETE FROM outbox WHERE owner = ? AND number = ?"
                try database.run(sql, .text(owner), .integer(number))
            }
            for row in rows {
                try database.run(
                    "INSERT OR REPLACE INTO outbox (owner, number, action, ids, made) VALUES (?, ?, ?, ?, ?)",
                    .text(owner),
                    .integer(row.number),
                    .text(row.action),
                    .text(Self.text(row.ids)),
                    .integer(row.made)
                )
            }
        }
    }

    // MARK: Writing

    /// Changes the database in one transaction.
    ///
    /// - Parameter isDurable: Whether to sync to disk before returning, so that the changes survive a power failure.
    ///   For actions of the user, which are rare.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        guard let database else { return }
        if memoryFallback != nil || file?.isInPlace == false { exitMemoryFallback() }
        do throws(StoreError) {
            try (self.database ?? database).write(durably: isDurable, body)
        } catch {
            guard error.isObstacle, memoryFallback == nil, let file, enterMemoryFallback(from: file, because: error),
                let memoryFallback
            else { throw error }
            try memoryFallback.write(durably: false, body)
        }
    }

    /// Encodes a list of texts as JSON.
    static func text(_ list: [String]) -> String {
        (try? JSONEncoder().encode(list)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// Decodes the result of ``text(_:)``.
    static func list(_ text: String) -> [String] {
        (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
    }
}
