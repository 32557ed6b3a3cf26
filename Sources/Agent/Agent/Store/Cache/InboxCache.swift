package import Basics
package import Inbox
import Synchronization

/// Copies of the inboxes of all accounts, as the services last reported them: what is listed without a connection, and
/// searched. Nothing else depends on them.
///
/// Changes are written together, a moment after the first one. What is lost if the process ends before, the services
/// report again. A damaged file is replaced by a new one.
package actor InboxCache {
    /// How long changes wait for others.
    private static let delay = Duration.milliseconds(1_500)
    /// How many notifications wait for others at most, and their size in bytes.
    private static let batchLimit = (count: 500, size: 4 << 20)
    /// How many notifications may wait for a file that cannot be written, and their size in bytes. Beyond it, the
    /// copies begin again.
    private static let waitingLimit = (count: 2_000, size: 32 << 20)
    /// How many notifications are added until those beyond the limits are removed.
    private static let trimInterval = 100
    /// In milliseconds: the time between attempts to erase what was removed, while the disk has no room.
    private static let erasureInterval: Int64 = 600_000

    private struct Waiting {
        var changes: [(owner: String, CacheChange)] = []
        /// By owner.
        var inboxes: [String: CachedInbox] = [:]
        /// The number of notifications in the changes, and their size in bytes.
        var count = 0
        var size = 0
        /// Whether changes were discarded.
        var isIncomplete = false
        /// How much is kept.
        var limits = Limits(count: 0)
        /// Whether anything is kept, or it is not known yet.
        var isKeeping = true
    }

    /// nil: in memory only.
    private let path: String?
    private let now: @Sendable () -> Timestamp
    private let store: StateStore
    /// What the store writes goes first.
    private nonisolated let executor: DiskExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let waiting = Mutex(Waiting())
    /// Signalled by changes, and by those that need not wait for others.
    private let (recorded, full) = (WakeSignal(), WakeSignal())
    private var limits = Limits(count: 0)
    private var owners: Set<String> = []
    private var opened: Database?
    /// The last problem that was reported.
    private var problem: String?
    private var untrimmed: [Int64: Int] = [:]
    /// When to try again to erase what was removed; nil: nothing is left of it.
    private var nextErasure: Timestamp?
    /// The inboxes, by owner, whose copies are what the services have.
    private var current: [String: CachedInbox] = [:]

    /// Copies beside a state file, which is locked when they are used; they are written by its thread.
    package init(beside store: StateStore, now: @escaping @Sendable () -> Timestamp) {
        self.now = now
        self.store = store
        executor = store.executor.background
        path = store.path.map { $0[..<($0.lastIndex(of: "/") ?? $0.startIndex)] + "/inbox.sqlite3" }
    }

    // MARK: Changes

    /// Keeps the inboxes of these owners only, within these limits. Nothing of others is left in the file.
    package func keep(_ owners: Set<String>, _ limits: Limits) {
        let mustTrim = self.limits.count > 0 && self.limits != limits
        (self.owners, self.limits) = (owners, limits)
        current = current.filter { owners.contains($0.key) }
        waiting.withLock { ($0.limits, $0.isKeeping) = (limits, limits.count > 0) }
        guard limits.count > 0 else {
            waiting.withLock { $0 = Waiting(isKeeping: false) }
            opened = nil
            if let path { CacheFile.remove(path) }
            return
        }
        save()
        withDatabase { (database) throws(StoreError) in
            let kept = try database.query("SELECT number, owner FROM inboxes")
            let others = kept.filter { !owners.contains($0[1].text) }.map { $0[0] }
            guard mustTrim || !others.isEmpty else { return }
            try database.transaction { () throws(StoreError) in
                for inbox in others {
                    try database.run("DELETE FROM notifications WHERE inbox = ?", inbox)
                    try database.run("DELETE FROM inboxes WHERE number = ?", inbox)
                }
                for inbox in kept where owners.contains(inbox[1].text) { try trim(inbox[0].integer, database) }
                if !others.isEmpty { try database.demandErasure() }
            }
        }
        erase()
    }

    /// Leaves nothing in the file of inboxes that were removed: now, or in a previous run that could not.
    private func erase() {
        nextErasure = now().advanced(milliseconds: Self.erasureInterval)
        withDatabase { (database) throws(StoreError) in
            if try database.mustErase { try database.erase() }
            if try !database.mustErase { nextErasure = nil }
        }
    }

    /// How much is kept; none until it is known.
    package nonisolated var currentLimits: Limits { waiting.withLock { $0.limits } }

    /// Records a change of an inbox, in the order of the calls.
    package nonisolated func record(_ change: CacheChange, of owner: String) {
        let isFull = waiting.withLock { waiting in
            guard waiting.isKeeping else { return false }
            waiting.count += change.count
            waiting.size += change.size
            if waiting.count <= Self.waitingLimit.count, waiting.size <= Self.waitingLimit.size {
                waiting.changes.append((owner, change))
            } else {
                waiting = Waiting(inboxes: waiting.inboxes, isIncomplete: true, limits: waiting.limits)
            }
            return waiting.count >= Self.batchLimit.count || waiting.size >= Self.batchLimit.size
        }
        if isFull { full.signal() }
        recorded.signal()
    }

    /// Records what is known of an inbox as a whole.
    package nonisolated func record(_ inbox: CachedInbox, of owner: String) {
        waiting.withLock { if $0.isKeeping { $0.inboxes[owner] = inbox } }
        recorded.signal()
    }

    /// Writes the changes to the file, if there is one, until the task is cancelled.
    package func run(clock: any Clock<Duration>) async {
        var isIndexed = false
        while path != nil, !Task.isCancelled {
            await recorded.wait(clock: clock)
            await full.wait(atMost: Self.delay, clock: clock)
            recorded.clear()
            save()
            if let nextErasure, now() >= nextErasure { erase() }
            if isIndexed { continue }
            // The words of the previous run, after the start: the first search then has little to do.
            var hasMore = true
            while hasMore, !Task.isCancelled {
                hasMore = false
                withDatabase { (database) throws(StoreError) in hasMore = try database.indexWords() }
                await Task.yield()
            }
            isIndexed = true
        }
        waiting.withLock { $0.inboxes.merge(current) { new, _ in new } }
        save()
    }

    private func save() {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting(limits: waiting.limits, isKeeping: waiting.isKeeping) }
            return waiting
        }
        guard limits.count > 0, taken.isIncomplete || !taken.changes.isEmpty || !taken.inboxes.isEmpty else { return }
        let isWritten = withDatabase { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in try write(taken, to: database) }
        }
        guard !isWritten else { return }
        waiting.withLock { waiting in
            waiting.isIncomplete = waiting.isIncomplete || taken.isIncomplete
            waiting.changes = taken.changes + waiting.changes
            waiting.inboxes.merge(taken.inboxes) { new, _ in new }
            waiting.count += taken.count
            waiting.size += taken.size
        }
    }

    private func write(_ waiting: Waiting, to database: Database) throws(StoreError) {
        if waiting.isIncomplete { try database.execute("DELETE FROM notifications; DELETE FROM inboxes") }
        for (owner, change) in waiting.changes where owners.contains(owner) {
            let inbox = try database.inbox(of: owner)
            untrimmed[inbox, default: Self.trimInterval] += try database.apply(change, to: inbox)
        }
        for (owner, inbox) in waiting.inboxes where owners.contains(owner) {
            current[owner] = inbox.asOf == nil ? inbox : nil
            var inbox = inbox
            inbox.asOf = inbox.asOf ?? now()
            try database.set(inbox, of: try database.inbox(of: owner))
        }
        for (inbox, count) in untrimmed where count >= Self.trimInterval { try trim(inbox, database) }
    }

    private func trim(_ inbox: Int64, _ database: Database) throws(StoreError) {
        try database.trim(inbox, to: limits, now: now().milliseconds)
        untrimmed[inbox] = 0
    }

    // MARK: Reading

    /// The state of an inbox; nil: unknown.
    package func inbox(of owner: String) -> CachedInbox? {
        read { (database) throws(StoreError) in
            let query = "SELECT \(CachedInbox.columns) FROM inboxes WHERE owner = ? AND as_of > 0"
            return try database.query(query, .text(owner)).first.map(CachedInbox.init)
        } ?? nil
    }

    /// The notifications after a place of the list; nil: from its top.
    ///
    /// - Returns: What was found, and the place of its last one if there may be more.
    package func list(
        of owner: String,
        isArchived: Bool,
        after place: SortKey?,
        limit: Int
    ) -> (found: [Notification], last: SortKey?) {
        let rows =
            read { (database) throws(StoreError) in
                try database.notifications(
                    """
                    WHERE inbox = (SELECT number FROM inboxes WHERE owner = ?) AND archived = ?
                    AND (pinned, time, id) < (?, ?, ?) ORDER BY pinned DESC, time DESC, id DESC LIMIT ?
                    """,
                    .text(owner),
                    .integer(isArchived ? 1 : 0),
                    .integer(place.map { $0.isPinned ? 1 : 0 } ?? 2),
                    .integer(place?.time.milliseconds ?? 0),
                    .text(place?.id.rawValue ?? ""),
                    .integer(Int64(limit))
                )
            } ?? []
        return (notifications(rows), rows.count < limit ? nil : rows.last.map(SortKey.init(_:)))
    }

    /// What these rows are now; those of another form are left out.
    private func notifications(_ rows: [[Database.Value]]) -> [Notification] {
        let now = self.now()
        return rows.compactMap { Notification($0, now: now) }
    }

    /// The maximum number of ids that are looked up for prefixes, unless two of each are more.
    private static let longestLookUp = 1_000

    /// The ids that begin with these texts.
    ///
    /// - Parameter limit: The maximum number for each text. Of many texts fewer, but two: one is then known to be
    ///   unique.
    package func ids(of owner: String, prefixes: [String], limit: Int) -> [NotificationID] {
        let limit = min(limit, max(2, Self.longestLookUp / max(1, prefixes.count)))
        return read { (database) throws(StoreError) in
            var found: [NotificationID] = []
            for prefix in prefixes { found += try database.ids(of: owner, prefix: prefix, limit: limit) }
            return found
        } ?? []
    }

    /// The notifications with these ids; unknown ones are left out.
    package func notifications(of owner: String, ids: [NotificationID]) -> [Notification] {
        notifications(read { (database) throws(StoreError) in try database.notifications(of: owner, ids: ids) } ?? [])
    }

    /// The notifications whose text matches, newest first. What the store writes does not wait for it. Call it again
    /// when it has returned.
    ///
    /// - Parameter last: The last one of a previous call; nil: from the newest.
    /// - Returns: What was found, and its last one if there may be more; nil: nothing is kept.
    package func search(
        _ owner: String,
        for search: CacheSearch,
        after last: CacheSearch.Position?,
        limit: Int
    ) async throws(StoreError) -> (found: [Notification], last: CacheSearch.Position?)? {
        guard try database() != nil else { return nil }
        guard let match = search.match else { return ([], nil) }
        save()
        while try database()?.indexWords() ?? false { await Task.yield() }
        guard let database = try database() else { return nil }
        let rows = try database.query(
            within: CacheSearch.timeLimit,
            """
            SELECT notifications.number, \(Notification.columns("notifications."))
            FROM words JOIN notifications ON notifications.number = words.rowid
            WHERE words MATCH ? AND words.rowid < ?
            AND inbox = (SELECT number FROM inboxes WHERE owner = ?) ORDER BY words.rowid DESC LIMIT ?
            """,
            .text(match),
            .integer(last?.number ?? .max),
            .text(owner),
            .integer(Int64(limit))
        )
        let position = rows.count < limit ? nil : rows.last.map { CacheSearch.Position(number: $0[0].integer) }
        return (notifications(rows.map { Array($0.dropFirst()) }), position)
    }

    // MARK: The file

    /// nil: nothing is kept.
    private func database() throws(StoreError) -> Database? {
        guard limits.count > 0 else { return nil }
        if let opened { return opened }
        let (database, replaced) = try CacheFile.open(path)
        if let replaced, let path { store.report(.problem("The copy \"\(path)\" begins again: \(replaced.reason).")) }
        opened = database
        return database
    }

    /// Reads with all changes so far.
    private func read<Result>(_ body: (Database) throws(StoreError) -> Result) -> Result? {
        save()
        var result: Result?
        withDatabase { (database) throws(StoreError) in result = try body(database) }
        return result
    }

    /// A failure is reported once, and not if the state file cannot be used either: the reason is the same. A damaged
    /// file is replaced.
    ///
    /// - Returns: Whether it succeeded.
    @discardableResult
    private func withDatabase(_ body: (Database) throws(StoreError) -> Void) -> Bool {
        do throws(StoreError) {
            guard let database = try database() else { return true }
            try body(database)
            // An idle agent needs no cache.
            try database.execute("PRAGMA shrink_memory")
            problem = nil
            return true
        } catch {
            let sentence = "Cannot use the copy of the inbox: \(error)."
            if problem != sentence, store.assumeIsolated({ $0.isInFile }) {
                store.report(.problem(sentence))
                problem = sentence
            }
            guard error.isDamage, let path else { return false }
            opened = nil
            CacheFile.remove(path)
            return false
        }
    }
}
