package import Basics
import ClientKit

/// Catch-up: finds and announces the rows that arrived while the feed was not connected.
extension FeedState {
    /// A scan of a store's list from the top down to the first row that was not missed.
    package struct CatchUpScan: Sendable, Equatable {
        package let store: NotificationStore
        fileprivate var cursor: PageCursor?
        fileprivate var size: Int
        fileprivate var pagesLeft = FeedState.surveyedPages
        fileprivate var isDone = false

        /// The next request; nil: the scan is complete.
        package var call: FeedCall? { isDone ? nil : .list(pageSize: size, store: store, after: cursor) }
    }

    /// The size of a scan's pages after the first.
    static let surveySize = Limits.rows
    /// The maximum number of pages of a scan.
    static let surveyedPages = 10

    /// The scans after the list is loaded again: of the other stores, and of the active one if more was missed than its
    /// page contains.
    package func scans(ofOthers: Bool = true) -> [CatchUpScan] {
        let others = ofOthers ? (stores ?? []).filter { $0 != rows.store } : []
        return others.map { CatchUpScan(store: $0, size: pageSize) }
            + (missedSince[rows.store.id] == nil ? [] : [CatchUpScan(store: rows.store, size: Self.surveySize)])
    }

    /// The response to the scan's request.
    package mutating func proceed(_ scan: inout CatchUpScan, _ page: NotificationPage, now: Timestamp) -> [Effect] {
        var page = page
        page.cut(to: scan.size)
        let effects = announceMissed(page, in: scan.store, now: now)
        scan.size = Self.surveySize
        // A page begins after its cursor, and several rows may have the same millisecond: it is loaded again. Of more
        // such rows than a page has, the rest cannot be loaded.
        let end = page.rows.last.map(PageCursor.init(after:))
        scan.cursor = end?.overlapping == scan.cursor ? end : end?.overlapping
        scan.pagesLeft -= 1
        if scan.pagesLeft == 0 { missedSince[scan.store.id] = nil }
        scan.isDone = missedSince[scan.store.id] == nil
        return effects
    }

    /// The list is loaded and all its scans are complete.
    package mutating func finishSurveys() -> [Effect] {
        guard !isStale, !isScanned else { return [] }
        isScanned = true
        return [.updated]
    }

    /// Announces, oldest first, the rows that arrived while the feed was not connected. The rows of a store's first
    /// page are not announced.
    mutating func announceMissed(
        _ page: NotificationPage,
        in store: NotificationStore,
        now: Timestamp
    ) -> [Effect] {
        let latest = latestCreation(now: now)
        let isFirst = newest[store.id] == nil
        let known = (missedSince[store.id] ?? newest[store.id]).map { believable($0, now: now) }
        // Pinned rows come first, independent of their age. The service sorts by its own time, even if it is not in
        // milliseconds.
        let last = page.rows.last { !$0.isPinned }?.sortKey
        let isEnd = page.rows.isEmpty || !(page.hasMore ?? (page.rows.count < page.total ?? 0))
        let reachesKnown = isEnd || known.map { $0.isReached(by: last ?? .init(milliseconds: .max)) } ?? true
        missedSince[store.id] = reachesKnown ? nil : known
        let ordinary = page.rows.lazy.filter { $0.sortKey == $0.created && $0.created <= latest }.map(\.created)
        // Rows with invalid times may fill the first page: older rows behind them are not new either.
        let top = ordinary.max() ?? (isFirst && !isEnd ? now : 0)
        var mark = newest[store.id].map { believable($0, now: now) } ?? Mark(time: 0)
        mark.rise(to: top)
        if isFirst {
            // Exact only if the page has all rows of the newest millisecond.
            mark.isExact = isEnd || last.map { $0 < top } ?? false
            for row in page.rows where row.created >= top && !isNews(row, in: store) { passed.insert(row.id) }
        }
        newest[store.id] = mark
        let missed = page.rows.filter { row in
            (known?.isBefore(row) ?? false || pendingAnnouncements.contains(row.id))
                && !row.isSeen && !row.isRead && !row.isExpired(at: now)
                && !announced.contains(row.id) && !passed.contains(row.id) && !matchingStores(row).isEmpty
        }
        return missed.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.compactMap { row in
            // A page may contain a row twice.
            guard announced.insert(row.id) else { return nil }
            pendingAnnouncements.remove(row.id)
            return .announce(row, catchUp: true)
        }
    }

    /// Whether a row of a store that is scanned for the first time is newer than what is known of another store.
    private func isNews(_ row: FeedNotification, in store: NotificationStore) -> Bool {
        matchingStores(row).contains { other in
            other.id != store.id && (missedSince[other.id] ?? newest[other.id])?.isBefore(row) == true
        }
    }

    /// The latest valid creation time. A later time is wrong: such a row is new if its id is, and it moves no mark.
    func latestCreation(now: Timestamp) -> Timestamp { now.advanced(milliseconds: Self.clockTolerance) }

    /// A mark of a previous run in the future comes from an invalid time, and would hide all rows until then: it is
    /// replaced by the present time.
    private func believable(_ mark: Mark, now: Timestamp) -> Mark {
        mark.time > latestCreation(now: now) ? Mark(time: now) : mark
    }
}

extension FeedState {
    /// The watermark of a store: rows up to this time are not new.
    struct Mark: Sendable, Equatable {
        var time: Timestamp
        /// Every row of this millisecond that is not new is known by its id, so that all others are new.
        var isExact = false

        func isBefore(_ row: FeedNotification) -> Bool {
            isExact ? row.created >= time : row.created > time
        }

        /// Whether a list down to `last` contains all new rows.
        func isReached(by last: Timestamp) -> Bool { isExact ? last < time : last <= time }

        /// Rows of a later time were announced, or are not to be announced: other rows of that time are new.
        mutating func rise(to later: Timestamp) {
            if later > time { self = Mark(time: later, isExact: true) }
        }
    }
}
