import Basics
import Inbox
import MagicBell

/// The newest part of an inbox, kept up to date: events and responses in, requests and reports out. No clock, no
/// network.
///
/// Events contain only ids. A new notification is requested by itself, as long as there are few: the service limits
/// the number of requests. In a burst the first page is loaded instead, which also happens after a gap in the events,
/// and after changes whose effect on the counts is unknown.
///
/// Every request is begun here (and numbered), sent elsewhere, and finished here.
struct InboxMirror: Sendable {
    /// How complete the newest part is.
    ///
    /// ```
    /// stale ── beginLoad ──► loading ── its last page ──► current
    ///   ▲                      │                            │
    ///   └──── a failure ───────┴── a gap, a burst ──────────┘
    /// ```
    enum Phase: Sendable, Equatable {
        /// The newest part has to be loaded, not before this time.
        case stale(due: Timestamp)
        case loading(Load)
        case current
    }

    /// The pages of one load: the first page, and others down to what is known.
    struct Load: Sendable, Equatable {
        /// Of its first request.
        var number: UInt64
        var scan = Arrivals.Scan()
        var pagesLeft = InboxMirror.pageLimit
        /// When to load again: something became stale meanwhile.
        var again: Timestamp?
        /// The service's total with the last page.
        private var total: Int?

        init(number: UInt64) { self.number = number }

        /// The page from which to load again: since the page before this one, notifications have left the inbox, so
        /// numbered pages moved up, and some notification may be on neither. nil: none is missing.
        mutating func gap(before page: StorePage, of request: PageRequest) -> InboxPageCursor? {
            defer { total = page.counts.total }
            guard case .page? = request.cursor, let total, let present = page.counts.total, present < total else {
                return nil
            }
            return request.cursor?.movedBack(rows: total - present, pageSize: request.size)
        }
    }

    /// A change of the user, whose request has no answer yet.
    struct OwnChange: Sendable, Equatable {
        var id: String
        /// nil: deleted.
        var change: StateChange?
        var number: UInt64
        /// Whether its event came before the answer.
        var hasEvent = false
    }

    /// The maximum number of ``witnesses``.
    static let maximumWitnesses = 256
    /// The maximum number of notifications that are kept.
    static let maximumRows = 200
    /// The maximum number of single notifications that are requested after events. With more, loading the newest part
    /// takes fewer requests.
    static let singleCapacity = 8
    /// In milliseconds, and the maximum number of single notifications that are requested within that time.
    static let singleWindow: (length: Int64, requests: Int) = (10_000, 8)
    /// In milliseconds: the least time between the starts of two loads, except after a gap. So loads are at most a
    /// third of the requests that the service allows.
    static let loadInterval: Int64 = 2_000
    /// In milliseconds: how long changes are collected before the counts are loaded.
    static let countDelay: Int64 = 1_000
    /// The maximum number of further pages of a load.
    static let pageLimit = 10

    let pageSize: Int
    var rows: FollowedRows
    var counts: FollowedCounts
    var singles = RowRequests<InboxNotification>(capacity: InboxMirror.singleCapacity)
    /// The times of the last events that needed a request.
    var recentSingles: [Timestamp] = []
    var arrivals = Arrivals()
    var phase = Phase.stale(due: 0)
    var lastLoad: Timestamp?
    /// When the wait after a failed load ends.
    var hold: Timestamp?
    /// Before this time nothing is counted again.
    var nextCount: Timestamp?
    /// The number of the first request of the last count.
    var firstCount: UInt64 = 0
    /// When the last first page came, in the order of numbers.
    var lastPage: UInt64 = 0
    /// The number of the last change of a notification.
    var lastChange: UInt64 = 0
    /// The loaded unread notifications when the service reported that all were read, until a page shows which.
    var unreadBefore: Set<String>?
    /// Own changes that are performed, whose events bring nothing new.
    var echoes = Echoes()
    /// Own changes whose requests have no answer yet.
    var ownChanges: [OwnChange] = []
    /// Notifications that are not loaded, as the service returned them: an own change of one of them needs no request.
    var witnesses: [String: InboxNotification] = [:]

    private var lastNumber: UInt64 = 0
    /// Requests in flight.
    var requests: Set<UInt64> = []

    private var reports: [ServiceEvent] = []
    /// Whether rows or counts changed since the last report.
    var isChanged = false
    var reportedNewest: Timestamp?

    init(pageSize: Int, tabs: [(id: String, predicate: StorePredicate)] = []) {
        self.pageSize = pageSize
        rows = FollowedRows(maximum: Self.maximumRows, tabs: tabs.map(\.predicate))
        counts = FollowedCounts(tabs: tabs)
    }

    /// Continues after a previous run: what is later and was not shown is reported as arrived.
    mutating func resume(after marks: DeliveryMarks, now: Timestamp) { arrivals.resume(after: marks, now: now) }

    /// Events may be missing from now on or were missing until now: it has to be loaded at once.
    mutating func missedEvents() {
        witnesses = [:]
        becomeStale(due: 0)
    }

    /// The connection was closed: requests in flight will not be finished.
    mutating func suspend() {
        for id in singles.abandon().newIDs { arrivals.announce(id, number: nextNumber()) }
        requests = []
        witnesses = [:]
        hold = nil
        phase = .stale(due: 0)
        prune()
    }

    // MARK: Shared

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The newest part has to be loaded at this time, or as soon after it as the interval allows.
    mutating func becomeStale(at time: Timestamp) {
        let earliest = lastLoad?.advanced(milliseconds: Self.loadInterval) ?? time
        // The wall clock may have been set back.
        becomeStale(due: max(time, min(earliest, time.advanced(milliseconds: Self.loadInterval))))
    }

    private mutating func becomeStale(due: Timestamp) {
        switch phase {
        case .stale(let present): phase = .stale(due: min(present, due))
        case .current: phase = .stale(due: due)
        case .loading(var load):
            load.again = load.again.map { min($0, due) } ?? due
            phase = .loading(load)
        }
    }

    /// Call it after every change of rows.
    mutating func prune() {
        if rows.prune(before: requests.min()) { missedEvents() }
        isChanged = true
    }

    mutating func report(_ event: ServiceEvent) {
        flush()
        reports.append(event)
    }

    private mutating func flush() {
        guard isChanged else { return }
        isChanged = false
        let differences = rows.takeDifferences()
        reports.append(
            .contents(
                InboxUpdate(
                    changed: differences.changed.map { Notification($0) },
                    removed: differences.removed.map { NotificationID($0) },
                    unloaded: differences.unloaded.map { NotificationID($0) },
                    counts: counts.shown(of: rows),
                    hasMore: rows.hasMore,
                    isCounted: counts.isKnown,
                    isComplete: phase == .current
                )
            )
        )
    }

    /// Returns the reports since the last call, in order.
    mutating func takeReports() -> [ServiceEvent] {
        flush()
        if phase == .current, singles.isEmpty, reportedNewest != arrivals.newest {
            reportedNewest = arrivals.newest
            reports.append(.caughtUp(arrivals.newest))
        }
        defer { reports = [] }
        return reports
    }
}
