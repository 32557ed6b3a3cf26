/// The notifications that a query lists, loaded in pages of each account: replies in, requests out.
///
/// What changes is requested again by its id, with the options of the query: the reply says whether it still belongs
/// to the list. So every tab and filter is the agent's.
package struct NotificationLists: Equatable, Sendable {
    /// The list of one account.
    package struct List: Equatable, Sendable {
        /// In the order of ``NotificationOrder``.
        var ids: [String] = []
        /// The last ones of them, if they have moved below the last page: the agent may list others above them.
        var strays: Set<String> = []
        package internal(set) var isLoaded = false
        var hasAll = false
        /// The request for a page that has no reply yet.
        var isLoading = false
        /// Whether the last page did not continue the list, because rows of it were removed meanwhile.
        var hasGap = false
        /// Whether its pages come so late that others do not wait for them.
        var isSlow = false
        /// Why nothing could be listed, in a sentence.
        package internal(set) var failure: String?
        /// Why some may be missing, in a sentence; empty: none are.
        package internal(set) var problem = ""
        /// Changed notifications that were not requested again yet.
        var invalid: Set<String> = []
        var isRefreshing = false
        /// Hidden rows that are shown again with the reply to the request for them.
        var returning: Set<String> = []

        /// The number of those that are listed without a gap: where the next page begins.
        var pageEnd: Int { ids.count - strays.count }

        /// Whether a page begins with one that is listed without a gap.
        func isContinued(by page: [NotificationRecord]) -> Bool {
            page.first.map { ids.prefix(pageEnd).contains($0.id) } ?? false
        }

        /// Whether less than a page is listed, and there may be more.
        var isFilling: Bool { isLoaded && !hasAll && ids.count < ListRequest.pageSize }

        /// Whether nothing is listed yet that could be.
        var isPending: Bool { isLoaded ? ids.isEmpty && !hasAll : failure == nil }

        /// Whether there is a further page that is not requested yet.
        var hasNextPage: Bool { isLoaded && !hasAll && !isLoading }
    }

    /// The limit of ids in one request.
    private static let idLimit = 200
    /// More than this number are listed again as all that the agent has loaded.
    private static let reloadLimit = 500

    package private(set) var query = InboxQuery()
    package private(set) var accounts: [String] = []
    package private(set) var lists: [String: List] = [:]
    private var notifications: [RowID: NotificationRecord] = [:]
    /// Rows that an action removes, until the agent lists them without it.
    package private(set) var hidden: Set<RowID> = []
    /// The hidden rows whose request has ended.
    private var returning: Set<RowID> = []
    package private(set) var rows: [RowID] = []
    /// Another number whenever ``rows`` may have changed.
    package private(set) var revision = 0
    private var generation = 0
    private var isOutdated = false

    package init() {}

    package subscript(row: RowID) -> NotificationRecord? { notifications[row] }

    /// Whether an account's first notifications are not listed yet.
    package var isLoading: Bool { accounts.contains { lists[$0]?.isPending ?? true } }

    /// Whether less than a page is listed of an account that may have more.
    package var isFilling: Bool { accounts.contains { lists[$0]?.isFilling == true } }

    /// Whether changed notifications are requested that have no reply yet.
    package var isRefreshing: Bool { accounts.contains { lists[$0]?.isRefreshing == true } }

    /// Whether a page is requested that has no reply yet.
    package var isLoadingPage: Bool { accounts.contains { lists[$0]?.isLoading == true } }

    /// Whether all notifications of the query are listed.
    package var hasAll: Bool { accounts.allSatisfy { lists[$0]?.hasAll == true } }

    /// Whether there are further pages that are not requested yet.
    package var canLoadMore: Bool { lists.values.contains(where: \.hasNextPage) }

    // MARK: Requests

    /// Lists the notifications of these accounts. Accounts that are listed already stay.
    package mutating func show(_ query: InboxQuery, of accounts: [String]) -> [ListRequest] {
        if query != self.query {
            generation += 1
            (lists, notifications, hidden, returning) = ([:], [:], [], [])
            self.query = query
            isOutdated = true
        }
        if accounts != self.accounts {
            self.accounts = accounts
            for name in lists.keys where !accounts.contains(name) { lists[name] = nil }
            notifications = notifications.filter { accounts.contains($0.key.account) }
            isOutdated = true
        }
        let new = accounts.filter { lists[$0] == nil }
        return new.map { account in
            lists[account] = List(isLoading: true)
            return request(account, query.isListedAtOnce ? .all : .start)
        }
    }

    /// Lists everything again that has been listed, as after a restart of the agent.
    package mutating func reloadAll() -> [ListRequest] {
        accounts.flatMap { account in
            guard let list = lists[account], !list.isLoading else { return [ListRequest]() }
            lists[account]?.isRefreshing = false
            return reload(account)
        }
    }

    /// Lists again what has been listed of an account.
    package mutating func reload(_ account: String) -> [ListRequest] {
        guard let list = lists[account] else { return [] }
        lists[account]?.isLoading = true
        lists[account]?.hasGap = false
        if query.isListedAtOnce { return [request(account, .all)] }
        // All that the agent has loaded costs it less than as many with a limit.
        let isLong = list.ids.count > Self.reloadLimit
        return [request(account, isLong ? .loaded(limit: nil) : .first(max(list.ids.count, ListRequest.pageSize)))]
    }

    /// Whether some of an account's notifications could not be loaded.
    package func isIncomplete(_ account: String) -> Bool {
        lists[account].map { $0.failure != nil || !$0.problem.isEmpty } ?? false
    }

    /// Requests again what could not be loaded.
    package mutating func loadMissing() -> [ListRequest] {
        accounts.flatMap { account -> [ListRequest] in
            guard let list = lists[account], isIncomplete(account), !list.isLoading else { return [] }
            if list.failure != nil || list.ids.isEmpty || query.isListedAtOnce { return reload(account) }
            return [nextPage(of: account)]
        }
    }

    /// The next page of each account that has more.
    package mutating func nextPages() -> [ListRequest] {
        accounts.filter { lists[$0]?.hasNextPage == true }.map { nextPage(of: $0) }
    }

    /// All that the agent has loaded, of each account that has more than are listed.
    package mutating func loadedRests() -> [ListRequest] {
        accounts.filter { lists[$0]?.hasNextPage == true }.map { account in
            lists[account]?.isLoading = true
            return request(account, .loaded(limit: nil))
        }
    }

    private mutating func nextPage(of account: String) -> ListRequest {
        lists[account]?.isLoading = true
        return request(account, .page(offset: lists[account]?.pageEnd ?? 0))
    }

    /// The reply to a request is late: from now on, other accounts do not wait for pages of this one.
    package mutating func isLate(_ late: ListRequest) {
        guard let list = lists[late.account], list.isLoading, late.generation == generation,
            late.part == .page(offset: list.pageEnd)
        else { return }
        lists[late.account]?.isSlow = true
        isOutdated = true
    }

    /// The next page of each account of which less than a page is listed, and of each slow one that may have others
    /// between the rows that are shown; and what is listed again, because the last page did not continue it.
    package mutating func catchUps() -> [ListRequest] {
        let end = rows.last.flatMap { notifications[$0]?.created }
        return accounts.flatMap { account -> [ListRequest] in
            guard let list = lists[account], list.hasNextPage, list.failure == nil else { return [] }
            if list.hasGap { return reload(account) }
            if list.isFilling { return [nextPage(of: account)] }
            guard list.isSlow, let end, let oldest = oldest(of: account), oldest > end else { return [] }
            return [nextPage(of: account)]
        }
    }

    /// These notifications have changed.
    package mutating func invalidate(_ ids: [String], of account: String) {
        lists[account]?.invalid.formUnion(query.id.map { id in ids.filter { $0 == id } } ?? ids)
    }

    /// Requests for the changed notifications, one at a time for each account.
    package mutating func refreshes() -> [ListRequest] {
        accounts.compactMap { account in
            guard let list = lists[account], list.isLoaded, !list.isRefreshing, !list.invalid.isEmpty else {
                return nil
            }
            let ids = Array(list.invalid.prefix(Self.idLimit))
            lists[account]?.invalid.subtract(ids)
            lists[account]?.isRefreshing = true
            let returning = ids.filter { self.returning.remove(RowID(account: account, id: $0)) != nil }
            lists[account]?.returning = Set(returning)
            return request(account, .these(ids))
        }
    }

    private func request(_ account: String, _ part: ListRequest.Part) -> ListRequest {
        ListRequest(account: account, query: query, part: part, generation: generation)
    }

    // MARK: Replies

    /// Replies for another query, and late ones, are ignored.
    package mutating func finish(_ request: ListRequest, _ reply: ListReply) {
        let account = request.account
        guard request.generation == generation, request.query == query, var list = lists[account] else { return }
        // Often only the contents of some have changed, in a list of thousands.
        var isMoved = true
        switch (reply, request.part) {
        case (.notifications(let new, _), .these(let ids)):
            list.isRefreshing = false
            isMoved = replace(ids, by: new, of: account, in: &list, isPage: false)
        case (.failed, .these):
            // The next change requests them again.
            list.isRefreshing = false
        case (.notifications(let new, _), .page(let offset)) where offset > 0 && !list.isContinued(by: new):
            (list.isLoading, list.hasGap) = (false, true)
        case (.notifications(let new, let problem), _):
            if case .page = request.part {
                _ = replace(new.map(\.id), by: new, of: account, in: &list, isPage: true)
            } else {
                for id in list.ids { notifications[RowID(account: account, id: id)] = nil }
                (list.ids, list.strays) = (new.map(\.id), [])
                for notification in new { notifications[RowID(account: account, id: notification.id)] = notification }
            }
            (list.isLoaded, list.isLoading, list.failure, list.problem) = (true, false, nil, problem)
            list.hasAll = request.limit.map { new.count < $0 } ?? true
            if list.hasAll { list.strays = [] }
        case (.noTab, _):
            (list.ids, list.strays, list.isLoaded, list.hasAll, list.isLoading) = ([], [], true, true, false)
            list.isRefreshing = false
        case (.failed(let reason), .page):
            (list.isLoading, list.problem, list.hasAll) = (false, reason, true)
        case (.failed(let reason), _):
            (list.isLoading, list.failure) = (false, reason)
        }
        if case .these = request.part, !list.returning.isEmpty {
            hidden.subtract(list.returning.lazy.map { RowID(account: account, id: $0) })
            (list.returning, isMoved) = ([], true)
        }
        lists[account] = list
        if isMoved { isOutdated = true }
    }

    /// - Returns: Whether other rows are listed, or in another order.
    private mutating func replace(
        _ ids: [String],
        by new: [NotificationRecord],
        of account: String,
        in list: inout List,
        isPage: Bool
    ) -> Bool {
        // The service decides the order of those of the same time: what need not move stays.
        let staying = Set(
            new.filter {
                notifications[RowID(account: account, id: $0.id)]?.hasPlace(of: $0) == true
            }
            .map(\.id)
        )
        .subtracting(isPage ? list.strays : [])
        let moving = Set(ids).subtracting(staying)
        let known = moving.filter { notifications[RowID(account: account, id: $0)] != nil }
        if !known.isEmpty {
            list.ids.removeAll { known.contains($0) }
            list.strays.subtract(known)
        }
        var isMoved = !known.isEmpty
        for id in moving { notifications[RowID(account: account, id: id)] = nil }
        for notification in new {
            if !staying.contains(notification.id) {
                let index = index(for: notification, of: account, in: list)
                let isBelow = index >= list.pageEnd && !isPage && !list.hasAll
                // Below the last page, it comes with the next one.
                if isBelow, !known.contains(notification.id) { continue }
                list.ids.insert(notification.id, at: index)
                if isBelow { list.strays.insert(notification.id) }
                isMoved = true
            }
            notifications[RowID(account: account, id: notification.id)] = notification
        }
        return isMoved
    }

    private func index(for notification: NotificationRecord, of account: String, in list: List) -> Int {
        func isAbove(_ id: String) -> Bool {
            notifications[RowID(account: account, id: id)].map { notification.isListedBefore($0) } ?? false
        }
        if let last = list.ids.last, !isAbove(last) { return list.ids.count }
        return list.ids.firstIndex(where: isAbove) ?? list.ids.count
    }

    // MARK: Rows

    /// Changes notifications before the agent reports it. One that is pinned moves when it is read.
    package mutating func change(_ rows: [RowID], _ body: (inout NotificationRecord) -> Void) {
        for row in rows {
            guard let before = notifications[row], var list = lists[row.account] else { continue }
            var notification = before
            body(&notification)
            notifications[row] = notification
            guard !notification.hasPlace(of: before) else { continue }
            list.ids.removeAll { $0 == row.id }
            list.strays.remove(row.id)
            let index = index(for: notification, of: row.account, in: list)
            if index >= list.pageEnd, !list.hasAll { list.strays.insert(row.id) }
            list.ids.insert(row.id, at: index)
            lists[row.account] = list
            isOutdated = true
        }
    }

    /// Hides rows that an action removes, until ``refresh(_:)`` or ``unhide(_:)``.
    package mutating func hide(_ rows: [RowID]) {
        hidden.formUnion(rows)
        returning.subtract(rows)
        isOutdated = true
    }

    /// Requests rows again. Hidden ones are shown with the reply, if they are still listed then.
    package mutating func refresh(_ rows: [RowID]) {
        for row in rows {
            if hidden.contains(row) { returning.insert(row) }
            invalidate([row.id], of: row.account)
        }
    }

    /// Shows hidden rows again at once: their action has failed, or was taken back.
    package mutating func unhide(_ rows: [RowID]) {
        hidden.subtract(rows)
        isOutdated = true
        refresh(rows)
    }

    /// Whether ``rows`` may change with ``update()``.
    package var mustUpdate: Bool { isOutdated }

    /// Brings ``rows`` up to date.
    ///
    /// - Returns: Whether they may have changed.
    package mutating func update() -> Bool {
        guard isOutdated else { return false }
        isOutdated = false
        revision += 1
        if accounts.count == 1 {
            let account = accounts[0]
            rows = (lists[account]?.ids ?? []).map { RowID(account: account, id: $0) }.filter { !hidden.contains($0) }
            return true
        }
        let parts = accounts.map { account in
            (lists[account]?.ids ?? []).compactMap { notifications[RowID(account: account, id: $0)] }
        }
        let horizon = horizon
        rows = NotificationOrder.merged(parts).lazy
            .filter { $0.created >= horizon || $0.isOnTop }
            .map { RowID($0) }
            .filter { !hidden.contains($0) }
        return true
    }

    /// Older ones are not shown yet: an account whose pages do not reach as far may have others between them.
    private var horizon: Int64 {
        guard accounts.count > 1 else { return .min }
        return accounts.compactMap { account -> Int64? in
            guard let list = lists[account], list.isLoaded, !list.hasAll, !list.isSlow else { return nil }
            return oldest(of: account)
        }.max() ?? .min
    }

    /// When the last one of an account's pages was created; nil: it has none.
    private func oldest(of account: String) -> Int64? {
        guard let list = lists[account], let last = list.ids.prefix(list.pageEnd).last else { return nil }
        return notifications[RowID(account: account, id: last)]?.created
    }
}

extension ListRequest {
    /// The number of notifications that fill the reply; nil: it has all.
    fileprivate var limit: Int? {
        switch part {
        // The service may have more than the agent has loaded: the next page says it.
        case .loaded: .min
        case .page: options.limit.map(Int.init)
        case .first(let count): count
        case .all, .these: nil
        }
    }
}
