import Basics

/// Records that are in the redo log at once, and in the database later.
extension StateStore {
    /// How long records wait for others that are written to the database with them.
    private static let delay = Duration.seconds(1)
    /// A value that names the file of the redo log.
    private static let logName = "redo log"

    /// The usual path of the redo log: in `$XDG_RUNTIME_DIR`, which is in memory, so that writing never waits for a
    /// disk, and has room while the disk has none; without it beside the state file.
    package static func usualLogPath(beside path: String, environment: [String: String]) -> String {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return path + "-redo" }
        // FNV-1a, of 64 bits: agents with different state files have different ones.
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(runtime)/feedbell/redo-\(String(hash, radix: 16))"
    }

    /// Records changes of popups, in their order. They survive the end of the process when this returns, but may not
    /// survive a power failure: then a notification may be shown or signalled twice. ``run(clock:)`` writes them to the
    /// database a second later.
    package nonisolated func record(_ changes: [PopupChange]) {
        if let failure = log.add(changes.flatMap(\.statements)) {
            report(.problem("Cannot record at once what was shown: \(failure)."))
        }
        if !log.canWait { mustSave.signal() }
        recorded.signal()
    }

    /// Writes the records to the database. If SQLite refuses them, they are written with the next changes.
    package func save() {
        do throws(StoreError) { try write([]) } catch {
            report(.problem("Cannot write the record of shown notifications: \(error)."))
        }
    }

    /// Saves records until the task is cancelled.
    func saveRecords(clock: any Clock<Duration>) async {
        while !Task.isCancelled {
            await recorded.wait(clock: clock)
            await mustSave.wait(atMost: Self.delay, clock: clock)
            recorded.clear()
            save()
        }
    }

    /// Executes the pending statements and then these ones, in one transaction.
    func write(_ statements: [RedoLog.Statement], durably isDurable: Bool = false) throws(StoreError) {
        let pending = log.pending
        let all = pending + statements
        guard !all.isEmpty else { return }
        do throws(StoreError) {
            try state.write(durably: isDurable || isBehind) { (database) throws(StoreError) in
                for statement in all { for row in statement.rows { try database.run(statement.sql, row) } }
            }
        } catch {
            log.refused()
            isBehind = true
            throw error
        }
        isBehind = false
        log.executed(pending.count, areInFile: state.isInFile)
    }

    /// Executes the statements that the previous run has left in its redo log.
    ///
    /// The database names that log: with another environment it is at another path. A log at the path of this run is
    /// then older than the database: its popups and marks are outdated, and only the user's actions are still needed.
    func recover() {
        guard let path = log.path else { return }
        let previous = try? value(of: Self.logName)
        var statements = RedoLog.statements(at: path)
        if let previous, previous != path {
            statements = statements.filter(\.isOfOutbox) + RedoLog.statements(at: previous)
        }
        statements = statements.filter { statement in
            guard let database, !database.accepts(statement.sql, statement.rows) else { return true }
            report(.problem("A record of another version of Feedbell was discarded: \(statement.sql)"))
            return false
        }
        isBehind = !statements.isEmpty
        let isKept = log.begin(with: statements)
        save()
        guard previous != path, isKept || (state.isInFile && !isBehind) else { return }
        do throws(StoreError) {
            try setValue(path, of: Self.logName)
            if let previous { RedoLog.remove(previous) }
        } catch {
            report(.problem("Cannot record the place of the redo log: \(error)."))
        }
    }
}

extension RedoLog.Statement {
    fileprivate var isOfOutbox: Bool { StateStore.OutboxTable.allCases.contains { sql.contains(" \($0.name) ") } }
}
