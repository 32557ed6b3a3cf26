import Basics
import ClientKit

/// The loaded rows of the active store: the service's last state of each row, and the changes in flight.
///
/// Every state has the number of its *request*; the state of the latest request wins, in whatever order the responses
/// arrive. The visible rows are always the service's list from its first row to ``cursor``, without gaps.
struct FeedRows: Sendable, Equatable {
    private struct Known: Sendable, Equatable {
        var row: Shared<FeedNotification>
        var requestNumber: UInt64
    }

    let maximum: Int
    private(set) var store: NotificationStore
    private var shown = VisibleRows<FeedNotification>()
    /// Of the visible rows that are not archived.
    private var expiries: [String: Timestamp] = [:]
    private(set) var total = 0
    private(set) var hasMore = false
    /// The end of the last page.
    private(set) var cursor: PageCursor?
    /// The ids with that sort key on the pages so far: a page may contain only some of the rows of one millisecond.
    private var boundary: Set<String> = []
    /// The last page was full and contained nothing new.
    private var isStuck = false
    /// Counts replacements of the list; a further page requested before one is outdated.
    private(set) var listRevision = 0
    /// The request for the first page that removed what was not on it.
    private var replacedBy: UInt64 = 0

    private var known: [String: Known] = [:]
    /// Rows that are known not to belong to the list, so that an earlier request's response does not add them again.
    private var absent: [String: UInt64] = [:]
    private var changes: [RowChange] = []
    /// Rows whose last state at the service is unknown.
    private var unverified: Set<String> = []

    init(store: NotificationStore, maximum: Int) {
        self.store = store
        self.maximum = maximum
    }

    /// The row with the changes in flight, visible or not.
    func row(_ id: String) -> FeedNotification? { known[id].map { altered($0.row).value } }

    /// Whether a later request than `requestNumber` has answered about the row.
    func isOutdated(_ id: String, requestNumber: UInt64) -> Bool {
        (known[id]?.requestNumber ?? 0) > requestNumber || (absent[id] ?? 0) >= requestNumber
    }

    func isKnown(_ id: String) -> Bool { known[id] != nil }

    /// The visible rows in the service's order.
    var visible: [FeedNotification] { shown.rows.all }

    func isVisible(_ id: String) -> Bool { shown.rows.contains(id) }

    /// The number of visible rows.
    var count: Int { shown.rows.count }

    /// The ids of the visible rows in the service's order.
    var ids: some Collection<String> { shown.rows.keys.lazy.map(\.id) }

    var nextExpiry: Timestamp? { expiries.values.min() }

    /// The differences of the visible rows since the last call.
    mutating func takeDifferences() -> RowDifferences<FeedNotification> { shown.takeDifferences() }

    /// Shows rows of a previous run until the first page. `total`: the number of rows at the service.
    mutating func restore(_ rows: [FeedNotification], total: Int, now: Timestamp) {
        for row in rows where known[row.id] == nil {
            known[row.id] = Known(row: Shared(row), requestNumber: 0)
            show(row.id, now: now)
        }
        self.total = max(total, shown.rows.count)
        hasMore = self.total > shown.rows.count
        trim()
    }

    // MARK: Responses

    /// Another store: all rows are unknown.
    mutating func reset(to store: NotificationStore) {
        var shown = shown
        for key in shown.rows.keys { shown.hide(key.id, isUnloaded: true) }
        self = FeedRows(store: store, maximum: maximum, listRevision: listRevision + 1, changes: changes)
        self.shown = shown
    }

    private init(store: NotificationStore, maximum: Int, listRevision: Int, changes: [RowChange]) {
        self.init(store: store, maximum: maximum)
        self.listRevision = listRevision
        self.changes = changes
    }

    /// The first page. Rows that are not on it are removed, unless a later request returned them. `keepingAll`: no row
    /// is removed, because the present rows come from events before any page.
    mutating func replace(with page: NotificationPage, requestNumber: UInt64, keepingAll: Bool, now: Timestamp) {
        listRevision += 1
        (cursor, boundary, isStuck) = (nil, [], false)
        follow(page)
        hasMore = !page.rows.isEmpty && (page.hasMore ?? (page.rows.count < page.total ?? 0))
        if !keepingAll { replacedBy = requestNumber }
        let listed = Set(page.rows.map(\.id))
        for (id, knowledge) in known where !listed.contains(id) {
            if keepingAll || knowledge.requestNumber > requestNumber {
                show(id, now: now)
            } else {
                discard(id, requestNumber: requestNumber, isUnloaded: !isLoaded(knowledge.row.value))
            }
        }
        for row in page.rows { merge(row, requestNumber: requestNumber, now: now) }
        total = max(page.total ?? 0, shown.rows.count)
        trim()
    }

    /// The next page to request. A page begins after its cursor, and the previous page may have ended among rows of the
    /// same millisecond, so the rows of that millisecond are requested again, in addition to a page of new ones.
    ///
    /// A request returns at most `limit` rows, and the service has no finer cursor: of more rows of the same
    /// millisecond, the rest cannot be loaded and is skipped.
    func nextPage(size: Int, limit: Int) -> (size: Int, after: PageCursor?) {
        guard let cursor, !isStuck, boundary.count < limit else { return (min(size, limit), cursor) }
        return (min(size + boundary.count, limit), cursor.overlapping)
    }

    /// A further page. Rows that are already loaded are updated. `isFull`: it has as many rows as requested.
    mutating func append(_ page: NotificationPage, isFull: Bool, requestNumber: UInt64, now: Timestamp) {
        let wasStuck = isStuck
        let goesOn = follow(page)
        for row in page.rows { merge(row, requestNumber: requestNumber, now: now) }
        let claim = page.hasMore ?? (known.count < page.total ?? total)
        // A page without progress would be requested indefinitely; a full one is skipped, once.
        hasMore = claim && !page.rows.isEmpty && (goesOn || isFull && !wasStuck)
        // Some known rows waited for this page.
        for id in known.keys { show(id, now: now) }
        total = max(page.total ?? total, shown.rows.count)
        trim()
    }

    /// Moves the end of the list to the end of a page. False: the page has no rows beyond it.
    @discardableResult
    private mutating func follow(_ page: NotificationPage) -> Bool {
        guard let end = page.rows.last.map(PageCursor.init(after:)) else { return false }
        let ids = page.rows.lazy.filter { PageCursor(after: $0) == end }.map(\.id)
        if cursor.map(end.isBehind) ?? true {
            (cursor, boundary, isStuck) = (end, Set(ids), false)
            return true
        }
        let before = boundary.count
        if end == cursor { boundary.formUnion(ids) }
        isStuck = boundary.count == before
        return !isStuck
    }

    /// A single row.
    mutating func update(_ row: FeedNotification, requestNumber: UInt64, now: Timestamp) {
        adjustingTotal { $0.merge(row, requestNumber: requestNumber, now: now) }
    }

    /// The service reports a change of several rows, loaded or not. False: the limit of kept changes for responses in
    /// flight is reached, so an older response can undo this change.
    mutating func apply(_ change: RowChange, now: Timestamp) -> Bool {
        let reported = changes.filter { $0.confirmed != nil } + [change]
        let isKept =
            reported.count <= Limits.changes && reported.reduce(0) { $0 + ($1.ids?.count ?? 0) } <= Limits.changedIDs
        adjustingTotal { rows in
            if isKept { rows.changes.append(change) }
            rows.applyConfirmed(change, now: now)
        }
        return isKept
    }

    // MARK: Changes in flight

    mutating func propose(_ change: RowChange, now: Timestamp) {
        adjustingTotal { rows in
            rows.changes.append(change)
            rows.showAltered(by: change, now: now)
        }
    }

    mutating func confirm(_ number: UInt64, at confirmed: UInt64, now: Timestamp) {
        guard let index = changes.firstIndex(where: { $0.number == number }) else { return }
        changes[index].confirmed = confirmed
        let change = changes[index]
        adjustingTotal { $0.applyConfirmed(change, now: now) }
    }

    mutating func reject(_ number: UInt64, now: Timestamp) {
        guard let index = changes.firstIndex(where: { $0.number == number }) else { return }
        let change = changes.remove(at: index)
        adjustingTotal { $0.showAltered(by: change, now: now) }
    }

    // MARK: Time

    /// Archives expired rows. False: there were none.
    mutating func expire(now: Timestamp) -> Bool {
        let expired = expiries.keys.filter { shown[$0]?.isExpired(at: now) ?? false }
        guard !expired.isEmpty else { return false }
        adjustingTotal { rows in
            for id in expired { rows.show(id, now: now) }
        }
        return true
    }

    /// The rows to request again.
    mutating func takeUnverified() -> Set<String> {
        defer { unverified = [] }
        return unverified
    }

    /// Discards data that is only needed for responses to requests before `number`; nil: no response is due. True: the
    /// limit was exceeded, and data that is still needed was discarded.
    mutating func prune(before number: UInt64?) -> Bool {
        let oldest = number ?? .max
        if !absent.isEmpty { absent = absent.filter { $0.value >= oldest } }
        if !changes.isEmpty { changes.removeAll { ($0.confirmed ?? .max) < oldest } }
        if known.count > shown.rows.count {
            known = known.filter { shown.rows.contains($0) || $1.requestNumber >= oldest || isBeingChanged($0) }
        }
        return dropExcess()
    }

    private mutating func dropExcess() -> Bool {
        let (hidesTooMuch, lacksTooMuch) = (
            known.count > shown.rows.count + Limits.hiddenRows, absent.count > Limits.absentIDs
        )
        if hidesTooMuch {
            known = known.filter { shown.rows.contains($0.key) || isBeingChanged($0.key) }
        }
        if lacksTooMuch { absent = [:] }
        return hidesTooMuch || lacksTooMuch
    }

    // MARK: Implementation

    private mutating func merge(_ row: FeedNotification, requestNumber: UInt64, now: Timestamp) {
        if let present = known[row.id], present.requestNumber >= requestNumber { return }
        if let removed = absent[row.id], removed >= requestNumber { return }
        // It would have been on a page that was requested later.
        if known[row.id] == nil, requestNumber < replacedBy, isLoaded(row) { return }
        var row = row
        for change in changes where change.alters(row.id) {
            guard let confirmed = change.confirmed, confirmed > requestNumber else { continue }
            if change.isContradicted(by: row, requestNumber: requestNumber) { unverified.insert(row.id) }
            change.apply(to: &row)
        }
        known[row.id] = Known(row: Shared(row), requestNumber: requestNumber)
        absent[row.id] = nil
        show(row.id, now: now)
    }

    private mutating func applyConfirmed(_ change: RowChange, now: Timestamp) {
        for id in change.ids.map(Array.init) ?? Array(known.keys) {
            guard var knowledge = known[id], let confirmed = change.confirmed, knowledge.requestNumber < confirmed
            else {
                continue
            }
            var row = knowledge.row.value
            if change.isContradicted(by: row, requestNumber: knowledge.requestNumber) { unverified.insert(id) }
            change.apply(to: &row)
            knowledge.row = Shared(row)
            known[id] = knowledge
            show(id, now: now)
        }
    }

    private mutating func showAltered(by change: RowChange, now: Timestamp) {
        for id in change.ids.map(Array.init) ?? Array(known.keys) where known[id] != nil { show(id, now: now) }
    }

    private func altered(_ row: Shared<FeedNotification>) -> Shared<FeedNotification> {
        let changes = changes.filter { $0.confirmed == nil && $0.isShown && $0.alters(row.value.id) }
        if changes.isEmpty { return row }
        var altered = row.value
        for change in changes { change.apply(to: &altered) }
        return Shared(altered)
    }

    private func current(_ row: Shared<FeedNotification>, now: Timestamp) -> Shared<FeedNotification> {
        let value = row.value
        return value.isArchived || !value.isExpired(at: now) ? row : Shared(value.archivedIfExpired(at: now))
    }

    /// Shows, moves or hides the row, according to its present state.
    private mutating func show(_ id: String, now: Timestamp) {
        guard let knowledge = known[id] else { return hide(id) }
        let row = current(altered(knowledge.row), now: now)
        guard store.query.matches(row.value) else {
            hide(id)
            // Kept only while a change is in flight that may be reverted.
            if !isBeingChanged(id) { discard(id, requestNumber: knowledge.requestNumber) }
            return
        }
        // A row below the loaded part is kept until its page is loaded, which may be in flight.
        guard isLoaded(row.value) else { return hide(id, isUnloaded: true) }
        shown.show(row)
        expiries[id] = row.value.isArchived ? nil : row.value.expiry
    }

    private mutating func hide(_ id: String, isUnloaded: Bool = false) {
        shown.hide(id, isUnloaded: isUnloaded)
        expiries[id] = nil
    }

    private func isBeingChanged(_ id: String) -> Bool {
        changes.contains { $0.confirmed == nil && $0.alters(id) }
    }

    /// Whether the row belongs to the loaded part: rows below it come with their page.
    private func isLoaded(_ row: FeedNotification) -> Bool {
        guard hasMore, let cursor else { return true }
        if row.isPinned != cursor.isPinned { return row.isPinned }
        if row.sortKey != cursor.created { return row.sortKey > cursor.created }
        return boundary.min().map { row.id >= $0 } ?? true
    }

    private mutating func discard(_ id: String, requestNumber: UInt64, isUnloaded: Bool = false) {
        known[id] = nil
        absent[id] = requestNumber
        hide(id, isUnloaded: isUnloaded)
    }

    private mutating func trim() {
        guard shown.rows.count > maximum else { return }
        // An array, because a slice would make the first removal copy all keys.
        for id in shown.rows.keys[maximum...].map(\.id) {
            known[id] = nil
            hide(id, isUnloaded: true)
        }
        let end = shown.rows.keys.last.map(PageCursor.init(after:))
        (cursor, isStuck) = (end, false)
        boundary = Set(shown.rows.keys.reversed().lazy.prefix { PageCursor(after: $0) == end }.map(\.id))
        hasMore = true
        // The next page now begins at another row.
        listRevision += 1
    }

    private mutating func adjustingTotal(_ body: (inout FeedRows) -> Void) {
        let before = shown.rows.count
        body(&self)
        total = max(shown.rows.count, total + shown.rows.count - before)
        trim()
    }
}
