package import AgentInterface
import InboxPresentation

/// The notifications of a place, loaded in pages of each account: replies in, requests out.
///
/// What changes is requested again by its id, with the options of the place: the reply says whether it still belongs
/// there. So every tab and filter is the agent's.
package struct NotificationLists: Equatable, Sendable {
    /// The list of one account.
    struct List: Equatable, Sendable {
        /// In the order of ``NotificationOrder``.
        var ids: [String] = []
        var isLoaded = false
        var hasAll = false
        /// The request for a page that has no reply yet.
        var isLoading = false
        /// Whether its pages come so late that others do not wait for them.
        var isSlow = false
        /// Why nothing could be listed, in a sentence.
        var failure: String?
        /// Why some may be missing, in a sentence; empty: none are.
        var problem = ""
        /// Changed notifications that were not requested again yet.
        var invalid: Set<String> = []
        var isRefreshing = false

        /// Whether there is a further page that is not requested yet.
        var hasNextPage: Bool { isLoaded && !hasAll && !isLoading }
    }

    /// The limit of ids in one request.
    private static let idLimit = 200
    /// The limit of notifications that are loaded at once again.
    private static let reloadLimit = 500

    private(set) var place = Place()
    private(set) var accounts: [String] = []
    private(set) var lists: [String: List] = [:]
    private var notifications: [RowID: NotificationRecord] = [:]
    /// Rows whose removal is not sent yet.
    private(set) var hidden: Set<RowID> = []
    private(set) var rows: [RowID] = []
    /// Another number whenever ``rows`` may have changed.
    package private(set) var revision = 0
    private var generation = 0
    private var isOutdated = false

    package subscript(row: RowID) -> NotificationRecord? { notifications[row] }

    /// Whether a list has no reply yet.
    package var isLoading: Bool { accounts.contains { lists[$0]?.isLoaded != true && lists[$0]?.failure == nil } }

    /// Whether all notifications of the place are listed.
    var hasAll: Bool { accounts.allSatisfy { lists[$0]?.hasAll == true } }

    /// Whether there are further pages that are not requested yet.
    package var canLoadMore: Bool { lists.values.contains(where: \.hasNextPage) }

    // MARK: Requests

    /// Lists the place of these accounts. Accounts that are listed already stay.
    mutating func show(_ place: Place, of accounts: [String]) -> [ListRequest] {
        if place != self.place {
            generation += 1
            (lists, notifications, hidden) = ([:], [:], [])
            self.place = place
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
            return request(account, place.search.isEmpty ? .page(offset: 0) : .all)
        }
    }

    /// Lists everything again that has been listed, as after a restart of the agent.
    mutating func reloadAll() -> [ListRequest] {
        accounts.flatMap { account in
            guard let list = lists[account], !list.isLoading else { return [ListRequest]() }
            lists[account]?.isRefreshing = false
            return reload(account)
        }
    }

    mutating func reload(_ account: String) -> [ListRequest] {
        guard let list = lists[account] else { return [] }
        lists[account]?.isLoading = true
        let count = min(max(list.ids.count, ListRequest.pageSize), Self.reloadLimit)
        return [request(account, place.search.isEmpty ? .first(count) : .all)]
    }

    /// Whether some of an account's notifications could not be loaded.
    func isIncomplete(_ account: String) -> Bool {
        lists[account].map { $0.failure != nil || !$0.problem.isEmpty } ?? false
    }

    /// Requests again what could not be loaded.
    mutating func loadMissing() -> [ListRequest] {
        accounts.flatMap { account -> [ListRequest] in
            guard let list = lists[account], isIncomplete(account), !list.isLoading else { return [] }
            if list.failure != nil || list.ids.isEmpty || !place.search.isEmpty { return reload(account) }
            return [nextPage(of: account)]
        }
    }

    /// The next page of each account that has more.
    mutating func nextPages() -> [ListRequest] {
        accounts.filter { lists[$0]?.hasNextPage == true }.map { nextPage(of: $0) }
    }

    private mutating func nextPage(of account: String) -> ListRequest {
        lists[account]?.isLoading = true
        return request(account, .page(offset: lists[account]?.ids.count ?? 0))
    }

    /// The reply to a request is late: from now on, other accounts do not wait for pages of this one.
    mutating func isLate(_ late: ListRequest) {
        guard let list = lists[late.account], list.isLoading, late.generation == generation,
            late.part == .page(offset: list.ids.count)
        else { return }
        lists[late.account]?.isSlow = true
        isOutdated = true
    }

    /// The next page of each slow account that may have others between the rows that are shown.
    mutating func catchUps() -> [ListRequest] {
        guard let end = rows.last.flatMap({ notifications[$0]?.created }) else { return [] }
        return accounts.filter { account in
            guard let list = lists[account], list.isSlow, list.hasNextPage else { return false }
            return oldest(of: account).map { $0 > end } ?? false
        }
        .map { nextPage(of: $0) }
    }

    /// These notifications have changed.
    mutating func invalidate(_ ids: [String], of account: String) {
        lists[account]?.invalid.formUnion(ids)
    }

    /// Requests for the changed notifications, one at a time for each account.
    mutating func refreshes() -> [ListRequest] {
        accounts.compactMap { account in
            guard let list = lists[account], list.isLoaded, !list.isRefreshing, !list.invalid.isEmpty else {
                return nil
            }
            let ids = Array(list.invalid.prefix(Self.idLimit))
            lists[account]?.invalid.subtract(ids)
            lists[account]?.isRefreshing = true
            return request(account, .these(ids))
        }
    }

    private func request(_ account: String, _ part: ListRequest.Part) -> ListRequest {
        ListRequest(account: account, place: place, part: part, generation: generation)
    }

    // MARK: Replies

    /// Replies for another place, and late ones, are ignored.
    mutating func receive(_ request: ListRequest, _ reply: ListReply) {
        let account = request.account
        guard request.generation == generation, request.place == place, var list = lists[account] else { return }
        // Often only the contents of some have changed, in a list of thousands.
        var isMoved = true
        switch (reply, request.part) {
        case (.notifications(let new, _), .these(let ids)):
            list.isRefreshing = false
            isMoved = replace(ids, by: new, of: account, in: &list, isPage: false)
        case (.failed, .these):
            // The next change requests them again.
            list.isRefreshing = false
        case (.notifications(let new, let problem), _):
            if case .page(let offset) = request.part, offset > 0 {
                _ = replace(new.map(\.id), by: new, of: account, in: &list, isPage: true)
            } else {
                for id in list.ids { notifications[RowID(account: account, id: id)] = nil }
                list.ids = new.map(\.id)
                for notification in new { notifications[RowID(account: account, id: notification.id)] = notification }
            }
            (list.isLoaded, list.isLoading, list.failure, list.problem) = (true, false, nil, problem)
            list.hasAll = request.limit.map { new.count < $0 } ?? true
        case (.noTab, _):
            (list.ids, list.isLoaded, list.hasAll, list.isLoading) = ([], true, true, false)
            list.isRefreshing = false
        case (.failed(let reason), .page(let offset)) where offset > 0:
            (list.isLoading, list.problem, list.hasAll) = (false, reason, true)
        case (.failed(let reason), _):
            (list.isLoading, list.failure) = (false, reason)
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
        let moving = Set(ids).subtracting(staying)
        let known = moving.filter { notifications[RowID(account: account, id: $0)] != nil }
        if !known.isEmpty { list.ids.removeAll { known.contains($0) } }
        var isMoved = !known.isEmpty
        for id in moving { notifications[RowID(account: account, id: id)] = nil }
        for notification in new {
            if !staying.contains(notification.id) {
                let index = index(for: notification, of: account, in: list)
                // Below the last page, it comes with the next one.
                if index == list.ids.count, !isPage, !list.hasAll, !known.contains(notification.id) { continue }
                list.ids.insert(notification.id, at: index)
                isMoved = true
            }
            notifications[RowID(account: account, id: notification.id)] = notification
        }
        return isMoved
    }

    private func index(for notification: NotificationRecord, of account: String, in list: List) -> Int {
        func isAbove(_ id: String) -> Bool {
            notifications[RowID(account: account, id: id)].map { notification.comesBefore($0) } ?? false
        }
        if let last = list.ids.last, !isAbove(last) { return list.ids.count }
        return list.ids.firstIndex(where: isAbove) ?? list.ids.count
    }

    // MARK: Rows

    /// Changes notifications before the agent reports it. One that is pinned moves when it is read.
    mutating func change(_ rows: [RowID], _ body: (inout NotificationRecord) -> Void) {
        for row in rows {
            guard let before = notifications[row], var list = lists[row.account] else { continue }
            var notification = before
            body(&notification)
            notifications[row] = notification
            guard !notification.hasPlace(of: before) else { continue }
            list.ids.removeAll { $0 == row.id }
            list.ids.insert(row.id, at: index(for: notification, of: row.account, in: list))
            lists[row.account] = list
            isOutdated = true
        }
    }

    /// Hides rows, or shows them again.
    mutating func set(_ rows: [RowID], hidden isHidden: Bool) {
        let before = hidden
        if isHidden { hidden.formUnion(rows) } else { hidden.subtract(rows) }
        if hidden != before { isOutdated = true }
    }

    /// Whether ``rows`` may change with ``update()``.
    var mustUpdate: Bool { isOutdated }

    /// Brings ``rows`` up to date.
    ///
    /// - Returns: Whether they may have changed.
    mutating func update() -> Bool {
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

    /// When the last one of an account's list was created; nil: it has none.
    private func oldest(of account: String) -> Int64? {
        lists[account]?.ids.last.flatMap { notifications[RowID(account: account, id: $0)]?.created }
    }
}

extension ListRequest {
    /// The number of notifications that fill the reply; nil: it has all.
    fileprivate var limit: Int? {
        switch part {
        case .page: Self.pageSize
        case .first(let count): count
        case .all, .these: nil
        }
    }
}
