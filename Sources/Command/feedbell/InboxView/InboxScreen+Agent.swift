import AgentInterface
import VisibleText

/// What the agent reports and lists, and what is shown of it.
extension InboxScreen {
    mutating func receive(_ report: AgentReport) -> [Effect] {
        switch report {
        case .running: return agentRuns()
        case .silent: isAgentSilent = true
        case .missing:
            hasAgentEnded = true
            notice = .unavailable(Failure.noAgent.sentence)
        case .root(let root):
            pause = PopupPause(root)
            keys = InboxKeys(root[AgentRoot.inboxKeys] ?? [:])
        case .accounts(let accounts): return accountsAre(accounts)
        case .arrived(let row): arrivals = arrivals.suffix(Self.arrivalLimit - 1) + [row]
        case .changed(let account, let ids):
            lists.invalidate(ids, of: account)
            countedHidden.subtract(ids.map { RowID(account: account, id: $0) })
        case .rejected(let account, let ids, let reason):
            lists.invalidate(ids, of: account)
            notice = .failed(reason)
        case .preferences(let account, let categories): preferencesLoaded(account, categories, nil)
        case .preferenceRejected(let account, _, let reason):
            guard case .preferences(let table) = mode, table.account == account else { return [] }
            notice = .failed(reason)
        case .rulesChanged: break
        }
        return []
    }

    private mutating func agentRuns() -> [Effect] {
        isAgentSilent = false
        guard hasAgentEnded else { return [] }
        // Another agent than the one that was asked before.
        hasAgentEnded = false
        return lists.reloadAll().map(Effect.list) + reloadPreferences()
    }

    private mutating func accountsAre(_ new: [AccountState]) -> [Effect] {
        let old = Dictionary(accounts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        accounts = new
        query = query.adapted(to: new)
        if new.isEmpty {
            notice = .unavailable(AgentObject.noAccount)
        } else if case .unavailable = notice {
            notice = nil
        }
        readAccounts.subtract(endedAccounts)
        endedAccounts = []
        if case .failed = notice, !old.isEmpty, isOnline, !chosenAccounts.allSatisfy({ old[$0.name]?.isOnline == true })
        {
            notice = nil
        }
        if isForPreferences {
            if notice == .loading { notice = nil }
            return mode == .list ? showPreferences() : []
        }
        var requests = list()
        for account in chosenAccounts where old[account.name].map(account.isCurrentAgain(after:)) == true {
            requests += lists.reload(account.name).map(Effect.list)
        }
        return requests
    }

    /// Lists the notifications of the chosen accounts.
    mutating func list() -> [Effect] {
        lists.show(query, of: chosenAccounts.map(\.name)).map(Effect.list)
    }

    mutating func listed(_ request: ListRequest, _ reply: ListReply) {
        lists.receive(request, reply)
        // The user waits for it.
        if case .page = request.part, afterGrowth != nil {
            switch reply {
            case .failed(let reason): notice = .failed(reason)
            case .notifications(_, let problem): if !problem.isEmpty { notice = .failed(problem) }
            case .noTab: break
            }
        }
        if case .notifications(let notifications, _) = reply {
            for category in notifications.lazy.map(\.category) where !category.isEmpty {
                if categories.count < Self.categoryLimit { categories.insert(category) }
            }
        }
    }

    /// The limit of categories among which the user chooses.
    private static let categoryLimit = 100
    /// The limit of notifications that are remembered as new.
    private static let arrivalLimit = 100

    // MARK: Effects of lists

    /// The effects that each event has besides its own.
    mutating func effectsOfLists() -> [Effect] {
        showRows()
        guard !isForPreferences else { return [] }
        var effects: [Effect] = []
        if isTextDue, selection != nil {
            isTextDue = false
            effects = showText()
        }
        if let growth = afterGrowth, !lists.isLoadingPage { effects += finish(growth) }
        if notice == .loading, isLoaded, afterGrowth == nil { notice = nil }
        var requests = lists.refreshes() + lists.catchUps()
        if let index = selectedIndex, index + bodyRows >= notifications.count { requests += lists.nextPages() }
        if isLoaded, !(lists.isFilling && lists.isLoadingPage) { isTopDue = false }
        return effects + requests.map(Effect.list)
    }

    /// Shows the listed notifications: those of the last reply, with the user's actions.
    private mutating func showRows() {
        let (before, index) = (notifications, selectedIndex)
        _ = lists.update()
        notifications = lists.rows.compactMap { lists[$0] }
        if !marked.isEmpty { marked.formIntersection(lists.rows) }
        if isTopDue, !notifications.isEmpty {
            select(0)
        } else if selectedIndex == nil {
            // The one that has taken its place.
            switch mode {
            case .text, .until: mode = .list
            case .list, .help, .search, .preferences: break
            }
            select(index ?? 0)
        } else if let index {
            keepPlace(index, in: before)
        }
        scrollToSelection()
    }

    /// Whether all chosen accounts are.
    private var isOnline: Bool { chosenAccounts.allSatisfy(\.isOnline) }

    /// Whether the first notifications are listed, if there are any.
    var isLoaded: Bool { !accounts.isEmpty && !lists.isLoading }

    /// Why nothing is listed, in a sentence; nil: something is, or will be.
    var notLoaded: String? {
        guard !lists.isLoading, let account = chosenAccounts.first(where: { lists.lists[$0.name]?.failure != nil })
        else { return nil }
        return account.isCounted ? lists.lists[account.name]?.failure : AccountText.notLoaded(account.account, now: now)
    }
}
