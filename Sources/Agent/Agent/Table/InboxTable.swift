import Basics
import Inbox

/// The inbox of an account: one table in a database, the agent's only copy of its notifications. Lists, counts and what
/// is due are queries.
///
/// A row has the service's last word, and beside it what the user sees: the service's word with the pending changes and
/// what only this computer knows. ``write(_:)`` is the only function that writes the latter. Each change is one
/// transaction; if it fails, nothing has changed.
struct InboxTable {
    typealias Entry = PendingChange<TimestampedChange>

    /// The difference of one notification between two moments.
    enum Difference: Equatable {
        case added(Notification)
        case changed(Notification)
        case removed(NotificationID)
        /// No longer listed; the service still has it.
        case unloaded(NotificationID)
    }

    let storage: StateDatabase
    let now: @Sendable () -> Timestamp
    /// The number of the inbox in the database; 0: it is not open.
    private(set) var inbox: Int64 = 0
    let tabs: [InboxTab]
    let rules: ServiceRules

    /// The user's changes that the service has not confirmed.
    var overlay = PendingOverlay()
    /// nil: no rule concerns the inbox.
    var muting: InboxRules?
    var reach = InboxReach()
    /// As the service reported it.
    var record = InboxRecord()
    private var savedRecord = InboxRecord()
    var sums: InboxSums
    /// Whether the service has reported the inbox in this run.
    private(set) var isReported = false
    /// Whether what a previous run has kept is listed.
    private(set) var isRestored = false
    /// The places of the newest part, which the service keeps up to date.
    private(set) var followed: [NotificationID: SortKey] = [:]
    /// The first place of the newest part below the pinned ones, when that part was whole last; nil: it was not, in
    /// this connection.
    private var anchor: SortKey?
    /// Whether that part is whole, and then its last place.
    private var (isNewestWhole, newestEnd) = (false, SortKey?.none)
    /// Whether the service has more than that part.
    private var hasMoreThanNewest = true
    /// The notifications that the service has reported since a page was requested, which may be older; nil: none is
    /// requested, or the connection was lost.
    var reportedSinceRequest: Set<NotificationID>?

    /// An inbox in a database. Before ``open(_:)``, it cannot be read or changed.
    init(
        _ storage: StateDatabase,
        tabs: [InboxTab] = [],
        rules: ServiceRules,
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.storage, self.now) = (storage, now)
        (self.tabs, self.rules) = (tabs, rules)
        sums = InboxSums(tabs: tabs)
    }

    /// Opens the inbox of an owner, and creates it if it does not exist.
    mutating func open(_ owner: String) throws(StoreError) {
        var number: Int64 = 0
        try storage.write(durably: false) { (database) throws(StoreError) in
            number = try Self.number(of: owner, in: database)
        }
        (inbox, followed) = (number, [:])
        for row in try rows("inbox = ? AND (altered = 1 OR hidden = 1)", [.integer(inbox)]) { sums.add(row, by: 1) }
    }

    private static func number(of owner: String, in database: Database) throws(StoreError) -> Int64 {
        let known = try database.query("SELECT number FROM inboxes WHERE owner = ?", .text(owner)).first
        if let known { return known[0].integer }
        return try database.query("INSERT INTO inboxes (owner) VALUES (?) RETURNING number", .text(owner))[0][0].integer
    }

    /// The file, or memory while it cannot be written.
    var database: Database {
        get throws(StoreError) {
            guard inbox != 0, let current = storage.current else { throw .unusable }
            return current
        }
    }

    /// As the service reported them.
    var counts: Counts { record.counts }

    /// Writes what is known of the inbox as a whole. A list that is what the service has is so until now.
    mutating func saveRecord() throws(StoreError) {
        record.hasMore = reach.inbox.hasMore
        guard isKnown, record != savedRecord || record.asOf == nil else { return }
        savedRecord = record
        var saved = record
        saved.asOf = record.asOf ?? now()
        let update = "UPDATE inboxes SET (\(InboxRecord.columns)) = (?, ?, ?, ?) WHERE number = ?"
        try database.run(update, saved.row + [.integer(inbox)])
    }

    // MARK: The service's word

    /// The newest part changed, or a count.
    mutating func apply(_ update: InboxUpdate) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            if update.isComplete || !update.changed.isEmpty { table.isReported = true }
            // Kept counts are better than none.
            if update.isCounted || !table.isRestored { table.record.counts = update.counts }
            // Removed notifications may be archived now.
            if !update.removed.isEmpty { try table.endViews(in: &rows) { $0.archived } }
            table.reportedSinceRequest?.formUnion(update.removed + update.changed.map(\.id))
            let unloaded = update.unloaded.compactMap { table.followed[$0] }
            for id in update.removed { try rows.remove(id) }
            for id in update.unloaded { try rows.change(id) { $0.isFollowed = false } }
            for notification in update.changed { try table.report(notification, in: &rows, isFollowed: true) }
            try table.write(&rows)
            try table.extendNewest(update, unloaded, in: &rows)
        }
    }

    /// Sets the inbox's reach by the newest part, which is whole now. What lies within that part, and is not in it, is
    /// no longer in the inbox. If the part does not lead down to what was known before, anything may be between.
    ///
    /// - Parameter unloaded: The places that have left it.
    private mutating func extendNewest(
        _ update: InboxUpdate,
        _ unloaded: [SortKey],
        in rows: inout TouchedRows
    ) throws(StoreError) {
        let end = followed.values.max()
        let extendsWhole = extendsWhole(update, unloaded, to: end)
        (isNewestWhole, newestEnd) = (update.isComplete, end)
        if extendsWhole {
            for new in update.changed where !new.isPinned { anchor = anchor.map { min($0, SortKey(of: new)) } }
            return
        }
        let ends = followedEnds
        guard update.isComplete else {
            if reach.inbox.end == nil { try setReach(InboxReach.Part(ends), in: &rows) }
            return
        }
        var missing = InboxCondition(.inbox, in: inbox, isReported: true)
        missing.add(from: nil, before: update.hasMore ? end : nil)
        if !update.hasMore || end != nil {
            for id in try ids(missing) where followed[id] == nil { try rows.remove(id) }
        }
        hasMoreThanNewest = update.hasMore
        var part = InboxReach.Part(ends, hasMore: update.hasMore)
        let isConnected = anchor.flatMap { anchor in end.map { anchor.isEarlier(than: $0) } } ?? false
        if !isConnected {
            try endViews(in: &rows) { _ in true }
        } else if !part.further(than: reach.inbox) {
            part = reach.inbox
            part.extend(to: ends)
        }
        try setReach(part, in: &rows)
        anchor = followed.values.filter { !$0.isPinned }.min()
    }

    /// Whether the newest part was whole, and has only got more at the top and less at its end, as with each arrival:
    /// the reach of the inbox is the same.
    private func extendsWhole(_ update: InboxUpdate, _ unloaded: [SortKey], to end: SortKey?) -> Bool {
        guard isNewestWhole, update.isComplete, update.hasMore == hasMoreThanNewest, update.removed.isEmpty,
            let anchor, let newestEnd, let end, anchor.isEarlier(than: end)
        else { return false }
        return update.changed.allSatisfy { SortKey(of: $0).isEarlier(than: newestEnd) }
            && unloaded.allSatisfy { !$0.isEarlier(than: end) }
    }

    /// The places of the newest part that have the time of its last one.
    private var followedEnds: [SortKey] {
        guard let last = followed.values.max() else { return [] }
        return followed.values.filter { $0.isTied(with: last) }
    }

    /// Keeps whether a row belongs to the newest part.
    mutating func follow(_ row: InboxRow) {
        followed[row.id] = row.isFollowed ? row.reported.map { SortKey(of: $0) } : nil
    }

    /// The service reports a changed notification, which may not be listed. Where the newest part is whole, only its
    /// reports say what is there.
    mutating func apply(changed notification: Notification) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            table.reportedSinceRequest?.insert(notification.id)
            let row = try rows.row(notification.id)
            if row.isFollowed { return }
            if row.shown == nil, !notification.isArchived, table.isInNewest(notification) { return }
            try table.report(notification, in: &rows)
        }
    }

    private func isInNewest(_ notification: Notification) -> Bool {
        guard isNewestWhole else { return false }
        if !hasMoreThanNewest { return true }
        guard let end = followed.values.max() else { return false }
        return SortKey(of: notification) < end
    }

    /// The service reports that notifications outside the newest part were changed.
    mutating func apply(_ made: TimestampedChange) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in try table.make(made, in: &rows) }
    }

    /// The service does not have a notification.
    mutating func remove(_ id: NotificationID) throws(StoreError) -> [Difference] {
        try transact { (_, rows) throws(StoreError) in
            guard try !rows.row(id).isFollowed else { return }
            try rows.remove(id)
        }
    }

    mutating func make(_ made: TimestampedChange, in rows: inout TouchedRows) throws(StoreError) {
        for id in try concerned(by: made) {
            reportedSinceRequest?.insert(id)
            try rows.change(id) { row in
                guard !row.isFollowed, let reported = row.reported else { return }
                row.reported = made.applied(to: reported, by: rules)
            }
        }
    }

    /// Records a notification as the service reports it.
    func report(
        _ notification: Notification,
        in rows: inout TouchedRows,
        isFollowed: Bool = false
    ) throws(StoreError) {
        try rows.change(notification.id) { row in
            row.created = notification.created
            row.reported = notification
            if isFollowed { row.isFollowed = true }
            row.apply(muting?.effects(of: notification))
        }
    }

    // MARK: The connection

    /// The connection is lost: what happens now is unknown later.
    mutating func disconnected() { (anchor, isNewestWhole, reportedSinceRequest) = (nil, false, nil) }

    /// The account is online again, or its list was loaded again: what changed beyond the newest part is unknown.
    mutating func connected() throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            try table.endViews(in: &rows) { _ in true }
            guard table.isReported else { return }
            let part = InboxReach.Part(table.followedEnds, hasMore: table.hasMoreThanNewest)
            try table.setReach(part, in: &rows)
        }
    }

    /// Lists what a previous run has kept of the newest part, until the service reports it.
    ///
    /// - Parameter size: The number of notifications.
    mutating func restore(_ size: Int) throws(StoreError) -> [Difference] {
        let query = "SELECT \(InboxRecord.columns) FROM inboxes WHERE number = ? AND as_of > 0"
        guard !isReported, !isRestored, let row = try database.query(query, .integer(inbox)).first else { return [] }
        return try transact { (table, rows) throws(StoreError) in
            table.record = InboxRecord(row)
            table.record.counts.tabs = table.record.counts.tabs.filter { id, _ in table.tabs.contains { $0.id == id } }
            table.isRestored = true
            let condition = InboxCondition(.inbox, in: table.inbox, isReported: true)
            let places = try table.places(condition, limit: size)
            let hasMore = table.record.hasMore || places.count == size
            try table.setReach(InboxReach.Part(places.suffix(1), hasMore: hasMore), in: &rows)
        }
    }
}
