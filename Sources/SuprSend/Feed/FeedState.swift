package import Basics
import ClientKit
import FoundationEssentials

/// The state machine of a feed: events and responses in, announcements and requests out. No clock, no network.
///
/// Every request is begun here (and numbered), sent elsewhere, and finished here. A response is merged into the present
/// state, never into the state at the time of the request.
///
/// ```
/// event ──► arrivals ──► details ──► rows, counts ──► announce
/// page  ──────────────────────────► rows ──► announce missed rows
/// action ─► rows, counts at once ──► request ──► confirm or revert
/// ```
package struct FeedState: Sendable {
    /// What to report to listeners, in this order.
    package enum Effect: Sendable, Equatable {
        case announce(FeedNotification, catchUp: Bool)
        /// The service reports that this row changed.
        case changed(FeedNotification)
        /// The service reports that everything was read.
        case allRead
        /// The list or a count changed.
        case updated
    }

    /// The number of announced ids kept, to announce each once.
    static let memory = 2_000
    /// The maximum delay of an event after its change, in milliseconds.
    static let recountDelay: Int64 = 1_000
    /// The tolerance for a clock behind the service's, in milliseconds.
    static let clockTolerance: Int64 = 300_000

    let pageSize: Int
    let stores: [NotificationStore]?
    /// What the service counts: the stores, and everything unread if `countsUnread`.
    let countedStores: [NotificationStore]?
    var rows: FeedRows
    var counts: FeedCounts
    var arrivals = DetailQueue()
    var status = FeedData.Status.initial

    /// The number of the request that returned the list's first page: the response to an earlier request does not
    /// replace it.
    var lastReplaced: UInt64 = 0
    /// Counts changes of the active store: a page of another one is discarded.
    var generation = 0
    /// Whether the active store's first page is loaded.
    var hasFirstPage = false
    /// By store: the watermark. A store without one was not loaded yet, so none of its rows can be missed.
    var newest: [String: Mark] = [:]
    /// By store: the watermark from which rows may be missing that no page has shown yet.
    var missedSince: [String: Mark] = [:]
    /// Whether every store was scanned since the list was stale.
    var isScanned = false
    var announced = RecentIDs(capacity: FeedState.memory)
    /// Rows of a store's first page that are not new although their times do not show it.
    var passed = RecentIDs(capacity: FeedState.memory)
    /// Announced by events, but their rows could not be loaded.
    var pendingAnnouncements = RecentIDs(capacity: FeedState.memory)
    /// The number since which the list may be incomplete: a later request has to load it again.
    var staleSince: UInt64? = 0
    var isCountWanted = false
    /// The time of the last count.
    var lastCounted: Timestamp?
    /// When to count again: the last count was received shortly before a new notification, or before a replay of missed
    /// events, and may already include it.
    var recountTime: Timestamp?
    /// The numbers of the requests about rows that are in flight.
    var unanswered: Set<UInt64> = []
    private var lastNumber: UInt64 = 0

    package init(
        pageSize: Int = 20,
        stores: [NotificationStore]? = nil,
        maximumRows: Int = 200,
        countsUnread: Bool = false
    ) {
        self.pageSize = pageSize
        self.stores = stores
        countedStores = countsUnread ? (stores ?? []) + [.unread] : stores
        rows = FeedRows(store: stores?.first ?? .default, maximum: maximumRows)
        counts = FeedCounts(stores: countedStores ?? [])
    }

    /// Continues after a previous run: later notifications are announced, except for these ids.
    package mutating func resume(after moment: Timestamp?, announced ids: some Sequence<String>) {
        for id in ids { announced.insert(id) }
        guard let moment else { return }
        for store in stores ?? [.default] { newest[store.id] = Mark(time: moment) }
    }

    /// The creation time of the newest row of all stores, if all missed rows are announced; the Unix epoch without
    /// rows.
    private var caughtUp: Timestamp? {
        isScanned && !isStale && arrivals.isEmpty ? max(newest.values.map(\.time).max() ?? 0, 0) : nil
    }

    /// The data for the app.
    package var data: FeedData {
        FeedData(
            notifications: rows.visible,
            stores: stores ?? [],
            store: rows.store,
            pageInfo: .init(
                total: rows.hasMore ? rows.total : rows.visible.count,
                hasMore: rows.hasMore,
                pageSize: pageSize
            ),
            meta: counts.meta.without(.unread),
            status: status,
            unread: lastCounted.flatMap { _ in counts.meta.stores[NotificationStore.unread.id] },
            caughtUp: caughtUp
        )
    }

    /// The next time at which to call ``wake(now:)``.
    package var nextDeadline: Timestamp? {
        [rows.nextExpiry?.advanced(milliseconds: 1), recountTime].compactMap { $0 }.min()
    }

    /// Whether the list has to be loaded again: ``beginRefresh(isQuiet:)``.
    package var isStale: Bool { staleSince != nil }

    /// Whether to request the counts now: ``beginCount()``. One request at a time, and only after a burst of events.
    package var wantsCount: Bool {
        (isCountWanted || counts.isUnverified) && !counts.isUnderWay && counts.canBeCounted && arrivals.isEmpty
    }

    // MARK: Realtime events

    /// The socket is joined. Without a replay of missed events, the list has to be loaded again. With one, the events
    /// may be older than the last responses, so the counts are requested again.
    package mutating func joined(recovered: Bool, now: Timestamp) {
        if recovered { recountTime = now.advanced(milliseconds: Self.recountDelay) } else { becomeStale() }
    }

    /// An event of the service.
    package mutating func receive(_ event: RealtimeEvent, now: Timestamp) -> [Effect] {
        let number = nextNumber()
        switch event {
        case .newNotification(let id):
            guard !announced.contains(id) else {
                // It was loaded with the list, whose count may be older, and the row may have changed since.
                isCountWanted = true
                expect(id, isNew: false, number)
                return []
            }
            counts.eventArrived()
            if recountTime != nil || lastCounted.map({ now < $0.advanced(milliseconds: Self.recountDelay) }) == true {
                recountTime = now.advanced(milliseconds: Self.recountDelay)
            }
            expect(id, isNew: true, number)
            return []
        case .notificationUpdate(let id):
            isCountWanted = true
            expect(id, isNew: false, number)
            return []
        case .allRead:
            clear(.clearAll)
            // The service need not count as we do: reading everything is not opening the inbox.
            isCountWanted = true
            apply(RowChange(number: number, kind: .allRead, ids: nil, time: now, confirmed: number), now: now)
            return [.allRead, .updated]
        case .seen(let ids):
            apply(RowChange(number: number, kind: .seen, ids: Set(ids), time: now, confirmed: number), now: now)
            return [.updated]
        case .badgeReset:
            clear(.clearBadge)
            return [.updated]
        }
    }

    /// Applies a change of several rows. If a response in flight would undo it, the list has to be loaded again.
    private mutating func apply(_ change: RowChange, now: Timestamp) {
        if !rows.apply(change, now: now), !unanswered.isEmpty { becomeStale() }
        prune()
    }

    private mutating func clear(_ change: FeedCounts.Change) {
        counts.apply(change)
        // Rows that are being loaded were announced before the reset, and must not be added to the counts.
        if !arrivals.isEmpty { isCountWanted = true }
    }

    private mutating func expect(_ id: String, isNew: Bool, _ number: UInt64) {
        guard !arrivals.add(id, isNew: isNew, at: number) else { return }
        if isNew { pendingAnnouncements.insert(id) }
        becomeStale()
    }

    // MARK: Announced rows

    /// Begins the next request for a row, if the limit allows one.
    package mutating func beginDetails() -> (id: String, number: UInt64)? {
        guard let ticket = arrivals.start(nextNumber()) else { return nil }
        unanswered.insert(ticket.number)
        return (ticket.id, ticket.number)
    }

    /// The row could not be loaded, and is requested again.
    package mutating func retryDetails(_ id: String, _ number: UInt64, now: Timestamp) -> [Effect] {
        settle(arrivals.retry(.init(id: id, number: number)), now: now)
    }

    /// The row is loaded; nil: it cannot be loaded.
    package mutating func finishDetails(_ id: String, _ number: UInt64, _ row: FeedNotification?, now: Timestamp)
        -> [Effect]
    {
        let effects = settle(arrivals.finish(.init(id: id, number: number), row), now: now)
        unanswered.remove(number)
        prune()
        return effects
    }

    /// ``Feed/run()`` ended: requests in flight will not finish.
    package mutating func suspend() {
        let (news, tickets) = arrivals.abandon()
        for id in news { pendingAnnouncements.insert(id) }
        unanswered.subtract(tickets)
        becomeStale()
        prune()
    }

    private mutating func settle(_ outcomes: [DetailQueue.Outcome], now: Timestamp) -> [Effect] {
        guard !outcomes.isEmpty else { return [] }
        var effects: [Effect] = []
        for outcome in outcomes {
            guard let row = outcome.row else {
                if outcome.isNew { pendingAnnouncements.insert(outcome.id) }
                becomeStale()
                continue
            }
            let wasKnown = rows.isKnown(row.id)
            let isOutdated = rows.isOutdated(row.id, requestNumber: outcome.requestNumber)
            rows.update(row, requestNumber: outcome.requestNumber, now: now)
            if !outcome.isNew, !isOutdated { effects.append(.changed(rows.row(row.id) ?? row)) }
            guard outcome.isNew, !announced.contains(row.id), !row.isExpired(at: now) else { continue }
            let places = matchingStores(row)
            guard !places.isEmpty else {
                isCountWanted = isCountWanted || countedStores != stores
                continue
            }
            announced.insert(row.id)
            pendingAnnouncements.remove(row.id)
            if wasKnown {
                // Its page came with a count that may include it.
                isCountWanted = true
            } else {
                let counted = (countedStores ?? []).filter { $0.query.matches(row) }
                counts.add(announced: outcome.arrived, stores: counted.map(\.id))
            }
            if !isStale, row.created <= latestCreation(now: now) {
                for store in places { noteNewest(row.created, in: store) }
            }
            effects.append(.announce(row, catchUp: false))
        }
        return effects + [.updated]
    }

    // MARK: Time

    /// Removes expired rows; requests a count that is due.
    package mutating func wake(now: Timestamp) -> [Effect] {
        if let time = recountTime, time <= now {
            recountTime = nil
            isCountWanted = true
        }
        guard rows.expire(now: now) else { return [] }
        isCountWanted = true
        return [.updated]
    }

    // MARK: Shared

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func becomeStale() {
        staleSince = nextNumber()
        isScanned = false
    }

    /// Call it after every change of rows.
    mutating func prune() {
        for id in rows.takeUnverified().sorted() { expect(id, isNew: false, nextNumber()) }
        if rows.prune(before: unanswered.min()) { becomeStale() }
    }

    /// The stores of this feed that contain `row`; without stores, the default store.
    func matchingStores(_ row: FeedNotification) -> [NotificationStore] {
        (stores.flatMap { $0.isEmpty ? nil : $0 } ?? [.default]).filter { $0.query.matches(row) }
    }

    mutating func noteNewest(_ time: Timestamp, in store: NotificationStore) {
        newest[store.id]?.rise(to: time)
    }
}
