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
    typealias Difference = InboxState.Difference

    let database: Database
    /// The number of the inbox in the database.
    let inbox: Int64
    let tabs: [InboxTab]
    let rules: ServiceRules

    /// The user's changes that the service has not confirmed.
    var overlay = PendingOverlay()
    /// nil: no rule concerns the inbox.
    var muting: InboxRules?
    var reach = InboxReach()
    /// As the service reported them.
    var counts = Counts()
    var sums: InboxSums
    /// See ``DeliveryMarks/watermark``.
    var watermark: Timestamp?
    /// Whether the service has reported the inbox in this run.
    private(set) var isReported = false
    /// Whether what a previous run has kept is listed.
    var isRestored = false
    /// The first place of the newest part below the pinned ones, when that part was whole last; nil: it was not, in
    /// this connection.
    private var anchor: SortKey?
    /// Whether the service has more than that part.
    private var hasMoreThanNewest = true
    /// The notifications that the service has reported since the last page was requested, which may be older; nil: no
    /// page was requested in this connection.
    var reportedSinceRequest: Set<NotificationID>?

    /// Opens the inbox of an owner, and creates it if it does not exist.
    init(_ database: Database, owner: String, tabs: [InboxTab], rules: ServiceRules) throws(StoreError) {
        self.database = database
        self.tabs = tabs
        self.rules = rules
        sums = InboxSums(tabs: tabs)
        inbox = try Self.number(of: owner, in: database)
        let times = try database.query("SELECT watermark FROM inboxes WHERE number = ?", .integer(inbox))
        watermark = Timestamp(known: times.first?.first?.integer ?? 0)
        try database.run("UPDATE rows SET followed = 0 WHERE inbox = ? AND followed = 1", .integer(inbox))
        for row in try rows("inbox = ? AND (altered = 1 OR hidden = 1)", [.integer(inbox)]) { sums.add(row, by: 1) }
    }

    private static func number(of owner: String, in database: Database) throws(StoreError) -> Int64 {
        let known = try database.query("SELECT number FROM inboxes WHERE owner = ?", .text(owner)).first
        if let known { return known[0].integer }
        return try database.query("INSERT INTO inboxes (owner) VALUES (?) RETURNING number", .text(owner))[0][0].integer
    }

    /// Creates the tables.
    static func create(in database: Database) throws(StoreError) {
        try database.execute(
            """
            CREATE TABLE inboxes (number INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE, watermark INTEGER NOT NULL
                DEFAULT 0);
            \(InboxRow.table)
            """
        )
    }

    // MARK: The service's word

    /// The newest part changed, or a count.
    mutating func receive(_ update: InboxUpdate) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            if update.isComplete || !update.changed.isEmpty { table.isReported = true }
            // Kept counts are better than none.
            if update.isCounted || !table.isRestored { table.counts = update.counts }
            // Removed notifications may be archived now.
            if !update.removed.isEmpty { try table.endViews(in: &rows) { $0.archived } }
            table.reportedSinceRequest?.formUnion(update.removed + update.changed.map(\.id))
            for id in update.removed { try rows.remove(id) }
            for id in update.unloaded { try rows.change(id) { $0.isFollowed = false } }
            for notification in update.changed { try table.report(notification, in: &rows, isFollowed: true) }
            try table.write(&rows)
            try table.extendNewest(update, in: &rows)
        }
    }

    /// Sets the inbox's reach by the newest part, which is whole now. What lies within that part, and is not in it, is
    /// no longer in the inbox. If the part does not lead down to what was known before, anything may be between.
    private mutating func extendNewest(_ update: InboxUpdate, in rows: inout TouchedRows) throws(StoreError) {
        let end = try followedEnd
        guard update.isComplete else {
            if reach.inbox.end == nil { try setReach(InboxReach.Part(end: end), in: &rows) }
            return
        }
        var missing = InboxCondition.unfollowed(in: inbox)
        missing.add(from: nil, before: update.hasMore ? end : nil)
        if !update.hasMore || end != nil { for id in try ids(missing) { try rows.remove(id) } }
        hasMoreThanNewest = update.hasMore
        var part = InboxReach.Part(end: end, hasMore: update.hasMore)
        let isConnected = anchor.flatMap { anchor in end.map { anchor.isEarlier(than: $0) } } ?? false
        if !isConnected {
            try endViews(in: &rows) { _ in true }
        } else if !part.further(than: reach.inbox) {
            part = reach.inbox
        }
        try setReach(part, in: &rows)
        anchor = try newestPlace
    }

    /// The first place of the newest part below the pinned ones.
    private var newestPlace: SortKey? {
        get throws(StoreError) {
            let first = "SELECT id, pinned, time FROM rows WHERE inbox = ? AND followed = 1 AND pinned = 0"
            return try database.query("\(first) ORDER BY time DESC, id DESC LIMIT 1", .integer(inbox)).first
                .map { SortKey(place: $0) }
        }
    }

    /// The last place of the newest part.
    private var followedEnd: SortKey? {
        get throws(StoreError) {
            let last = "SELECT id, pinned, time FROM rows WHERE inbox = ? AND followed = 1"
            return try database.query("\(last) ORDER BY pinned, time, id LIMIT 1", .integer(inbox)).first
                .map { SortKey(place: $0) }
        }
    }

    /// The service reports a changed notification, which may not be listed.
    mutating func receive(changed notification: Notification) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            table.reportedSinceRequest?.insert(notification.id)
            guard try !rows.row(notification.id).isFollowed else { return }
            try table.report(notification, in: &rows)
        }
    }

    /// The service reports that notifications outside the newest part were changed.
    mutating func receive(_ made: TimestampedChange) throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in try table.make(made, in: &rows) }
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
            let effects = muting?.effects(of: notification)
            (row.isMuted, row.isUncounted) = (effects?.isMuted ?? false, effects.map { !$0.countsInBadge } ?? false)
        }
    }

    // MARK: The connection

    /// The connection is lost: what happens now is unknown later.
    mutating func disconnected() { (anchor, reportedSinceRequest) = (nil, nil) }

    /// The account is online again: what changed beyond the newest part meanwhile is unknown.
    mutating func connected() throws(StoreError) -> [Difference] {
        try transact { (table, rows) throws(StoreError) in
            try table.endViews(in: &rows) { _ in true }
            guard table.isReported else { return }
            let end = try table.followedEnd
            try table.setReach(InboxReach.Part(end: end, hasMore: table.hasMoreThanNewest), in: &rows)
        }
    }

    /// Lists what a previous run has kept of the newest part, until the service reports it.
    ///
    /// - Parameter size: The number of notifications.
    mutating func restore(_ size: Int, _ counts: Counts) throws(StoreError) -> [Difference] {
        if isReported || isRestored { return [] }
        return try transact { (table, rows) throws(StoreError) in
            (table.isRestored, table.counts) = (true, counts)
            let condition = InboxCondition(.inbox, in: table.inbox, isReported: true)
            let places = try table.places(condition, limit: size)
            try table.setReach(InboxReach.Part(end: places.last, hasMore: true), in: &rows)
        }
    }
}

extension SortKey {
    /// Whether it comes before another place in any order of the notifications of one time.
    fileprivate func isEarlier(than other: SortKey) -> Bool {
        isPinned == other.isPinned ? time > other.time : isPinned
    }
}
