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
        try await perform(load)
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
        try await perform(load)
        return true
    }

    /// Loads the next page. Throws `invalidState` when there is none, or when the feed has its maximum number of rows.
    public func fetchNextPage() async throws(SuprSendError) {
        try checkUsable()
        try await perform(try state.beginNextPage())
    }

    /// Like ``fetchNextPage()``, with another page size than that of the feed's options.
    ///
    /// - Parameter pageSize: The number of rows, 1 to 100.
    public func fetchNextPage(pageSize: Int) async throws(SuprSendError) {
        try checkUsable()
        try FeedOptions.check(pageSize: pageSize)
        try await perform(try state.beginNextPage(size: pageSize))
    }

    /// Loads the list again from the top, with the present number of rows (at most 100), and the counts.
    public func refresh() async throws(SuprSendError) {
        try checkUsable()
        try await perform(state.beginRefresh())
    }

    /// Loads the counts.
    @discardableResult
    public func fetchCount() async throws(SuprSendError) -> FeedData.Meta {
        try checkUsable()
        let count = state.beginCount()
        let answer: Result<NotificationCounts, SuprSendError> = await service.result(of: count.call)
        apply(state.finish(count, try? answer.get(), now: now))
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
        apply(state.finishRow(number, try? answer.get(), now: now))
        return try answer.get().archivedIfExpired(at: now)
    }

    /// Activates another store of the feed: the list is empty until its first page is loaded. The counts stay. Throws
    /// `invalidArgument` for an unknown id.
    public func changeActiveStore(_ id: String) async throws(SuprSendError) {
        try checkUsable()
        guard let load = try state.changeStore(id) else { return }
        try await perform(load)
    }

    // MARK: Actions

    /// Marks a notification as seen.
    public func markAsSeen(_ id: String) async throws(SuprSendError) { try await perform(.markAsSeen(id)) }

    /// Marks several notifications as seen, with one request.
    public func markBulkAsSeen(_ ids: [String]) async throws(SuprSendError) {
        try await perform(.markBulkAsSeen(ids))
    }

    /// Marks a notification as read and seen.
    public func markAsRead(_ id: String) async throws(SuprSendError) { try await perform(.markAsRead(id)) }

    /// Marks a notification as unread.
    public func markAsUnread(_ id: String) async throws(SuprSendError) {
        try await perform(.markAsUnread(id))
    }

    /// Marks a notification as interacted (its link was opened), read and seen.
    public func markAsInteracted(_ id: String) async throws(SuprSendError) {
        try await perform(.markAsInteracted(id))
    }

    /// Archives a notification. The service cannot undo this.
    public func markAsArchived(_ id: String) async throws(SuprSendError) {
        try await perform(.markAsArchived(id))
    }

    /// Marks all notifications of the user in this tenant as read, also those not loaded.
    public func markAllAsRead() async throws(SuprSendError) { try await perform(.markAllAsRead) }

    /// Resets the badge: it counts from now on. Call it when the user opens the inbox.
    public func resetBadgeCount() async throws(SuprSendError) { try await perform(.resetBadgeCount) }

    // MARK: Implementation

    /// Sends an action after the earlier ones, and applies it when the service has performed it: for a caller that
    /// shows pending actions itself.
    package func send(_ action: FeedAction) async throws(SuprSendError) {
        try await perform(action, isShown: false)
    }

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
                return try await service.perform(FeedCall.list(pageSize: size, store: store, after: cursor))
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

    /// Applies an action here, at once if `isShown`, and sends it after the earlier ones.
    private func perform(_ action: FeedAction, isShown: Bool = true) async throws(SuprSendError) {
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
        apply(effects)
        do {
            try await waitForEarlierActions(than: number)
            try await service.perform(action.call)
        } catch {
            let effects = state.finish(number, succeeded: false, now: now)
            // The service may have performed it; its event would not show every effect, so the list is loaded again.
            if error.isOutcomeUnknown { state.becomeStale() }
            apply(effects)
            throw error
        }
        apply(state.finish(number, succeeded: true, now: now))
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
    func perform(_ load: FeedState.Load, countNeeded: Bool = false) async throws(SuprSendError) {
        apply([.updated])
        async let counted: Result<Void, SuprSendError> = load.kind == .next ? .success(()) : count()
        let result = await pages(load)
        let count = await counted
        await saveUnlessRunning()
        try result.get()
        if !countNeeded, load.kind != .next {
            for scan in state.scans(ofOthers: false) { try await perform(scan) }
        }
        if countNeeded { try count.get() }
    }

    /// Loads a store's list down to the first row that was not missed.
    func perform(_ scan: CatchUpScan) async throws(SuprSendError) {
        var scan = scan
        while case .list(let size, let store, let cursor)? = scan.call {
            let page = try await page(of: store, size: size, after: cursor)
            apply(state.proceed(&scan, page, now: now))
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
            apply(effects)
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
