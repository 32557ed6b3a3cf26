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
            inbox.lists.invalidate(ids, of: account)
            countedHidden.subtract(ids.map { RowID(account: account, id: $0) })
        case .rejected(let account, let ids, let reason):
            inbox.lists.invalidate(ids, of: account)
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
        return inbox.lists.reloadAll().map(Effect.list) + reloadPreferences()
    }

    private mutating func accountsAre(_ new: [AccountState]) -> [Effect] {
        let old = Dictionary(accounts.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let requests = inbox.accountsAre(new).map(Effect.list)
        if new.isEmpty {
            notice = .unavailable(AgentObject.noAccount)
        } else if case .unavailable = notice {
            notice = nil
        }
        readAccounts.subtract(endedAccounts)
        endedAccounts = []
        if case .failed = notice, !old.isEmpty, isOnline, !shownAccounts.allSatisfy({ old[$0.name]?.isOnline == true })
        {
            notice = nil
        }
        if isForPreferences {
            if notice == .loading { notice = nil }
            return mode == .list ? showPreferences() : []
        }
        return requests
    }

    mutating func listed(_ request: ListRequest, _ reply: ListReply) {
        inbox.listed(request, reply)
        // The user waits for it.
        if case .page = request.part, afterGrowth != nil {
            switch reply {
            case .failed(let reason): notice = .failed(reason)
            case .notifications(_, let problem): if !problem.isEmpty { notice = .failed(problem) }
            case .noTab: break
            }
        }
    }

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
        var requests = inbox.lists.refreshes() + inbox.lists.catchUps()
        if let index = selectedIndex, index + bodyRows >= notifications.count { requests += inbox.lists.nextPages() }
        if isLoaded, !(lists.isFilling && lists.isLoadingPage) { isTopDue = false }
        return effects + requests.map(Effect.list)
    }

    /// Shows the listed notifications: those of the last reply, with the user's actions.
    private mutating func showRows() {
        let (before, index) = (notifications, selectedIndex)
        _ = inbox.lists.update()
        notifications = inbox.lists.rows.compactMap { inbox.lists[$0] }
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
    private var isOnline: Bool { shownAccounts.allSatisfy(\.isOnline) }

    /// Whether the first notifications are listed, if there are any.
    var isLoaded: Bool { !accounts.isEmpty && !lists.isLoading }

    /// Why nothing is listed, in a sentence; nil: something is, or will be.
    var notLoaded: String? {
        guard !lists.isLoading, let account = shownAccounts.first(where: { lists.lists[$0.name]?.failure != nil })
        else { return nil }
        return account.isCounted ? lists.lists[account.name]?.failure : AccountText.notLoaded(account.account, now: now)
    }
}
