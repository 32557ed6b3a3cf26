import FoundationEssentials

/// What the agent has to know after it was ended or killed, in an SQLite file.
///
/// Rows belong to an owner: one person's inbox at one service, whatever the account is named that shows it.
///
/// What has returned survives the end of the process. While the file cannot be used, everything is kept in memory, and a ``Notice`` says
/// why: the agent goes on. The file is opened by the first who asks for something.
package actor StateStore {
    /// A sentence for the log.
    package enum Notice: Equatable, Sendable {
        /// Something is wrong with the file.
        case trouble(String)
        /// It is all right again.
        case recovery(String)
    }

    /// A change a person made, not yet confirmed by the service.
    package struct OutboxRow: Equatable, Sendable {
        /// The order of the changes; see ``StateStore/reserveNumbers()``.
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

    /// Whether this process has the file to itself.
    package enum Lock: Equatable, Sendable {
        /// It has, or nothing can be locked: the store is in memory only, or its directory cannot be written.
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
    /// nil: there is none at the moment.
    var file: StateFile?
    /// All that the file holds and what could not be written to it; nil while it can be.
    var refuge: Database?
    /// Whether the refuge is for a while only: it has all that the file held.
    private(set) var isReturning = false
    let troubles: AsyncStream<Void>
    let trouble: AsyncStream<Void>.Continuation

    /// A store in memory only.
    package init() { self.init(path: nil) { _ in } }

    /// A store in a file, which is made with its directory if it is not there. A damaged file, or one that a later version of Feedbell has
    /// written, is set aside under another name.
    ///
    /// - Parameter report: Is told what happens to the file.
    package init(path: String, report: @escaping @Sendable (Notice) -> Void) {
        self.init(path: .some(path), report)
    }

    private init(path: String?, _ report: @escaping @Sendable (Notice) -> Void) {
        self.path = path
        self.report = report
        (troubles, trouble) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The usual place: `$XDG_STATE_HOME/feedbell/feedbell.sqlite3`.
    package static func usualPath(environment: [String: String]) -> String {
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? (environment["HOME"] ?? "") + "/.local/state") + "/feedbell/feedbell.sqlite3"
    }

    /// Takes the file for this process alone, until it ends. Does nothing if it has it already.
    package func lock() -> Lock {
        guard fileLock == nil, let path, (try? StateFile.makeDirectory(of: path)) != nil else { return .taken }
        do throws(StateLock.Held) {
            fileLock = try StateLock(beside: path)
            return .taken
        } catch {
            return .held(path: path, process: error.process)
        }
    }

    /// Where everything is at the moment; nil if there is not even memory for it.
    var database: Database? {
        if !isOpened { open() }
        return refuge ?? file?.database
    }

    private func open() {
        isOpened = true
        guard let path else { return refuge = Self.inMemory() }
        do {
            let opened = try StateFile.open(path)
            file = opened.file
            isReturning = true
            if let notice = opened.notice { report(.trouble(notice)) }
        } catch {
            refuge = Self.inMemory()
            let consequence =
                "What waits for the service, and what was shown, is kept in memory and lost when the agent ends."
            report(.trouble("\"\(path)\" cannot be used: \(error). \(consequence)"))
        }
    }

    private static func inMemory() -> Database? {
        guard let database = try? Database(":memory:"), (try? Schema.migrate(database)) == true else { return nil }
        return database
    }

    // MARK: The outbox

    /// An owner's changes that are not confirmed, in order.
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

    /// Forgets changes, and keeps others: all of it, or nothing.
    ///
    /// What is kept is on the disk when this returns. If a mere forgetting is lost with the machine's power, a change is made once more,
    /// which does no harm.
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

    /// Changes the database: all of `body`, or nothing.
    ///
    /// - Parameter isDurable: It is on the disk when this returns, so that it survives the machine's power, too. For what a person has
    ///   done, which happens rarely and is worth waiting for the disk.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        guard let database else { return }
        if refuge != nil || file?.isInPlace == false { leaveRefuge() }
        do throws(StoreError) {
            try (self.database ?? database).write(durably: isDurable, body)
        } catch {
            guard error.isObstacle, refuge == nil, let file, takeRefuge(from: file, because: error), let refuge
            else { throw error }
            try refuge.write(durably: false, body)
        }
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
