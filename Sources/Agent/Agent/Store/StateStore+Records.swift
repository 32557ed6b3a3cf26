package import Basics
import Glibc
package import Inbox

/// Records that are in the redo log at once, and in the database later.
extension StateStore {
    /// How long records wait for others that are written to the database with them.
    private static let delay = Duration.seconds(1)
    /// A value that names the file of the redo log.
    private static let logName = "redo log"
    /// A value that names the run that used the database last: the redo logs of earlier ones are outdated.
    private static let generationName = "generation"

    /// The default path of the redo log: in `$XDG_RUNTIME_DIR`, which is in memory, so that writing never waits for a
    /// disk, and has room while the disk has none; beside the state file without it, or if it is not this user's own
    /// with mode 0700, as the XDG Base Directory Specification demands.
    package static func defaultLogPath(beside path: String, environment: [String: String]) -> String {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/"), isPrivate(runtime) else {
            return path + "-redo"
        }
        // FNV-1a, of 64 bits: agents with different state files have different ones.
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(runtime)/feedbell/redo-\(String(hash, radix: 16))"
    }

    private static func isPrivate(_ directory: String) -> Bool {
        var status = stat()
        return stat(directory, &status) == 0 && status.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700
            && status.st_uid == geteuid()
    }

    /// Records the effects that are to be stored, in their order. They survive the end of the process when this
    /// returns, but may not survive a power failure: then a notification may be shown twice. ``run(clock:)`` writes
    /// them to the database a second later.
    package nonisolated func record(_ effects: [Popups.Effect]) {
        let statements = effects.flatMap(\.statements)
        if !statements.isEmpty { record(statements: statements) }
    }

    /// Records notifications of one owner whose arrival is signalled, with their times of creation, as
    /// ``record(_:)`` does: after a power failure, one may be signalled twice.
    package nonisolated func record(arrivals: [NotificationID: Timestamp], of owner: String) {
        record(statements: [RedoLog.Statement(.addArrival, owner, arrivals)])
    }

    private nonisolated func record(statements: [RedoLog.Statement]) {
        if let failure = log.add(statements) {
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
        if mustStartGeneration { startGeneration() }
        erase()
    }

    /// Makes the redo logs of all earlier runs outdated, once the database needs none of them.
    private func startGeneration() {
        guard state.isInFile, log.isEmpty else { return }
        mustStartGeneration = false
        let generation = String(UInt64.random(in: .min ... .max), radix: 16)
        do throws(StoreError) {
            try setValue(generation, of: Self.generationName)
            log.start(with: [], of: generation)
        } catch {
            report(.problem("Cannot record that the state file is used: \(error)."))
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
                for statement in all { for row in statement.rows { try database.run(statement.kind.sql, row) } }
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
    /// The database names that log: with another environment it is at another path. A log of another generation is
    /// older than the database, for example that of another computer with this home directory: its popups and marks are
    /// outdated, and only the user's actions are still needed.
    func recover() {
        guard let path = log.path else { return }
        let previous = try? value(of: Self.logName)
        let generation = try? value(of: Self.generationName)
        var (statements, newest): ([RedoLog.Statement], String) = ([], generation ?? "")
        for place in [path] + [previous].compactMap(\.self).filter({ $0 != path }) {
            let contents = contents(of: place)
            let isCurrent =
                contents.generation.isEmpty ? place == previous ?? path : contents.generation == generation
            // In memory only, the database has no generation.
            statements +=
                isCurrent || generation == nil ? contents.statements : contents.statements.filter(\.kind.isOfOutbox)
            if generation == nil { newest = contents.generation }
        }
        isBehind = !statements.isEmpty
        mustStartGeneration = true
        let isKept = log.start(with: statements, of: newest)
        save()
        guard previous != path, isKept || (state.isInFile && !isBehind) else { return }
        do throws(StoreError) {
            try setValue(path, of: Self.logName)
            if let previous { RedoLog.remove(previous) }
        } catch {
            report(.problem("Cannot record the place of the redo log: \(error)."))
        }
    }

    private func contents(of path: String) -> RedoLog.Contents {
        do throws(RedoLog.Failure) {
            let contents = try RedoLog.contents(at: path)
            if contents.unknown > 0 {
                report(.problem("Records of another version of Feedbell in \"\(path)\" were discarded."))
            }
            return contents
        } catch {
            report(.problem("The records of the previous run are not used: \(error)."))
            return RedoLog.Contents()
        }
    }
}
