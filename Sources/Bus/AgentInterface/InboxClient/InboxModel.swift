/// The effects of an ``InboxModel``, which the program that shows it performs.
package protocol InboxEffect {
    static func send(_ request: InboxRequest) -> Self
    /// Call ``InboxModel/secondPassed()`` in a second.
    static var watchRows: Self { get }
    /// Call ``InboxModel/clockPassed(_:now:)`` after this time.
    static func runClock(number: Int, milliseconds: Int64) -> Self
}

/// The inbox that a program shows: what the agent reports and lists, and what is on the screen, in; effects out.
package struct InboxModel: Equatable, Sendable {
    package private(set) var query: InboxQuery
    /// All accounts, in the order of the configuration.
    package private(set) var accounts: [AccountState] = []
    package var lists = NotificationLists()
    /// The categories of the notifications that were listed, up to a number.
    package private(set) var categories: Set<String> = []
    private let isListing: Bool
    /// The rows that the user sees.
    private var rows: [RowID] = []
    /// The rows whose countdowns are on the screen.
    private var timedRows: [RowID] = []
    private var seenWatch = SeenWatch()
    private var clock = ScreenClock()
    /// The accounts whose badges have restarted, because their first lists are shown.
    private var opened: Set<String> = []

    private static let categoryLimit = 100

    /// - Parameter isListing: Whether notifications are listed, and not only accounts.
    package init(_ query: InboxQuery = InboxQuery(), isListing: Bool = true) {
        (self.query, self.isListing) = (query, isListing)
    }

    /// The accounts that the user looks at: one, or all.
    package var shownAccounts: [AccountState] {
        query.account.map { name in accounts.filter { $0.name == name } } ?? accounts
    }

    package func has(_ row: RowID, _ capability: AccountState.Capability) -> Bool {
        accounts.contains { $0.name == row.account && $0.has(capability) }
    }

    /// - Parameter link: What of the notification is opened; nil: its own link.
    package func isArchived(byOpening link: String?, of row: RowID) -> Bool {
        guard has(row, .archiveOnClick), let notification = lists[row] else { return false }
        return !notification.isArchived && NotificationLink.opens(link, of: notification)
    }

    package mutating func show(_ query: InboxQuery) -> [ListRequest] {
        self.query = query
        return lists.show(query, of: isListing ? shownAccounts.map(\.name) : [])
    }

    /// An account is listed again when its list is what the service has again.
    package mutating func accountsAre(_ new: [AccountState]) -> [ListRequest] {
        let old = Dictionary(accounts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        accounts = new
        var requests = show(query.adapted(to: new))
        for account in shownAccounts where old[account.name].map(account.isCurrentAgain(after:)) == true {
            requests += lists.reload(account.name)
        }
        return requests
    }

    /// At least one request for each account of the rows, in the order of the accounts.
    package func requests(for rows: [RowID], _ call: ([String]) -> InboxCall) -> [InboxRequest] {
        let ids = Dictionary(grouping: rows, by: \.account).mapValues { $0.map(\.id) }
        return accounts.map(\.name).flatMap { account in
            AgentInbox.portions(of: ids[account] ?? []).map { InboxRequest(account, call($0)) }
        }
    }

    /// Whether the agent can take it back if everything of accounts is marked as read: all unread notifications are
    /// listed, and they are not too many.
    package func canUndoReadAll(of accounts: [AccountState]) -> Bool {
        query.isWhole
            && accounts.allSatisfy { account in
                let listed = lists.rows.count { $0.account == account.name && lists[$0]?.read == 0 }
                return listed == account.unread && listed <= AgentInbox.maximumUnreadAgain
            }
    }

    /// Shows everything of accounts as read.
    ///
    /// - Returns: The requests for it.
    package mutating func readAll(of accounts: [AccountState], now: Int64) -> [InboxRequest] {
        let names = Set(accounts.map(\.name))
        lists.change(lists.rows.filter { names.contains($0.account) }) { if $0.read == 0 { $0.read = now } }
        return accounts.map { InboxRequest($0.name, .markAllRead) }
    }

    package mutating func listed(_ request: ListRequest, _ reply: ListReply) {
        lists.finish(request, reply)
        guard case .notifications(let notifications, _) = reply else { return }
        for category in notifications.lazy.map(\.category) where !category.isEmpty {
            if categories.count < Self.categoryLimit { categories.insert(category) }
        }
    }

    // MARK: Time

    /// Takes the rows that are on the screen after an event.
    ///
    /// - Parameters:
    ///   - rows: Those that the user sees.
    ///   - timedRows: Those whose countdowns are shown.
    ///   - changes: In how many milliseconds something else changes.
    ///   - isOpen: Whether the user looks at the inbox, so that badges restart.
    ///   - now: In milliseconds since the Unix epoch.
    package mutating func shows<Effect: InboxEffect>(
        _ rows: [RowID],
        timedRows: [RowID],
        changes: [Int64],
        isOpen: Bool = true,
        now: Int64
    ) -> [Effect] {
        (self.rows, self.timedRows) = (rows, timedRows)
        var effects: [Effect] = isOpen ? openedAccounts().map { .send(InboxRequest($0.name, .resetBadge)) } : []
        if seenWatch.update(visible: unseenRows) { effects.append(.watchRows) }
        let countdowns = timedRows.compactMap { lists[$0].flatMap { Countdown(of: $0, now: now)?.nextChange } }
        if let timer = clock.run((changes + countdowns).min(), now: now) {
            effects.append(.runClock(number: timer.number, milliseconds: timer.milliseconds))
        }
        return effects
    }

    /// The rows on the screen have been there for a second.
    package mutating func secondPassed<Effect: InboxEffect>() -> [Effect] {
        let seen = seenWatch.secondPassed(visible: unseenRows)
        return shownAccounts.compactMap { account in
            let ids = seen.filter { $0.account == account.name }.map(\.id)
            return ids.isEmpty ? nil : .send(InboxRequest(account.name, .markSeen(ids)))
        }
    }

    /// The user does not see the rows any more.
    package mutating func interrupt() { seenWatch.interrupt() }

    private var unseenRows: [RowID] {
        let names = Set(shownAccounts.filter { $0.has(.seen) }.map(\.name))
        return rows.filter { lists[$0]?.seen == 0 && !lists.hidden.contains($0) && names.contains($0.account) }
    }

    /// At the end of a countdown the notification is archived, so it is requested again.
    package mutating func clockPassed(_ number: Int, now: Int64) {
        guard clock.passed(number) else { return }
        for record in timedRows.compactMap({ lists[$0] }) where record.expires != 0 && record.expires <= now {
            if !record.isArchived { lists.invalidate([record.id], of: record.account) }
        }
    }

    /// The user opens the inbox again: badges restart.
    package mutating func open() { opened = [] }

    /// The accounts whose first lists are shown now, and whose badges are not 0.
    private mutating func openedAccounts() -> [AccountState] {
        shownAccounts.filter { account in
            // While it is not counted, its badge is unknown.
            guard lists.lists[account.name]?.isLoaded == true, account.isCounted else { return false }
            return opened.insert(account.name).inserted && account.badge > 0
        }
    }
}
