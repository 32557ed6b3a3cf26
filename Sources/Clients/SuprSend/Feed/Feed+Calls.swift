import Basics
import ClientKit
import Logging

/// The methods for apps. Each throws ``SuprSendError``, and then leaves the feed unchanged.
extension Feed {
    // MARK: Loading

    /// Loads the first page, or the next one if the first is loaded.
    ///
    /// - Returns: Whether a page was loaded; false: the list is complete, and no request was sent.
    @discardableResult
    public func fetch() async throws(SuprSendError) -> Bool {
        try checkUsable()
        guard let load = try state.beginFetch() else { return false }
        try await loadPage(load)
        return true
    }

    /// Like ``fetch()``, with another page size than that of the feed's options.
    ///
    /// - Parameter pageSize: The number of rows, 1 to 100.
    @discardableResult
    public func fetch(pageSize: Int) async throws(SuprSendError) -> Bool {
        try checkUsable()
        try FeedOptions.check(pageSize: pageSize)
        guard let load = try state.beginFetch(size: pageSize) else { return false }
        try await loadPage(load)
        return true
    }

    /// Loads the next page. Throws `invalidState` when there is none, or when the feed has its maximum number of rows.
    public func fetchNextPage() async throws(SuprSendError) {
        try checkUsable()
        try await loadPage(try state.beginNextPage())
    }

    /// Like ``fetchNextPage()``, with another page size than that of the feed's options.
    ///
    /// - Parameter pageSize: The number of rows, 1 to 100.
    public func fetchNextPage(pageSize: Int) async throws(SuprSendError) {
        try checkUsable()
        try FeedOptions.check(pageSize: pageSize)
        try await loadPage(try state.beginNextPage(size: pageSize))
    }

    /// Loads the list again from the top, with the present number of rows (at most 100), and the counts.
    public func refresh() async throws(SuprSendError) {
        try checkUsable()
        try await loadPage(state.beginRefresh())
    }

    /// Loads the counts.
    @discardableResult
    public func fetchCount() async throws(SuprSendError) -> FeedData.Meta {
        try checkUsable()
        let count = state.beginCount()
        let answer: Result<NotificationCounts, SuprSendError> = await service.result(of: count.call)
        perform(state.finish(count, try? answer.get(), now: now))
        _ = try answer.get()
        return state.data.meta
    }

    /// Loads one notification, which need not be in the list.
    @discardableResult
    public func fetchDetails(_ id: String) async throws(SuprSendError) -> FeedNotification {
        try checkUsable()
        try Self.check(id)
        let number = state.beginRow()
        let answer: Result<FeedNotification, SuprSendError> = await service.result(of: FeedCall.details(id: id))
        perform(state.finishRow(number, try? answer.get(), now: now))
        return try answer.get().archivedIfExpired(at: now)
    }

    /// Activates another store of the feed: the list is empty until its first page is loaded. The counts stay. Throws
    /// `invalidArgument` for an unknown id.
    public func changeActiveStore(_ id: String) async throws(SuprSendError) {
        try checkUsable()
        guard let load = try state.changeStore(id) else { return }
        try await loadPage(load)
    }

    // MARK: Actions

    /// Marks a notification as seen.
    public func markAsSeen(_ id: String) async throws(SuprSendError) { try await send(.markAsSeen(id), isShown: true) }

    /// Marks several notifications as seen, with one request.
    public func markBulkAsSeen(_ ids: [String]) async throws(SuprSendError) {
        try await send(.markBulkAsSeen(ids), isShown: true)
    }

    /// Marks a notification as read and seen.
    public func markAsRead(_ id: String) async throws(SuprSendError) { try await send(.markAsRead(id), isShown: true) }

    /// Marks a notification as unread.
    public func markAsUnread(_ id: String) async throws(SuprSendError) {
        try await send(.markAsUnread(id), isShown: true)
    }

    /// Marks a notification as interacted (its link was opened), read and seen.
    public func markAsInteracted(_ id: String) async throws(SuprSendError) {
        try await send(.markAsInteracted(id), isShown: true)
    }

    /// Archives a notification. The service cannot undo this.
    public func markAsArchived(_ id: String) async throws(SuprSendError) {
        try await send(.markAsArchived(id), isShown: true)
    }

    /// Marks all notifications of the user in this tenant as read, also those not loaded.
    public func markAllAsRead() async throws(SuprSendError) { try await send(.markAllAsRead, isShown: true) }

    /// Resets the badge: it counts from now on. Call it when the user opens the inbox.
    public func resetBadgeCount() async throws(SuprSendError) { try await send(.resetBadgeCount, isShown: true) }

    // MARK: Implementation

    /// One page of a query, without a change of the list.
    package func page(
        of query: NotificationStore.Query,
        size: Int,
        after cursor: PageCursor?
    ) async throws(SuprSendError) -> NotificationPage {
        try checkUsable()
        let store = query == .init() ? .default : NotificationStore(id: "$feedbell_view", query: query)
        var page = try await page(of: store, size: size, after: cursor)
        page.rows = page.rows.map { $0.archivedIfExpired(at: now) }
        return page
    }

    /// One page of a store, with fewer rows if that many are too large for one answer.
    func page(of store: NotificationStore, size: Int, after cursor: PageCursor?) async throws(SuprSendError)
        -> NotificationPage
    {
        while true {
            let size = min(size, state.pageLimit.rows)
            do {
                return try await service.send(FeedCall.list(pageSize: size, store: store, after: cursor))
            } catch {
                guard state.pageLimit.shorten(size, after: error) else { throw error }
                logShorterPages()
            }
        }
    }

    private func logShorterPages() {
        logger.notice(
            "the answer is too long; fewer rows are requested",
            metadata: ["page_size": "\(state.pageLimit.rows)"]
        )
    }

    /// Sends an action after the earlier ones, and applies it.
    ///
    /// - Parameter isShown: Whether it is applied at once; otherwise when the service has performed it, for a caller
    ///   that shows pending actions itself.
    package func send(_ action: FeedAction, isShown: Bool = false) async throws(SuprSendError) {
        try checkUsable()
        let ids = action.ids
        for id in ids ?? [] { try Self.check(id) }
        let begun = isShown ? state.begin(action, now: now) : state.beginUnshown(action, now: now).map { ($0, []) }
        guard let (number, effects) = begun else { return }
        order.begin(number, on: ids.map(Set.init))
        defer {
            order.end(number)
            actionWaiters.wakeAll()
        }
        perform(effects)
        do {
            try await waitForEarlierActions(than: number)
            try await service.send(action.call)
        } catch {
            let effects = state.finish(number, succeeded: false, now: now)
            // The service may have performed it; its event would not show every effect, so the list is loaded again.
            if error.isOutcomeUnknown { state.becomeStale() }
            perform(effects)
            throw error
        }
        perform(state.finish(number, succeeded: true, now: now))
        await saveUnlessRunning()
    }

    private func waitForEarlierActions(than number: UInt64) async throws(SuprSendError) {
        while !order.isNext(number) {
            await actionWaiters.add().wait()
            if Task.isCancelled { throw .cancelled }
        }
    }

    private static func check(_ id: String) throws(SuprSendError) {
        try ArgumentCheck.check(id, named: "notification's id")
    }

    /// Loads a page, and with a first page the counts; merges the responses. An error of the counts is ignored unless
    /// `countNeeded`.
    func loadPage(_ load: FeedState.Load, countNeeded: Bool = false) async throws(SuprSendError) {
        perform([.updated])
        async let counted: Result<Void, SuprSendError> = load.kind == .next ? .success(()) : count()
        let result = await pages(load)
        let count = await counted
        await saveUnlessRunning()
        try result.get()
        if !countNeeded, load.kind != .next {
            for scan in state.scans(ofOthers: false) { try await loadMissed(scan) }
        }
        if countNeeded { try count.get() }
    }

    /// Loads a store's list down to the first row that was not missed.
    func loadMissed(_ scan: CatchUpScan) async throws(SuprSendError) {
        var scan = scan
        while case .list(let size, let store, let cursor)? = scan.call {
            let page = try await page(of: store, size: size, after: cursor)
            perform(state.proceed(&scan, page, now: now))
        }
    }

    private func pages(_ first: FeedState.Load) async -> Result<Void, SuprSendError> {
        var load = first
        while true {
            let answer: Result<NotificationPage, SuprSendError> = await service.result(of: load.call)
            if let dropped = try? answer.get().dropped, !dropped.isEmpty {
                logger.warning("malformed rows left out", metadata: ["ids": "\(dropped)"])
            }
            let (outcome, effects) = state.finish(load, answer, now: now)
            perform(effects)
            switch outcome {
            case .applied: return answer.map { _ in }
            case .otherStore: return .failure(SuprSendError(.cancelled, "The active store changed meanwhile."))
            case .tooLong:
                logShorterPages()
                load = state.beginAgain(load)
            case .outdated:
                guard state.rows.hasMore else { return .success(()) }
                do { load = try state.beginNextPage(size: load.pageSize) } catch { return .failure(error) }
            }
        }
    }

    private func count() async -> Result<Void, SuprSendError> {
        do { return .success(_ = try await fetchCount()) } catch { return .failure(error) }
    }
}
