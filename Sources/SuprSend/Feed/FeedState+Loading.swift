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
            return (.applied, announceMissed(page.rows, in: load.store, now: now) + [.updated])
        }
    }

    // MARK: What was missed

    /// The stores besides the active one, whose first pages are looked at for missed notifications when the list is loaded again.
    package func beginSurvey() -> [(store: NotificationStore, call: FeedCall)] {
        (stores ?? []).filter { $0 != rows.store }.map { ($0, .list(pageSize: pageSize, store: $0, after: nil)) }
    }

    /// The first page of another store than the active one.
    package mutating func finishSurvey(_ store: NotificationStore, _ page: NotificationPage, now: Milliseconds)
        -> [Effect]
    {
        announceMissed(page.rows, in: store, now: now)
    }

    /// Announces, oldest first, the rows that came while nobody was listening. The first page of a store is what was there before.
    private mutating func announceMissed(
        _ page: [FeedNotification],
        in store: NotificationStore,
        now: Milliseconds
    ) -> [Effect] {
        let known = newest[store.id]
        newest[store.id] = max(known ?? .init(.min), page.map(\.created).max() ?? .init(.min))
        let missed = page.filter { row in
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
        return Count(call: .count(stores: stores), number: number)
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
