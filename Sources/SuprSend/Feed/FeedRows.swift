import ClientKit

/// The loaded rows of the active store: what the service said last about each, and on top of it what is still on its way there.
///
/// Every piece of knowledge is numbered by when it was *asked for*, and later-asked knowledge wins, whatever order the answers come
/// in. The visible rows are always the service's list from its first row down to ``cursor``, without holes.
struct FeedRows: Sendable, Equatable {
    private struct Known: Sendable, Equatable {
        var row: FeedNotification
        var asked: UInt64
    }

    let maximum: Int
    private(set) var store: NotificationStore
    /// In the service's order.
    private(set) var visible: [FeedNotification] = []
    private(set) var total = 0
    private(set) var hasMore = false
    /// The end of the last page.
    private(set) var cursor: PageCursor?
    /// The ids with that sort key on the pages so far: of the rows of one millisecond a page may have had a part.
    private var boundary: Set<String> = []
    /// The last page had nothing new although it was full.
    private var isStuck = false
    /// Counts replacements of the list; a further page asked for before one does not fit any more.
    private(set) var edition = 0

    private var known: [String: Known] = [:]
    /// Rows that are known not to belong here, so that an answer asked for earlier does not bring them back.
    private var absent: [String: UInt64] = [:]
    private var changes: [RowChange] = []
    /// Rows of which it is not clear what the service knows last.
    private var doubtful: Set<String> = []

    init(store: NotificationStore, maximum: Int) {
        self.store = store
        self.maximum = maximum
    }

    /// The row as it is shown, or as it would be.
    func row(_ id: String) -> FeedNotification? { known[id].map { altered($0.row) } }

    /// Whether a later question than `asked` was answered about the row.
    func isOutdated(_ id: String, asked: UInt64) -> Bool {
        (known[id]?.asked ?? 0) > asked || (absent[id] ?? 0) >= asked
    }

    func isKnown(_ id: String) -> Bool { known[id] != nil }

    var nextExpiry: Milliseconds? { visible.lazy.compactMap(\.expiry).min() }

    // MARK: Knowledge from the service

    /// Another store: nothing is known about it.
    mutating func reset(to store: NotificationStore) {
        self = FeedRows(store: store, maximum: maximum, edition: edition + 1, changes: changes)
    }

    private init(store: NotificationStore, maximum: Int, edition: Int, changes: [RowChange]) {
        self.init(store: store, maximum: maximum)
        self.edition = edition
        self.changes = changes
    }

    /// The first page. Rows it lacks go, unless they are known from a later question. `keepingAll`: nothing goes, because what is
    /// here came by events before any page.
    mutating func replace(with page: NotificationPage, asked: UInt64, keepingAll: Bool, now: Milliseconds) {
        edition += 1
        (cursor, boundary, isStuck) = (nil, [], false)
        follow(page)
        hasMore = !page.rows.isEmpty && (page.hasMore ?? (page.rows.count < page.total ?? 0))
        let listed = Set(page.rows.map(\.id))
        for (id, knowledge) in known where !listed.contains(id) {
            if keepingAll || knowledge.asked > asked { show(id, now: now) } else { forget(id, asked: asked) }
        }
        for row in page.rows { learn(row, asked: asked, now: now) }
        total = max(page.total ?? 0, visible.count)
        trim()
    }

    /// The next page to ask for. A page begins strictly behind its cursor, and the page before may have ended amid the rows of one
    /// millisecond, so the rows of that millisecond are asked for once more, beside as many new ones as a page has.
    ///
    /// The service gives 100 rows at once and knows no finer cursor: of more than 100 rows of one millisecond, the rest cannot be reached.
    /// They are stepped past.
    func nextPage(size: Int) -> (size: Int, after: PageCursor?) {
        guard let cursor, !isStuck, boundary.count < Limits.rows else { return (size, cursor) }
        return (min(size + boundary.count, Limits.rows), cursor.overlapping)
    }

    /// A further page. Rows already here are only brought up to date. `isFull`: it has as many rows as it was asked for.
    mutating func append(_ page: NotificationPage, isFull: Bool, asked: UInt64, now: Milliseconds) {
        let wasStuck = isStuck
        let goesOn = follow(page)
        for row in page.rows { learn(row, asked: asked, now: now) }
        let claim = page.hasMore ?? (known.count < page.total ?? total)
        // A page that leads nowhere would be asked for again and again; a full one is stepped past, once.
        hasMore = claim && !page.rows.isEmpty && (goesOn || isFull && !wasStuck)
        // Among what was known before are rows that waited for their page.
        for id in known.keys { show(id, now: now) }
        total = max(page.total ?? total, visible.count)
        trim()
    }

    /// Moves the end of the list to the end of a page. False: nothing on the page is beyond it.
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

    /// One row by itself.
    mutating func update(_ row: FeedNotification, asked: UInt64, now: Milliseconds) {
        adjustingTotal { $0.learn(row, asked: asked, now: now) }
    }

    /// The service reports a change of many rows at once, whether they are loaded or not. False: the limit of what is remembered for
    /// answers in flight is reached, so an older answer can undo this.
    mutating func apply(_ change: RowChange, now: Milliseconds) -> Bool {
        let reported = changes.filter { $0.confirmed != nil } + [change]
        let isKept =
            reported.count <= Limits.changes && reported.reduce(0) { $0 + ($1.ids?.count ?? 0) } <= Limits.changedIDs
        adjustingTotal { rows in
            if isKept { rows.changes.append(change) }
            rows.settle(change, now: now)
        }
        return isKept
    }

    // MARK: Changes on their way

    mutating func propose(_ change: RowChange, now: Milliseconds) {
        adjustingTotal { rows in
            rows.changes.append(change)
            rows.showAltered(by: change, now: now)
        }
    }

    mutating func confirm(_ number: UInt64, at confirmed: UInt64, now: Milliseconds) {
        guard let index = changes.firstIndex(where: { $0.number == number }) else { return }
        changes[index].confirmed = confirmed
        let change = changes[index]
        adjustingTotal { $0.settle(change, now: now) }
    }

    mutating func reject(_ number: UInt64, now: Milliseconds) {
        guard let index = changes.firstIndex(where: { $0.number == number }) else { return }
        let change = changes.remove(at: index)
        adjustingTotal { $0.showAltered(by: change, now: now) }
    }

    // MARK: Time

    /// Removes what has expired. False: nothing had.
    mutating func expire(now: Milliseconds) -> Bool {
        let expired = visible.filter { $0.isExpired(at: now) }
        guard !expired.isEmpty else { return false }
        adjustingTotal { rows in
            for row in expired { rows.show(row.id, now: now) }
        }
        return true
    }

    /// The rows to ask for again.
    mutating func takeDoubtful() -> Set<String> {
        defer { doubtful = [] }
        return doubtful
    }

    /// Drops what guards against answers asked for before `number`; nil: no answer is due. True: there was so much of it that even what is
    /// still needed was dropped.
    mutating func prune(before number: UInt64?) -> Bool {
        let oldest = number ?? .max
        if !absent.isEmpty { absent = absent.filter { $0.value >= oldest } }
        if !changes.isEmpty { changes.removeAll { ($0.confirmed ?? .max) < oldest } }
        if known.count > visible.count {
            let shown = Set(visible.map(\.id))
            known = known.filter { shown.contains($0) || $1.asked >= oldest || isBeingChanged($0) }
        }
        return dropExcess()
    }

    private mutating func dropExcess() -> Bool {
        let (hidesTooMuch, lacksTooMuch) = (
            known.count > visible.count + Limits.hiddenRows, absent.count > Limits.absentIDs
        )
        if hidesTooMuch {
            let shown = Set(visible.map(\.id))
            known = known.filter { shown.contains($0.key) || isBeingChanged($0.key) }
        }
        if lacksTooMuch { absent = [:] }
        return hidesTooMuch || lacksTooMuch
    }

    // MARK: How it works

    private mutating func learn(_ row: FeedNotification, asked: UInt64, now: Milliseconds) {
        if let present = known[row.id], present.asked >= asked { return }
        if let gone = absent[row.id], gone >= asked { return }
        var row = row
        for change in changes where change.alters(row.id) {
            guard let confirmed = change.confirmed, confirmed > asked else { continue }
            if change.isContradicted(by: row, asked: asked) { doubtful.insert(row.id) }
            change.apply(to: &row)
        }
        known[row.id] = Known(row: row, asked: asked)
        absent[row.id] = nil
        show(row.id, now: now)
    }

    private mutating func settle(_ change: RowChange, now: Milliseconds) {
        for id in change.ids.map(Array.init) ?? Array(known.keys) {
            guard var knowledge = known[id], let confirmed = change.confirmed, knowledge.asked < confirmed else {
                continue
            }
            if change.isContradicted(by: knowledge.row, asked: knowledge.asked) { doubtful.insert(id) }
            change.apply(to: &knowledge.row)
            known[id] = knowledge
            show(id, now: now)
        }
    }

    private mutating func showAltered(by change: RowChange, now: Milliseconds) {
        for id in change.ids.map(Array.init) ?? Array(known.keys) where known[id] != nil { show(id, now: now) }
    }

    private func altered(_ row: FeedNotification) -> FeedNotification {
        var row = row
        for change in changes where change.confirmed == nil && change.alters(row.id) { change.apply(to: &row) }
        return row
    }

    /// Puts the row where it belongs now, or takes it away.
    private mutating func show(_ id: String, now: Milliseconds) {
        let place = visible.firstIndex { $0.id == id }
        guard let knowledge = known[id] else {
            if let place { visible.remove(at: place) }
            return
        }
        let row = altered(knowledge.row)
        guard store.query.matches(row), !row.isExpired(at: now) else {
            if let place { visible.remove(at: place) }
            // Kept only for the sake of a change that may be undone.
            if !isBeingChanged(id) { forget(id, asked: knowledge.asked) }
            return
        }
        guard isLoaded(row) else {
            // Kept until its page is here, which may have been asked for before.
            if let place { visible.remove(at: place) }
            return
        }
        if let place {
            if visible[place] == row { return }
            if visible[place].isPinned == row.isPinned, visible[place].sortKey == row.sortKey {
                visible[place] = row
                return
            }
            visible.remove(at: place)
        }
        visible.insert(row, at: self.place(for: row))
    }

    private func isBeingChanged(_ id: String) -> Bool {
        changes.contains { $0.confirmed == nil && $0.alters(id) }
    }

    /// Rows below the last loaded page come with their page.
    private func isLoaded(_ row: FeedNotification) -> Bool {
        guard hasMore, let cursor else { return true }
        if row.isPinned != cursor.isPinned { return row.isPinned }
        if row.sortKey != cursor.created { return row.sortKey > cursor.created }
        return boundary.min().map { row.id >= $0 } ?? true
    }

    private func place(for row: FeedNotification) -> Int {
        var (low, high) = (0, visible.count)
        while low < high {
            let middle = (low + high) / 2
            if visible[middle].precedes(row) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func forget(_ id: String, asked: UInt64) {
        known[id] = nil
        absent[id] = asked
        visible.removeAll { $0.id == id }
    }

    private mutating func trim() {
        guard visible.count > maximum, let last = visible.prefix(maximum).last else { return }
        for row in visible[maximum...] { known[row.id] = nil }
        visible.removeSubrange(maximum...)
        let end = PageCursor(after: last)
        (cursor, isStuck) = (end, false)
        boundary = Set(visible.lazy.filter { PageCursor(after: $0) == end }.map(\.id))
        hasMore = true
        // The next page now begins elsewhere.
        edition += 1
    }

    private mutating func adjustingTotal(_ body: (inout FeedRows) -> Void) {
        let before = visible.count
        body(&self)
        total = max(visible.count, total + visible.count - before)
        trim()
    }
}
