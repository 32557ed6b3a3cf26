import Basics
import ClientKit

/// Decides which rows arrived while the feed was not connected, so that each is announced once.
///
/// Each store has a watermark: rows up to it are not new. A store's pages are compared with it from the top down, until
/// a page reaches it. Several stores may contain the same row, so ids are remembered as well.
struct CatchUp: Sendable {
    /// The number of ids in each list of ids.
    private static let capacity = 2_000

    /// The stores of the feed; without any, the default store.
    private let stores: [NotificationStore]
    /// By store id. A store without progress was not loaded yet, so none of its rows can be missed.
    private var progress: [String: Progress] = [:]
    private var announced = RecentIDs(capacity: CatchUp.capacity)
    /// Rows of a store's first page that are not new although their times do not show it.
    private var old = RecentIDs(capacity: CatchUp.capacity)
    /// Announced by events, but their rows could not be loaded.
    private var pending = RecentIDs(capacity: CatchUp.capacity)

    init(stores: [NotificationStore]?) {
        self.stores = stores.flatMap { $0.isEmpty ? nil : $0 } ?? [.default]
    }

    /// Continues after a previous run: later notifications are missed, except for these ids.
    mutating func resume(after moment: Timestamp?, announced ids: some Sequence<String>) {
        for id in ids { announced.insert(id) }
        guard let moment else { return }
        for store in stores { progress[store.id] = .complete(upTo: Watermark(time: moment)) }
    }

    /// The creation time of the newest row of all stores; the Unix epoch without rows.
    var newest: Timestamp { max(progress.values.map(\.end.time).max() ?? 0, 0) }

    /// Whether `store` may have missed rows below the pages compared so far.
    func isIncomplete(_ store: NotificationStore) -> Bool { progress[store.id]?.isIncomplete ?? false }

    /// Ends the search for missed rows of `store`.
    mutating func giveUp(_ store: NotificationStore) { progress[store.id]?.complete() }

    /// The stores that contain `row`.
    func stores(of row: FeedNotification) -> [NotificationStore] { stores.filter { $0.query.matches(row) } }

    func isAnnounced(_ id: String) -> Bool { announced.contains(id) }

    /// An event announced `id`, and its row could not be loaded: the next page that contains it announces it.
    mutating func postpone(_ id: String) { pending.insert(id) }

    /// An event announced `row`. `raisingWatermarks`: all rows before it are known.
    mutating func announce(_ row: FeedNotification, raisingWatermarks: Bool, now: Timestamp) {
        announced.insert(row.id)
        pending.remove(row.id)
        guard raisingWatermarks, row.created <= latestCreation(now: now) else { return }
        for store in stores(of: row) { progress[store.id]?.end.raise(to: row.created) }
    }

    /// The rows of a page that arrived while the feed was not connected, oldest first. The rows of a store's first page
    /// are not missed.
    mutating func takeMissed(
        in page: NotificationPage,
        of store: NotificationStore,
        now: Timestamp
    ) -> [FeedNotification] {
        let isFirst = progress[store.id] == nil
        let known = progress[store.id].map { valid($0.start, now: now) }
        // Pinned rows come first, independent of their age. The service sorts by its own time, even if it is not in
        // milliseconds.
        let last = page.rows.last { !$0.isPinned }?.sortKey
        let isEnd = page.rows.isEmpty || !(page.hasMore ?? (page.rows.count < page.total ?? 0))
        let reachesKnown = isEnd || known.map { $0.isReached(by: last ?? .init(milliseconds: .max)) } ?? true
        let end = watermark(of: store, raisedBy: page, isFirst: isFirst, isEnd: isEnd, last: last, now: now)
        progress[store.id] =
            if let known, !reachesKnown { .incomplete(since: known, upTo: end) } else { .complete(upTo: end) }
        let missed = page.rows.filter { row in
            (known?.isBefore(row) == true && !old.contains(row.id) || pending.contains(row.id))
                && !row.isSeen && !row.isRead && !row.isExpired(at: now)
                && !announced.contains(row.id) && !stores(of: row).isEmpty
        }
        return missed.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.filter { row in
            // A page may contain a row twice.
            guard announced.insert(row.id) else { return false }
            pending.remove(row.id)
            return true
        }
    }

    private mutating func watermark(
        of store: NotificationStore,
        raisedBy page: NotificationPage,
        isFirst: Bool,
        isEnd: Bool,
        last: Timestamp?,
        now: Timestamp
    ) -> Watermark {
        let latest = latestCreation(now: now)
        let ordinary = page.rows.lazy.filter { $0.sortKey == $0.created && $0.created <= latest }.map(\.created)
        // Rows with invalid times may fill the first page: older rows behind them are not new either.
        let top = ordinary.max() ?? (isFirst && !isEnd ? now : 0)
        var watermark = progress[store.id].map { valid($0.end, now: now) } ?? Watermark(time: 0)
        watermark.raise(to: top)
        if isFirst {
            // Exact only if the page has all rows of the newest millisecond.
            watermark.isExact = isEnd || last.map { $0 < top } ?? false
            for row in page.rows where row.created >= top && !isNew(row, in: store) { old.insert(row.id) }
        }
        return watermark
    }

    /// Whether a row of a store that is loaded for the first time is newer than what is known of another store.
    private func isNew(_ row: FeedNotification, in store: NotificationStore) -> Bool {
        stores(of: row).contains { other in
            other.id != store.id && progress[other.id]?.start.isBefore(row) == true
        }
    }

    /// The latest valid creation time. A later time is wrong: such a row is new if its id is, and raises no watermark.
    private func latestCreation(now: Timestamp) -> Timestamp { now.advanced(milliseconds: Timestamp.clockTolerance) }

    /// A watermark of a previous run in the future comes from an invalid time, and would hide all rows until then: it
    /// is replaced by the present time.
    private func valid(_ watermark: Watermark, now: Timestamp) -> Watermark {
        watermark.time > latestCreation(now: now) ? Watermark(time: now) : watermark
    }
}

/// How far a store was compared.
private enum Progress: Sendable, Equatable {
    case complete(upTo: Watermark)
    /// Rows since `since` may be missing that no page has shown yet.
    case incomplete(since: Watermark, upTo: Watermark)

    var isIncomplete: Bool { if case .incomplete = self { true } else { false } }

    /// From where rows may be new.
    var start: Watermark {
        switch self {
        case .complete(let end): end
        case .incomplete(let start, _): start
        }
    }

    var end: Watermark {
        get {
            switch self {
            case .complete(let end), .incomplete(_, let end): end
            }
        }
        set {
            switch self {
            case .complete: self = .complete(upTo: newValue)
            case .incomplete(let start, _): self = .incomplete(since: start, upTo: newValue)
            }
        }
    }

    mutating func complete() { self = .complete(upTo: end) }
}

/// Rows of a store up to this time are not new.
private struct Watermark: Sendable, Equatable {
    var time: Timestamp
    /// Every row of this millisecond that is not new is known by its id, so that all others are new.
    var isExact = false

    func isBefore(_ row: FeedNotification) -> Bool {
        isExact ? row.created >= time : row.created > time
    }

    /// Whether a list down to `last` contains all new rows.
    func isReached(by last: Timestamp) -> Bool { isExact ? last < time : last <= time }

    /// Rows of a later time were announced, or are not to be announced: other rows of that time are new.
    mutating func raise(to later: Timestamp) {
        if later > time { self = Watermark(time: later, isExact: true) }
    }
}
