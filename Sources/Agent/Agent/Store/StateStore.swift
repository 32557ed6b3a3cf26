import Basics

/// The state that the agent needs after a restart, in an SQLite file.
///
/// Rows belong to an owner: one user's inbox at one service, independent of the name of the account.
///
/// Completed changes survive the end of the process. While the file cannot be used, everything is kept in memory and a
/// ``Notice`` reports the reason.
package actor StateStore {
    /// A sentence for the log.
    package enum Notice: Equatable, Sendable {
        /// A problem with the file.
        case problem(String)
        /// The problem is solved.
        case recovery(String)
    }

    /// Whether this process has exclusive use of the file.
    package enum Lock: Equatable, Sendable {
        /// This process has it, or there is nothing to lock: the store is in memory, or its directory is read-only.
        case taken
        /// Another process has the file; its id and the name of another computer that it runs on, if they are known.
        case held(path: String, process: Int?, host: String?)
    }

    let path: String?
    let log: RedoLog
    /// Signalled by new records, and by those that cannot wait for others.
    let (recorded, mustSave) = (WakeSignal(), WakeSignal())
    /// Whether pending statements were refused or left by the previous run: the user's actions are among them.
    var isBehind = false
    /// The owners that are used; nil: unknown.
    var usedOwners: Set<String>?
    /// Whether texts of removed accounts may be left in the file.
    var mustErase = false
    /// Whether this run has not yet made the redo logs of earlier ones outdated.
    var mustStartGeneration = false
    let report: @Sendable (Notice) -> Void
    private var fileLock: StateLock?
    let state: StateDatabase
    nonisolated let executor = DiskExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A store in memory only.
    package init() { self.init(path: nil, logPath: nil) { _ in } }

    /// A store in a file, which is created with its directory if it does not exist. A damaged file, or one that a later
    /// version of Feedbell wrote, is renamed.
    ///
    /// - Parameters:
    ///   - logPath: Of the redo log, see ``record(_:)``; nil: it is in memory only.
    ///   - report: Called with problems of the file and their end.
    package init(path: String, logPath: String? = nil, report: @escaping @Sendable (Notice) -> Void) {
        self.init(path: .some(path), logPath: logPath, report)
    }

    private init(path: String?, logPath: String?, _ report: @escaping @Sendable (Notice) -> Void) {
        self.path = path
        log = RedoLog(path: logPath)
        self.report = report
        state = StateDatabase(path: path, report: report)
    }

    /// The default path: `$XDG_STATE_HOME/feedbell/feedbell.sqlite3`.
    package static func defaultPath(environment: [String: String]) -> String {
        StateDirectory.path(environment: environment) + "/feedbell.sqlite3"
    }

    // MARK: The file

    /// Whether the file can be used.
    var isInFile: Bool { state.current != nil && state.isInFile }

    /// Locks the file for this process until it ends, and adds to the database what an earlier process left in its
    /// redo log. Does nothing if it already holds the lock.
    package func lock() -> Lock {
        guard fileLock == nil, let path, (try? StateFile.makeDirectory(of: path)) != nil else { return .taken }
        do throws(StateLock.Held) {
            fileLock = try StateLock(beside: path)
            recover()
            return .taken
        } catch {
            return .held(path: path, process: error.process, host: error.host)
        }
    }

    /// Locks the file, and waits for another process to release it, at most until `limit` has passed or the task is
    /// cancelled.
    package func lock(atMost limit: Duration, clock: any Clock<Duration>) async -> Lock {
        let interval = Duration.milliseconds(100)
        var waited = Duration.zero
        while true {
            let result = lock()
            guard result != .taken, waited < limit, (try? await clock.sleep(for: interval)) != nil else {
                return result
            }
            waited += interval
        }
    }

    /// The interval between attempts to write the file again.
    package static let interval = Duration.seconds(30)

    /// Writes records to the database, and the contents of the memory fallback to the file as soon as possible. Runs
    /// until the task is cancelled, and then makes a last attempt.
    package func run(clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.saveRecords(clock: clock) }
            group.addTask { await self.retry(clock: clock) }
        }
        exitMemoryFallback()
    }

    private func retry(clock: any Clock<Duration>) async {
        for await _ in state.writeFailures.messages {
            while state.isInMemory, (try? await clock.sleep(for: Self.interval)) != nil { exitMemoryFallback() }
        }
    }

    private func exitMemoryFallback() {
        state.exitMemoryFallback()
        log.executed(0, areInFile: state.isInFile)
    }

    // MARK: The tables

    /// The database to read from; nil if there is not even memory for it.
    var database: Database? { state.current }

    /// Changes the database in one transaction; see ``StateDatabase/write(durably:_:)``.
    func write(durably isDurable: Bool, _ body: (Database) throws(StoreError) -> Void) throws(StoreError) {
        try state.write(durably: isDurable, body)
        log.executed(0, areInFile: state.isInFile)
    }
}
