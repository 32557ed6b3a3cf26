package import Basics
import ClientKit

/// The requests for pages, counts and single rows.
extension FeedState {
    /// One request for a page of the list.
    package struct Load: Sendable, Equatable {
        package enum Kind: Sendable, Hashable { case first, next, again }

        package var kind: Kind
        package var store: NotificationStore
        package var call: FeedCall
        /// The wanted number of new rows.
        var pageSize: Int
        var number: UInt64
        var generation: Int
        var listRevision: Int
    }

    /// The effect of a response.
    package enum LoadOutcome: Sendable, Equatable {
        case applied
        /// The list was replaced meanwhile: request the next page from its new end.
        case outdated
        /// The active store changed meanwhile.
        case otherStore
        /// The answer was too long: request a shorter page, ``beginAgain(_:)``.
        case tooLong
    }

    /// One request for the counts.
    package struct Count: Sendable, Equatable {
        package var call: FeedCall
        var number: UInt64
    }

    /// Begins the first page, or the next one if the first is loaded. Nil: there is no further page.
    ///
    /// - Parameter size: The number of rows; nil: the feed's page size.
    package mutating func beginFetch(size: Int? = nil) throws(SuprSendError) -> Load? {
        try checkIdle()
        guard hasFirstPage else {
            status = .loading
            return load(.first, size: size)
        }
        return rows.hasMore ? try beginNextPage(size: size) : nil
    }

    /// Begins the next page.
    ///
    /// - Parameter size: The number of rows; nil: the feed's page size.
    package mutating func beginNextPage(size: Int? = nil) throws(SuprSendError) -> Load {
        try checkIdle()
        guard hasFirstPage else { throw SuprSendError(.invalidState, "No page is loaded yet; fetch the first one.") }
        guard rows.hasMore else {
            throw SuprSendError(.invalidState, "The list is loaded completely; call refresh() to load it again.")
        }
        guard rows.count < rows.maximum else {
            throw SuprSendError(
                .invalidState,
                "The feed has its maximum of \(rows.maximum) rows; increase maximumRows for more."
            )
        }
        status = .fetchingMore
        return load(.next, size: size)
    }

    /// Begins the next page of a list that is shorter than a page, because the link is slow; nil: it is not, or
    /// something else loads it.
    package mutating func beginRest() -> Load? {
        guard pageLimit.isSlow, rows.count < pageSize else { return nil }
        return try? beginNextPage(size: pageSize - rows.count)
    }

    /// Begins to load the present number of rows again from the top. `isQuiet`: the status does not show it.
    package mutating func beginRefresh(isQuiet: Bool = false) -> Load {
        if !hasFirstPage {
            status = .loading
            return load(.first)
        }
        if !isQuiet { status = .fetchingMore }
        return load(.again)
    }

    /// Activates another store: its rows are unknown, the counts stay. Nil: it is already active.
    package mutating func changeStore(_ id: String) throws(SuprSendError) -> Load? {
        guard let store = (stores ?? [.default]).first(where: { $0.id == id }) else {
            throw SuprSendError(.invalidArgument, "The feed has no store with the id \"\(id)\".")
        }
        guard store != rows.store else { return nil }
        generation += 1
        rows.reset(to: store)
        hasFirstPage = false
        isRestored = false
        status = .loading
        return load(.first)
    }

    private mutating func checkIdle() throws(SuprSendError) {
        if status == .loading || status == .fetchingMore {
            throw SuprSendError(
                .invalidState,
                "The feed is already loading; repeat the call after the present one returns."
            )
        }
    }

    /// Begins a load again whose answer was too long, with fewer rows.
    package mutating func beginAgain(_ load: Load) -> Load { self.load(load.kind, size: load.pageSize) }

    private func nextPage(_ size: Int) -> (size: Int, after: PageCursor?) {
        rows.nextPage(size: size, limit: pageLimit.rows)
    }

    private mutating func load(_ kind: Load.Kind, size: Int? = nil) -> Load {
        // A list that is loaded again with fewer rows is the same one.
        if size == nil, kind != .next { pageLimit.startOver() }
        let size = size ?? pageSize
        let number = nextNumber()
        rowRequests.insert(number)
        let page: (size: Int, after: PageCursor?) =
            switch kind {
            // The first page does not depend on rows from events.
            case .first: (min(size, pageLimit.rows), nil)
            case .again: (min(max(rows.count, size), pageLimit.rows), nil)
            case .next: nextPage(size)
            }
        return Load(
            kind: kind,
            store: rows.store,
            call: .list(pageSize: page.size, store: rows.store, after: page.after),
            pageSize: size,
            number: number,
            generation: generation,
            listRevision: rows.listRevision
        )
    }

    /// The response to a request for a page, or its failure.
    package mutating func finish(
        _ load: Load,
        _ answer: Result<NotificationPage, SuprSendError>,
        now: Timestamp
    ) -> (outcome: LoadOutcome, effects: [Effect]) {
        defer {
            rowRequests.remove(load.number)
            prune()
        }
        guard load.generation == generation else { return (.otherStore, []) }
        guard case .list(let size, _, let after) = load.call else { return (.applied, [.updated]) }
        var page: NotificationPage
        switch answer {
        case .success(let success): page = success
        case .failure(let error):
            if pageLimit.shorten(size, after: error) { return (.tooLong, []) }
            if status == .loading || status == .fetchingMore { status = .error }
            return (.applied, [.updated])
        }
        status = .success
        page.cut(to: size)
        switch load.kind {
        case .next:
            guard load.listRevision == rows.listRevision else { return (.outdated, [.updated]) }
            // A second request for the same page: already loaded.
            guard nextPage(load.pageSize) == (size, after) else { return (.applied, [.updated]) }
            let isFull = page.rows.count + page.dropped.count >= size
            rows.append(page, isFull: isFull, requestNumber: load.number, now: now)
            return (.applied, [.updated])
        case .first, .again:
            guard load.number > lastReplaced else { return (.applied, [.updated]) }
            lastReplaced = load.number
            rows.replace(with: page, requestNumber: load.number, keepingAll: !hasFirstPage && !isRestored, now: now)
            hasFirstPage = true
            if let stale = staleSince, stale < load.number { phase = .scanning }
            return (.applied, announceMissed(in: page, of: load.store, now: now) + [.updated])
        }
    }

    // MARK: Counts

    /// Begins a count.
    package mutating func beginCount() -> Count {
        let number = nextNumber()
        counts.begin(number)
        return Count(call: .count(stores: countedStores), number: number)
    }

    /// The response to a count; nil: it failed, and is repeated with the list, which has a backoff.
    package mutating func finish(_ count: Count, _ answer: NotificationCounts?, now: Timestamp) -> [Effect] {
        let isShown = counts.finish(count.number, answer, at: nextNumber(), now: now)
        guard answer != nil else {
            becomeStale()
            return []
        }
        return isShown ? [.updated] : []
    }

    // MARK: One row

    /// Begins a request for one row by the app.
    package mutating func beginRow() -> UInt64 {
        let number = nextNumber()
        rowRequests.insert(number)
        return number
    }

    /// The response to the request of a row; nil: it failed.
    package mutating func finishRow(_ number: UInt64, _ row: FeedNotification?, now: Timestamp) -> [Effect] {
        defer {
            rowRequests.remove(number)
            prune()
        }
        guard let row else { return [] }
        rows.update(row, requestNumber: number, now: now)
        return [.updated]
    }
}
