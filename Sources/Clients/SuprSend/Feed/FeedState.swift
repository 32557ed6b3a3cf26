package import Basics
package import ClientKit

/// The state machine of a feed: events and responses in, announcements and requests out. No clock, no network.
///
/// Every request is begun here (and numbered), sent elsewhere, and finished here. A response is merged into the present
/// state, never into the state at the time of the request.
///
/// ```
/// event ──► details ──► rows, counts ──► announce
/// page  ──────────────► rows ──────────► announce missed rows
/// action ─► rows, counts at once ──► request ──► confirm or revert
/// ```
package struct FeedState: Sendable {
    /// A report to listeners; several are delivered in order.
    package enum Report: Sendable, Equatable {
        /// A notification arrived: once per id. `catchUp`: it arrived while the feed was not connected.
        case announced(FeedNotification, catchUp: Bool)
        /// The service reports a changed notification, in the list or not.
        case changed(FeedNotification)
        /// The service reports that these notifications were seen, in the list or not.
        case seen([String])
        /// The service reports that all notifications were marked as read.
        case allRead
    }

    package enum Effect: Sendable, Equatable {
        case report(Report)
        /// The list or a count changed: ``takeUpdate()``. It is delivered before the reports.
        case updated
    }

    /// How complete the list is.
    ///
    /// ```
    /// stale ── its first page is loaded ──► scanning ── all scans are complete ──► current
    ///   ▲                                       │                                     │
    ///   └── a gap, or a row is missing ─────────┴─────────────────────────────────────┘
    /// ```
    enum Phase: Sendable, Equatable {
        /// The list may be incomplete since this number: a later request has to load it again.
        case stale(since: UInt64)
        /// The list is loaded. Rows that were missed may still have to be announced.
        case scanning
        /// The list is loaded, and every row that was missed is announced.
        case current
    }

    let pageSize: Int
    let stores: [NotificationStore]?
    /// The stores whose counts are requested from the service: the feed's, and those that are only counted.
    let countedStores: [NotificationStore]?
    /// The rows of a request.
    var pageLimit = PageLimit(Limits.rows)
    var rows: FeedRows
    var counts: FeedCounts
    private var details = RowRequests<FeedNotification>(capacity: FeedState.detailCapacity)
    private var catchUp: CatchUp
    var status = FeedData.Status.initial
    /// The actions in flight that are not shown before they are performed.
    var unshown: [UInt64: FeedAction] = [:]

    /// The number of the request that returned the list's first page: the response to an earlier request does not
    /// replace it.
    var lastReplaced: UInt64 = 0
    /// Counts changes of the active store: a page of another one is discarded.
    var generation = 0
    /// Whether the active store's first page is loaded.
    var hasFirstPage = false
    /// Whether the rows began with those of a previous run, which the first page replaces.
    var isRestored = false
    /// How complete the list is.
    var phase = Phase.stale(since: 0)
    /// The numbers of the requests about rows that are in flight.
    var rowRequests: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    package init(
        pageSize: Int = 20,
        stores: [NotificationStore]? = nil,
        maximumRows: Int = 200,
        counted: [NotificationStore] = []
    ) {
        self.pageSize = pageSize
        self.stores = stores
        countedStores = counted.isEmpty ? stores : (stores ?? []) + counted
        rows = FeedRows(store: stores?.first ?? .default, maximum: maximumRows)
        counts = FeedCounts(stores: countedStores ?? [])
        catchUp = CatchUp(stores: stores)
    }

    /// Continues after a previous run: later notifications are announced, except for these ids.
    package mutating func resume(after moment: Timestamp?, announced ids: some Sequence<String>) {
        catchUp.resume(after: moment, announced: ids)
    }

    /// The data for the app.
    package var data: FeedData {
        FeedData(
            notifications: rows.visible,
            stores: stores ?? [],
            store: rows.store,
            pageInfo: .init(
                total: rows.hasMore ? rows.total : rows.count,
                hasMore: rows.hasMore,
                pageSize: pageSize
            ),
            meta: counts.meta,
            status: status
        )
    }

    // A getter that is not inlined is called with a copy of the whole state.

    /// The creation time of the newest row if all missed rows are announced; the Unix epoch without rows.
    @inline(__always)
    package var caughtUp: Timestamp? { phase == .current && details.isEmpty ? catchUp.newest : nil }

    /// The differences of the list since the last call, and the present counts.
    package mutating func takeUpdate() -> FeedUpdate.Contents {
        let meta = counts.meta
        return FeedUpdate.Contents(
            rows: rows.takeDifferences(),
            total: rows.hasMore ? rows.total : rows.count,
            hasMore: rows.hasMore || !hasFirstPage,
            badge: meta.badge,
            stores: meta.stores,
            isCounted: counts.lastCounted != nil,
            isComplete: !isStale
        )
    }

    /// The next time at which to call ``wake(now:)``.
    @inline(__always)
    package var nextDeadline: Timestamp? {
        [rows.nextExpiry?.advanced(milliseconds: 1), counts.recountTime].compactMap { $0 }.min()
    }

    /// Whether the list has to be loaded again: ``beginRefresh(isQuiet:)``.
    package var isStale: Bool { staleSince != nil }

    var staleSince: UInt64? { if case .stale(let number) = phase { number } else { nil } }

    /// Whether to request the counts now: ``beginCount()``. Only after a burst of events.
    @inline(__always)
    package var wantsCount: Bool { counts.wantsCount && details.isEmpty }

    // MARK: Realtime events

    /// The socket is joined. Without a replay of missed events, the list has to be loaded again. With one, the events
    /// may be older than the last responses, so the counts are requested again.
    package mutating func joined(recovered: Bool, now: Timestamp) {
        if recovered { counts.replayBegins(now: now) } else { becomeStale() }
    }

    /// An event of the service.
    package mutating func receive(_ event: RealtimeEvent, now: Timestamp) -> [Effect] {
        let number = nextNumber()
        switch event {
        case .newNotification(let id):
            guard !catchUp.isAnnounced(id) else {
                // It was loaded with the list, whose count may be older, and the row may have changed since.
                counts.isUnverified = true
                requestDetails(id, isNew: false, number)
                return []
            }
            counts.notificationArrived(now: now)
            requestDetails(id, isNew: true, number)
            return []
        case .notificationUpdate(let id):
            counts.isUnverified = true
            requestDetails(id, isNew: false, number)
            return []
        case .allRead:
            clear(.clearAll)
            // The service need not count as we do: reading everything is not opening the inbox.
            counts.isUnverified = true
            apply(RowChange(number: number, kind: .allRead, ids: nil, time: now, confirmed: number), now: now)
            return [.report(.allRead), .updated]
        case .seen(let ids):
            apply(RowChange(number: number, kind: .seen, ids: Set(ids), time: now, confirmed: number), now: now)
            return [.report(.seen(ids)), .updated]
        case .badgeReset:
            clear(.clearBadge)
            return [.updated]
        }
    }

    /// Applies a change of several rows. If a response in flight would undo it, the list has to be loaded again.
    private mutating func apply(_ change: RowChange, now: Timestamp) {
        if !rows.apply(change, now: now), !rowRequests.isEmpty { becomeStale() }
        prune()
    }

    private mutating func clear(_ change: FeedCounts.Change) {
        counts.apply(change)
        // Rows that are being loaded were announced before the reset, and must not be added to the counts.
        if !details.isEmpty { counts.isUnverified = true }
    }

    private mutating func requestDetails(_ id: String, isNew: Bool, _ number: UInt64) {
        guard !details.add(id, isNew: isNew, at: number) else { return }
        if isNew { catchUp.postpone(id) }
        becomeStale()
    }

    // MARK: Announced rows

    /// The maximum number of rows that are requested after events.
    package static let detailCapacity = 1024

    package typealias DetailRequest = RowRequests<FeedNotification>.Ticket

    /// Begins the next request for a row, if the limit allows one.
    package mutating func beginDetails() -> DetailRequest? {
        guard let request = details.begin(nextNumber()) else { return nil }
        rowRequests.insert(request.number)
        return request
    }

    /// The row is requested again: the answer includes what happened since the first request. Nil: it is not needed any
    /// more.
    package mutating func beginDetailsAgain(_ request: DetailRequest) -> DetailRequest? {
        guard let next = details.again(request, nextNumber()) else { return nil }
        rowRequests.remove(request.number)
        rowRequests.insert(next.number)
        prune()
        return next
    }

    /// The row is loaded. If it does not say when it was created, that was when the event came.
    package mutating func finishDetails(_ request: DetailRequest, _ row: FeedNotification, now: Timestamp) -> [Effect] {
        var row = row
        if row.created == 0 { (row.created, row.sortKey) = (now, now) }
        let effects = merge(details.finish(request, row), now: now)
        rowRequests.remove(request.number)
        prune()
        return effects
    }

    /// The row could not be loaded.
    ///
    /// - Returns: After which time to request it again, ``beginDetailsAgain(_:)``; nil: not any more.
    package mutating func failDetails(
        _ request: DetailRequest,
        _ error: SuprSendError,
        now: Timestamp
    ) -> (delay: Duration?, effects: [Effect]) {
        // The service announces a row before its API returns it.
        let isEarly = error.kind == .notFound && !rows.isKnown(request.id)
        let (delay, ready) = details.fail(request, mayRepeat: error.isRetryable || isEarly)
        let effects = merge(ready, now: now)
        if delay == nil { rowRequests.remove(request.number) }
        prune()
        return (delay, effects)
    }

    /// ``Feed/run()`` ended: requests in flight will not finish.
    package mutating func suspend() {
        let (newIDs, numbers) = details.abandon()
        for id in newIDs { catchUp.postpone(id) }
        rowRequests.subtract(numbers)
        becomeStale()
        prune()
    }

    private mutating func merge(_ outcomes: [RowRequests<FeedNotification>.Outcome], now: Timestamp) -> [Effect] {
        guard !outcomes.isEmpty else { return [] }
        var effects: [Effect] = []
        for outcome in outcomes {
            guard let row = outcome.row else {
                if outcome.isNew { catchUp.postpone(outcome.id) }
                becomeStale()
                continue
            }
            let wasKnown = rows.isKnown(row.id)
            let isOutdated = rows.isOutdated(row.id, requestNumber: outcome.asked)
            rows.update(row, requestNumber: outcome.asked, now: now)
            if !outcome.isNew, !isOutdated {
                effects.append(.report(.changed((rows.row(row.id) ?? row).archivedIfExpired(at: now))))
            }
            guard outcome.isNew, !row.isExpired(at: now) else { continue }
            guard !catchUp.isAnnounced(row.id) else {
                // A list announced it since its event, and the count before that list may lack it.
                counts.isUnverified = true
                continue
            }
            guard !catchUp.stores(of: row).isEmpty else {
                if countedStores != stores { counts.isUnverified = true }
                continue
            }
            catchUp.announce(row, raisingWatermarks: !isStale, now: now)
            if wasKnown {
                // Its page came with a count that may include it.
                counts.isUnverified = true
            } else {
                let counted = (countedStores ?? []).filter { $0.query.matches(row) }
                counts.add(announced: outcome.arrived, created: row.created, stores: counted.map(\.id))
            }
            effects.append(.report(.announced(row, catchUp: false)))
        }
        return effects + [.updated]
    }

    // MARK: Catch-up

    /// The scans after the list is loaded again: of the other stores, and of the active one if more was missed than its
    /// page contains.
    package func scans(ofOthers: Bool = true) -> [CatchUpScan] {
        let others = ofOthers ? (stores ?? []).filter { $0 != rows.store } : []
        let scans = others.map { CatchUpScan(of: $0, firstPage: pageSize) }
        guard catchUp.isIncomplete(rows.store) else { return scans }
        return scans + [CatchUpScan(of: rows.store, firstPage: CatchUpScan.pageSize)]
    }

    /// The response to the scan's request.
    package mutating func proceed(_ scan: inout CatchUpScan, _ page: NotificationPage, now: Timestamp) -> [Effect] {
        var page = page
        page.cut(to: scan.size)
        let effects = announceMissed(in: page, of: scan.store, now: now)
        scan.advance(past: page, in: &catchUp)
        return effects
    }

    /// The list is loaded and all its scans are complete.
    package mutating func finishScans() -> [Effect] {
        guard phase == .scanning else { return [] }
        phase = .current
        return [.updated]
    }

    mutating func announceMissed(in page: NotificationPage, of store: NotificationStore, now: Timestamp) -> [Effect] {
        catchUp.takeMissed(in: page, of: store, now: now).map { .report(.announced($0, catchUp: true)) }
    }

    // MARK: Time

    /// Archives expired rows; requests a count that is due.
    package mutating func wake(now: Timestamp) -> [Effect] {
        counts.wake(now: now)
        guard rows.expire(now: now) else { return [] }
        counts.isUnverified = true
        return [.updated]
    }

    // MARK: Shared

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    package mutating func becomeStale() { phase = .stale(since: nextNumber()) }

    /// Call it after every change of rows.
    mutating func prune() {
        for id in rows.takeUnverified().sorted() { requestDetails(id, isNew: false, nextNumber()) }
        if rows.prune(before: rowRequests.min()) { becomeStale() }
    }
}
