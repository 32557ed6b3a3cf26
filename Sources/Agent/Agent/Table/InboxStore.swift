import Basics

/// The database with the inboxes of all accounts. It is apart from the state file: what can be loaded from the service
/// again must not be able to damage the user's actions.
package actor InboxStore {
    /// The state file's.
    nonisolated let executor: DiskExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    /// Used on the thread of ``executor`` only.
    nonisolated(unsafe) let database: StateDatabase
    private let report: @Sendable (StateStore.Notice) -> Void
    private(set) var limits = InboxLimits(count: 0)

    /// The file `inbox.sqlite3` beside a state file, which is locked when it is used; without one, in memory only.
    package init(beside store: StateStore) {
        (executor, report) = (store.executor, store.report)
        let path = store.path.map { "\($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)])/inbox.sqlite3" }
        database = StateDatabase(path: path, of: .inboxes) { notice in
            // If the state file cannot be used either, the reason is the same.
            if store.assumeIsolated({ $0.isInFile }) { store.report(notice) }
        }
        database.keepInFile(false)
    }

    /// Keeps the inboxes of these owners only, within these limits. Nothing of others is left in the file.
    package func keep(_ owners: Set<String>, _ limits: InboxLimits) {
        self.limits = limits
        database.keepInFile(limits.count > 0)
        database.removeUnusedFile()
        do throws(StoreError) {
            let known = try database.current?.query("SELECT number, owner FROM inboxes") ?? []
            let others = known.filter { !owners.contains($0[1].text) }.map { $0[0] }
            if !others.isEmpty {
                try database.write(durably: false) { (database) throws(StoreError) in
                    for inbox in others {
                        try database.run("DELETE FROM rows WHERE inbox = ?", inbox)
                        try database.run("DELETE FROM inboxes WHERE number = ?", inbox)
                    }
                    try database.demandErasure()
                }
            }
            try erase()
        } catch {
            report(.problem("Cannot remove inboxes that are no longer used: \(error)."))
        }
    }

    /// Leaves nothing in the file of inboxes that were removed, also if a previous run could not.
    private func erase() throws(StoreError) {
        guard database.isInFile, let file = database.current, try file.mustErase else { return }
        try IndexedWords.discard(in: file)
        try file.vacuum()
    }

    /// Writes the contents of the memory fallback to the file as soon as possible, and indexes the words of the
    /// previous run: the first search then has little to do. Runs until the task is cancelled.
    package func run(clock: any Clock<Duration>) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.retry(clock: clock) }
            group.addTask { await self.indexWords() }
        }
        database.exitMemoryFallback()
    }

    private func retry(clock: any Clock<Duration>) async {
        for await _ in database.writeFailures.messages {
            while database.isInMemory, (try? await clock.sleep(for: StateStore.interval)) != nil {
                database.exitMemoryFallback()
            }
        }
    }

    /// Indexes all words, with turns for others in between.
    func indexWords() async {
        while !Task.isCancelled, (try? IndexedWords.indexNext(in: database)) == true { await Task.yield() }
    }
}

extension StateDatabase.Form {
    /// The file of the inboxes. A damaged one, or one of another version, is replaced by a new one: the services report
    /// again.
    static let inboxes = StateDatabase.Form(
        open: { path throws in try InboxFile.open(path) },
        create: { (database) throws(StoreError) in try InboxFile.prepare(database) },
        noFile: "The inboxes are kept in memory.",
        inMemory: "The inboxes are kept in memory until the file can be written.",
        isBack: "can be written again."
    )
}
