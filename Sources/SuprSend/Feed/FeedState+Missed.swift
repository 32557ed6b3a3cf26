import ClientKit

/// What came while the feed was not connected: found by walking down the lists, and announced.
extension FeedState {
    /// A walk from the top of a store's list down to where nothing was missed.
    package struct Survey: Sendable, Equatable {
        package let store: NotificationStore
        fileprivate var cursor: PageCursor?
        fileprivate var size: Int
        fileprivate var pagesLeft = FeedState.surveyedPages
        fileprivate var isDone = false

        /// The next question; nil: there is nothing more to ask.
        package var call: FeedCall? { isDone ? nil : .list(pageSize: size, store: store, after: cursor) }
    }

    /// Rows on the pages of a survey after the first.
    static let surveySize = Limits.rows
    /// A survey ends after this many pages.
    static let surveyedPages = 10

    /// The surveys that go with loading the list again: of the other stores, and of the active one if more was missed than its page
    /// shows.
    package func surveys(ofOthers: Bool = true) -> [Survey] {
        let others = ofOthers ? (stores ?? []).filter { $0 != rows.store } : []
        return others.map { Survey(store: $0, size: pageSize) }
            + (missedSince[rows.store.id] == nil ? [] : [Survey(store: rows.store, size: Self.surveySize)])
    }

    /// The answer to the survey's question.
    package mutating func proceed(_ survey: inout Survey, _ page: NotificationPage, now: Milliseconds) -> [Effect] {
        var page = page
        page.cut(to: survey.size)
        let effects = announceMissed(page, in: survey.store, now: now)
        survey.size = Self.surveySize
        // A page begins strictly behind its cursor, and several rows may have been made in one millisecond: it is looked at again. Of
        // more rows than a page has, the rest cannot be reached.
        let end = page.rows.last.map(PageCursor.init(after:))
        survey.cursor = end?.overlapping == survey.cursor ? end : end?.overlapping
        survey.pagesLeft -= 1
        if survey.pagesLeft == 0 { missedSince[survey.store.id] = nil }
        survey.isDone = missedSince[survey.store.id] == nil
        return effects
    }

    /// The list is loaded and all surveys of that are done.
    package mutating func finishSurveys() -> [Effect] {
        guard !isStale, !isSurveyed else { return [] }
        isSurveyed = true
        return [.updated]
    }

    /// Announces, oldest first, the rows that came while the feed was not connected. The first page of a store is what was there before.
    mutating func announceMissed(
        _ page: NotificationPage,
        in store: NotificationStore,
        now: Milliseconds
    ) -> [Effect] {
        let latest = latestCreation(now: now)
        let isFirst = newest[store.id] == nil
        let known = (missedSince[store.id] ?? newest[store.id]).map { believable($0, now: now) }
        // Pinned rows stand first, however old they are. The service sorts by what it gave as the time, whatever that means.
        let last = page.rows.last { !$0.isPinned }?.sortKey
        let isEnd = page.rows.isEmpty || !(page.hasMore ?? (page.rows.count < page.total ?? 0))
        let reachesKnown = isEnd || known.map { $0.isReached(by: last ?? .init(.max)) } ?? true
        missedSince[store.id] = reachesKnown ? nil : known
        let ordinary = page.rows.lazy.filter { $0.sortKey == $0.created && $0.created <= latest }.map(\.created)
        // Rows with wrong times may fill the first page: what is behind them was there before, too.
        let top = ordinary.max() ?? (isFirst && !isEnd ? now : 0)
        var mark = newest[store.id].map { believable($0, now: now) } ?? Mark(time: 0)
        mark.rise(to: top)
        if isFirst {
            // Exact only if all rows of the newest millisecond are on the page.
            mark.isExact = isEnd || last.map { $0 < top } ?? false
            for row in page.rows where row.created >= top { passed.insert(row.id) }
        }
        newest[store.id] = mark
        let missed = page.rows.filter { row in
            (known?.isBefore(row) ?? false || owed.contains(row.id))
                && !row.isSeen && !row.isRead && !row.isExpired(at: now)
                && !announced.contains(row.id) && !passed.contains(row.id) && !matchingStores(row).isEmpty
        }
        return missed.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.compactMap { row in
            // A page may hold a row twice.
            guard announced.insert(row.id) else { return nil }
            owed.remove(row.id)
            return .announce(row, catchUp: true)
        }
    }

    /// The latest time at which a row can have been made. The time of a younger one is wrong: only its id shows whether it is new, and it
    /// moves no mark.
    func latestCreation(now: Milliseconds) -> Milliseconds { now.advanced(by: Self.clockTolerance) }

    /// A mark of an earlier run that lies in the future was made of a wrong time, and would hide everything that comes until then.
    private func believable(_ mark: Mark, now: Milliseconds) -> Mark {
        mark.time > latestCreation(now: now) ? Mark(time: now) : mark
    }
}

extension FeedState {
    /// The time up to which nothing in a store is news.
    struct Mark: Sendable, Equatable {
        var time: Milliseconds
        /// Every row of that very millisecond that is no news is known by its id, so that the others are news.
        var isExact = false

        func isBefore(_ row: FeedNotification) -> Bool {
            isExact ? row.created >= time : row.created > time
        }

        /// Whether a list that goes down to `last` has all that is news.
        func isReached(by last: Milliseconds) -> Bool { isExact ? last < time : last <= time }

        /// Rows of a later time were announced, or need not be: what else has that time is news.
        mutating func rise(to later: Milliseconds) {
            if later > time { self = Mark(time: later, isExact: true) }
        }
    }
}
