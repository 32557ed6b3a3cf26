import ClientKit
import FoundationEssentials

/// The heart of a feed: everything that happens goes in, what to tell and what to ask for come out. No clock, no network.
///
/// Whatever is asked of the service is begun here (and numbered), carried out elsewhere, and finished here. Answers are merged into
/// the state as it is then, never into the one of when they were asked for.
///
/// ```
/// event ──► arrivals ──► details ──► rows, counts ──► announce
/// page  ──────────────────────────► rows ──► announce what was missed
/// action ─► rows, counts at once ──► request ──► confirm or undo
/// ```
package struct FeedState: Sendable {
    /// What listeners are to be told, in this order.
    package enum Effect: Sendable, Equatable {
        case announce(FeedNotification, catchUp: Bool)
        /// The service says that this row changed.
        case changed(FeedNotification)
        /// The service says that everything was read.
        case allRead
        /// The list or a number changed.
        case updated
    }

    /// Ids remembered so that none is announced twice.
    static let memory = 2_000
    /// An event follows what it tells about by less than this, in milliseconds.
    static let recountDelay: Int64 = 1_000
    /// So much may our clock be behind the service's, in milliseconds.
    static let clockTolerance: Int64 = 300_000

    let pageSize: Int
    let stores: [NotificationStore]?
    /// What the service is asked to count: the stores, and perhaps everything that is unread.
    let countedStores: [NotificationStore]?
    var rows: FeedRows
    var counts: FeedCounts
    var arrivals = Arrivals()
    var status = FeedData.Status.initial

    /// The number of the question that the list's first page answered: an older one's answer does not replace it.
    var lastReplaced: UInt64 = 0
    /// Counts changes of the store: a page for another one does not fit any more.
    var generation = 0
    /// Whether the active store's first page came.
    var hasFirstPage = false
    /// By store: up to where nothing is news. A store without a mark has shown nothing yet, so nothing of it can be missed.
    var newest: [String: Mark] = [:]
    /// By store: since when rows may have been missed that no page has shown yet.
    var missedSince: [String: Mark] = [:]
    /// Whether every store was looked at since the list was stale.
    var isSurveyed = false
    var announced = RecentIDs(capacity: FeedState.memory)
    /// Rows of the first page of a store that are not new although their times do not show it.
    var passed = RecentIDs(capacity: FeedState.memory)
    /// The service told of these, but their rows could not be had.
    var owed = RecentIDs(capacity: FeedState.memory)
    /// Since when the list may lack something: it has to be loaded again by a question asked later than that.
    var staleSince: UInt64? = 0
    var isCountWanted = false
    /// When the last count was answered.
    var lastCounted: Milliseconds?
    /// When to count again, because the last count was answered shortly before news came, or before missed events were sent again, and
    /// may include it already.
    var recountTime: Milliseconds?
    /// The numbers of the questions about rows that are not answered.
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

    /// Goes on where an earlier life of the app has ended: what came since then is announced, except for these ids.
    package mutating func resume(after moment: Milliseconds?, announced ids: some Sequence<String>) {
        for id in ids { announced.insert(id) }
        guard let moment else { return }
        for store in stores ?? [.default] { newest[store.id] = Mark(time: moment) }
    }

    /// When the newest row of all stores was made, if all that was missed is announced; the Unix epoch if there is no row.
    private var caughtUp: Milliseconds? {
        isSurveyed && !isStale && arrivals.isEmpty ? max(newest.values.map(\.time).max() ?? 0, 0) : nil
    }

    /// What a person sees.
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

    /// When ``wake(now:)`` has something to do.
    package var nextDeadline: Milliseconds? {
        [rows.nextExpiry?.advanced(by: 1), recountTime].compactMap { $0 }.min()
    }

    /// Whether the list has to be loaded again: ``beginResync()``.
    package var isStale: Bool { staleSince != nil }

    /// Whether to ask for the counts now: ``beginCount()``. One at a time is enough, and after a burst is soon enough.
    package var wantsCount: Bool { (isCountWanted || counts.isDoubtful) && !counts.isUnderWay && arrivals.isEmpty }

    // MARK: The realtime link

    /// The socket is joined. If the service did not send what was missed, the list has to be loaded again. If it does, its events
    /// are older than what was asked for meanwhile, so the numbers need another look.
    package mutating func joined(recovered: Bool, now: Milliseconds) {
        if recovered { recountTime = now.advanced(by: Self.recountDelay) } else { becomeStale() }
    }

    /// Something happened at the service.
    package mutating func receive(_ event: RealtimeEvent, now: Milliseconds) -> [Effect] {
        let number = nextNumber()
        switch event {
        case .newNotification(let id):
            guard !announced.contains(id) else {
                // It came with the list, whose count may be from before it, and an event that was sent before it has changed it here.
                isCountWanted = true
                expect(id, isNew: false, number)
                return []
            }
            counts.eventArrived()
            if recountTime != nil || lastCounted.map({ now < $0.advanced(by: Self.recountDelay) }) == true {
                recountTime = now.advanced(by: Self.recountDelay)
            }
            expect(id, isNew: true, number)
            return []
        case .notificationUpdate(let id):
            isCountWanted = true
            expect(id, isNew: false, number)
            return []
        case .allRead:
            clear(.clearAll)
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

    /// What an answer under way would undo has to be loaded again.
    private mutating func apply(_ change: RowChange, now: Milliseconds) {
        if !rows.apply(change, now: now), !unanswered.isEmpty { becomeStale() }
        prune()
    }

    private mutating func clear(_ change: FeedCounts.Change) {
        counts.apply(change)
        // What is still being asked for was announced before, and is not to be added to what was cleared.
        if !arrivals.isEmpty { isCountWanted = true }
    }

    private mutating func expect(_ id: String, isNew: Bool, _ number: UInt64) {
        guard !arrivals.add(id, isNew: isNew, at: number) else { return }
        if isNew { owed.insert(id) }
        becomeStale()
    }

    // MARK: Rows that were announced

    /// The next row to ask for, if one may be asked for now.
    package mutating func beginDetails() -> (id: String, number: UInt64)? {
        guard let ticket = arrivals.start(nextNumber()) else { return nil }
        unanswered.insert(ticket.number)
        return (ticket.id, ticket.number)
    }

    /// The row could not be had, and is asked for again.
    package mutating func retryDetails(_ id: String, _ number: UInt64, now: Milliseconds) -> [Effect] {
        settle(arrivals.retry(.init(id: id, number: number)), now: now)
    }

    /// The row came; nil: it cannot be had.
    package mutating func finishDetails(_ id: String, _ number: UInt64, _ row: FeedNotification?, now: Milliseconds)
        -> [Effect]
    {
        let effects = settle(arrivals.finish(.init(id: id, number: number), row), now: now)
        unanswered.remove(number)
        prune()
        return effects
    }

    /// The link's life is over: nothing that is under way will be finished.
    package mutating func suspend() {
        let (news, tickets) = arrivals.abandon()
        for id in news { owed.insert(id) }
        unanswered.subtract(tickets)
        becomeStale()
        prune()
    }

    private mutating func settle(_ outcomes: [Arrivals.Outcome], now: Milliseconds) -> [Effect] {
        guard !outcomes.isEmpty else { return [] }
        var effects: [Effect] = []
        for outcome in outcomes {
            guard let row = outcome.row else {
                if outcome.isNew { owed.insert(outcome.id) }
                becomeStale()
                continue
            }
            let wasKnown = rows.isKnown(row.id)
            let isOutdated = rows.isOutdated(row.id, asked: outcome.asked)
            rows.update(row, asked: outcome.asked, now: now)
            if !outcome.isNew, !isOutdated { effects.append(.changed(rows.row(row.id) ?? row)) }
            guard outcome.isNew, !announced.contains(row.id), !row.isExpired(at: now) else { continue }
            let places = matchingStores(row)
            guard !places.isEmpty else {
                isCountWanted = isCountWanted || countedStores != stores
                continue
            }
            announced.insert(row.id)
            owed.remove(row.id)
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

    /// Removes what has expired; asks for a count that is due.
    package mutating func wake(now: Milliseconds) -> [Effect] {
        if let time = recountTime, time <= now {
            recountTime = nil
            isCountWanted = true
        }
        guard rows.expire(now: now) else { return [] }
        isCountWanted = true
        return [.updated]
    }

    // MARK: Shared by the parts

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func becomeStale() {
        staleSince = nextNumber()
        isSurveyed = false
    }

    /// To be called after everything that changes rows.
    mutating func prune() {
        for id in rows.takeDoubtful().sorted() { expect(id, isNew: false, nextNumber()) }
        if rows.prune(before: unanswered.min()) { becomeStale() }
    }

    /// The stores of this feed that `row` belongs to; without stores, the one of everything.
    func matchingStores(_ row: FeedNotification) -> [NotificationStore] {
        (stores.flatMap { $0.isEmpty ? nil : $0 } ?? [.default]).filter { $0.query.matches(row) }
    }

    mutating func noteNewest(_ time: Milliseconds, in store: NotificationStore) {
        newest[store.id]?.rise(to: time)
    }
}
