import FoundationEssentials

/// Loading pages and counts.
extension FeedState {
    /// One question about the list.
    package struct Load: Sendable, Equatable {
        package enum Kind: Sendable, Hashable { case first, next, again }

        package var kind: Kind
        package var store: NotificationStore
        package var call: FeedCall
        var number: UInt64
        var generation: Int
        var edition: Int
    }

    /// What became of an answer.
    package enum Fit: Sendable, Equatable {
        case applied
        /// The list was replaced meanwhile: ask again from its new end.
        case outdated
        /// The active store changed meanwhile.
        case otherStore
    }

    /// One question about the numbers.
    package struct Count: Sendable, Equatable {
        package var call: FeedCall
        var number: UInt64
    }

    /// The first page, or the next one when the first is here. Nil: there is no further one.
    package mutating func beginFetch() throws(SuprSendError) -> Load? {
        try checkIdle()
        guard hasFirstPage else {
            status = .loading
            return load(.first)
        }
        return rows.hasMore ? try beginNextPage() : nil
    }

    /// The next page.
    package mutating func beginNextPage() throws(SuprSendError) -> Load {
        try checkIdle()
        guard hasFirstPage else { throw SuprSendError(.invalidState, "No page is loaded yet; fetch the first one.") }
        guard rows.hasMore else { throw SuprSendError(.invalidState, "No more pages to fetch.") }
        guard rows.visible.count < rows.maximum else {
            throw SuprSendError(
                .invalidState,
                "The feed keeps \(rows.maximum) rows, and these are loaded; raise maximumRows for more."
            )
        }
        status = .fetchingMore
        return load(.next)
    }

    /// As many rows as are here, from the top, instead of what is here. `isQuiet`: the status does not show it.
    package mutating func beginRefresh(isQuiet: Bool = false) -> Load {
        if !hasFirstPage {
            status = .loading
            return load(.first)
        }
        if !isQuiet { status = .fetchingMore }
        return load(.again)
    }

    /// Another store: its rows are unknown, the numbers stay. Nil: it is active already.
    package mutating func changeStore(_ id: String) throws(SuprSendError) -> Load? {
        guard let store = (stores ?? [.default]).first(where: { $0.id == id }) else {
            throw SuprSendError(.invalidArgument, "The feed has no store with the id \"\(id)\".")
        }
        guard store != rows.store else { return nil }
        generation += 1
        rows.reset(to: store)
        hasFirstPage = false
        status = .loading
        return load(.first)
    }

    private mutating func checkIdle() throws(SuprSendError) {
        if status == .loading || status == .fetchingMore {
            throw SuprSendError(.invalidState, "Already fetching data.")
        }
    }

    private mutating func load(_ kind: Load.Kind) -> Load {
        let number = nextNumber()
        unanswered.insert(number)
        let size = kind == .again ? min(max(rows.visible.count, pageSize), 100) : pageSize
        return Load(
            kind: kind,
            store: rows.store,
            // The first page never depends on rows that came by events.
            call: .list(pageSize: size, store: rows.store, after: kind == .next ? rows.cursor : nil),
            number: number,
            generation: generation,
            edition: rows.edition
        )
    }

    /// An answer, or a failure, to a question about the list.
    package mutating func finish(
        _ load: Load,
        _ answer: Result<NotificationPage, SuprSendError>,
        now: Milliseconds
    ) -> (fit: Fit, effects: [Effect]) {
        defer {
            unanswered.remove(load.number)
            prune()
        }
        guard load.generation == generation else { return (.otherStore, []) }
        let page: NotificationPage
        switch answer {
        case .success(let success): page = success
        case .failure:
            if status == .loading || status == .fetchingMore { status = .error }
            return (.applied, [.updated])
        }
        status = .success
        switch load.kind {
        case .next:
            guard load.edition == rows.edition else { return (.outdated, [.updated]) }
            // Asked for twice, and here already.
            guard case .list(_, _, rows.cursor) = load.call else { return (.applied, [.updated]) }
            rows.append(page, asked: load.number, now: now)
            return (.applied, [.updated])
        case .first, .again:
            guard load.number > lastReplaced else { return (.applied, [.updated]) }
            lastReplaced = load.number
            rows.replace(with: page, asked: load.number, keepingAll: !hasFirstPage, now: now)
            hasFirstPage = true
            if let stale = staleSince, stale < load.number { staleSince = nil }
            return (.applied, announceMissed(page, in: load.store, now: now) + [.updated])
        }
    }

    // MARK: What was missed

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
    static let surveySize = 100
    /// A survey ends after so many pages.
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
        let effects = announceMissed(page, in: survey.store, now: now)
        survey.size = Self.surveySize
        // A page begins strictly before its cursor, and several rows may have been made in one millisecond: it is looked at again.
        survey.cursor = page.rows.last.map { .init(isPinned: $0.isPinned, created: .init($0.created.value + 1)) }
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

    /// Announces, oldest first, the rows that came while nobody was listening. The first page of a store is what was there before.
    private mutating func announceMissed(
        _ page: NotificationPage,
        in store: NotificationStore,
        now: Milliseconds
    ) -> [Effect] {
        let known = missedSince[store.id] ?? newest[store.id]
        let created = page.rows.map(\.created)
        newest[store.id] = max(newest[store.id] ?? .init(.min), created.max() ?? .init(.min))
        // Pinned rows stand first, however old they are.
        let last = page.rows.last { !$0.isPinned }?.created
        let isEnd = page.rows.isEmpty || !(page.hasMore ?? (page.rows.count < page.total ?? 0))
        let reachesKnown = isEnd || known.map { (last ?? .init(.max)) <= $0 } ?? true
        missedSince[store.id] = reachesKnown ? nil : known
        let missed = page.rows.filter { row in
            (known.map { row.created > $0 } ?? false || owed.contains(row.id))
                && !row.isSeen && !row.isRead && !row.isExpired(at: now)
                && !announced.contains(row.id) && !matchingStores(row).isEmpty
        }
        return missed.sorted { ($0.created, $0.id) < ($1.created, $1.id) }.compactMap { row in
            // A page may hold a row twice.
            guard announced.insert(row.id) else { return nil }
            owed.remove(row.id)
            return .announce(row, catchUp: true)
        }
    }

    // MARK: Counts

    /// A question about the numbers.
    package mutating func beginCount() -> Count {
        isCountWanted = false
        let number = nextNumber()
        counts.begin(number)
        return Count(call: .count(stores: countedStores), number: number)
    }

    /// Its answer; nil: it failed, and comes with the list, which is tried again at a pace.
    package mutating func finish(_ count: Count, _ answer: NotificationCounts?, now: Milliseconds) -> [Effect] {
        counts.finish(count.number, answer)
        guard answer != nil else {
            becomeStale()
            return []
        }
        lastCounted = now
        return [.updated]
    }

    // MARK: One row

    /// A question about one row, asked by the app.
    package mutating func beginRow() -> UInt64 {
        let number = nextNumber()
        unanswered.insert(number)
        return number
    }

    /// Its answer; nil: it failed.
    package mutating func finishRow(_ number: UInt64, _ row: FeedNotification?, now: Milliseconds) -> [Effect] {
        defer {
            unanswered.remove(number)
            prune()
        }
        guard let row else { return [] }
        rows.update(row, asked: number, now: now)
        return [.updated]
    }
}
