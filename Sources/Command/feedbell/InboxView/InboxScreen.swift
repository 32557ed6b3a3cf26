import AgentInterface
import VisibleText

/// The screen of `feedbell inbox`: keys and the agent's replies in, requests out. It draws itself as lines
/// (``lines(_:)``).
struct InboxScreen: Equatable {
    private(set) var columns: Int
    private(set) var rows: Int
    var mode = Mode.list
    var inbox: InboxModel
    /// The listed ones, as they are shown.
    var notifications: [NotificationRecord] = []
    /// Hidden rows that the agent's numbers still count.
    var countedHidden: Set<RowID> = []
    /// The names of accounts whose notifications count as read, because an action marks all.
    var readAccounts: Set<String> = []
    /// The names of such accounts whose request has ended.
    var endedAccounts: Set<String> = []
    /// The last notifications that have arrived, the oldest first.
    var arrivals: [RowID] = []
    /// The user's last actions that the agent can take back, the oldest first: the requests of each, which it takes
    /// back as one step each.
    var undoable: [[InboxRequest]] = []
    /// Whether the last line before this key has asked to press it again.
    var isReadAllConfirmed = false
    /// The replies for the action that the agent takes back now, or took back last.
    var undoReport = UndoReport()
    /// The notification that is selected whenever it is listed, until the user does something; nil: none.
    var wanted: RowID?
    /// The notifications that are marked, to act on several at once.
    var marked: Set<RowID> = []
    var pause = PopupPause()
    var keys = InboxKeys()
    /// Milliseconds since the Unix epoch.
    private(set) var now: Int64 = 0
    /// The selected notification; it stays selected when others come and go.
    var selected: RowID?
    /// The index of the first notification on the screen.
    var top = 0
    /// The notice in the last line instead of the hints; nil: none.
    var notice: Notice? = .loading
    var hasAgentEnded = false
    var isAgentSilent = false
    /// The notification that the list selects when it is shown again; nil: the selected one.
    var selectedAfterwards: RowID?
    /// The rest of a key's function, once more notifications are listed; nil: none.
    var afterGrowth: Growth?

    /// Whether only the table of preferences is shown: leaving it ends the program.
    let isForPreferences: Bool

    /// Whether the text of the notification to begin with is shown as soon as it is listed.
    var isTextDue: Bool

    /// Whether the first notification is selected whenever a list comes: not all are there, and no key was pressed.
    var isTopDue = true

    /// - Parameters:
    ///   - account: The account to show; nil: all.
    ///   - shown: The notification to begin with; nil: there is none.
    init(account: String? = nil, shown: String? = nil, columns: Int, rows: Int, isForPreferences: Bool = false) {
        var query = InboxQuery(account: account)
        query.id = shown
        inbox = InboxModel(query, isListing: !isForPreferences)
        isTextDue = shown != nil
        self.isForPreferences = isForPreferences
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    var query: InboxQuery { inbox.query }
    var accounts: [AccountState] { inbox.accounts }
    var shownAccounts: [AccountState] { inbox.shownAccounts }
    var lists: NotificationLists { inbox.lists }

    /// The tabs of the chosen accounts, with the whole inbox first. Those with the same id are one.
    var tabs: [AccountState.Tab] {
        let counted = shownAccounts.filter { !readAccounts.contains($0.name) }
        let names = Set(counted.map(\.name))
        let removed = countedHidden.count { lists[$0]?.read == 0 && names.contains($0.account) }
        let unread = max(0, counted.reduce(0) { $0 + $1.unread } - removed)
        let others = shownAccounts.flatMap { account in
            account.tabs.map { tab in
                AccountState.Tab(id: tab.id, label: tab.label, unread: names.contains(account.name) ? tab.unread : 0)
            }
        }
        return [AccountState.Tab(id: "", label: translated("Inbox"), unread: unread)] + others.summed
    }

    var selectedIndex: Int? { selected.flatMap { row in notifications.firstIndex { RowID($0) == row } } }

    var selection: NotificationRecord? { selectedIndex.map { notifications[$0] } }

    /// The lines between the heading and the last lines.
    var bodyRows: Int { max(0, rows - (hasDetailLine ? 3 : 2)) }

    /// Whether a line above the last one shows what the selected notification offers to open.
    var hasDetailLine: Bool {
        switch mode {
        case .list, .search, .until, .preferences: rows >= 8
        case .text, .help: false
        }
    }

    /// - Parameter now: Milliseconds since the Unix epoch; nil: the time of the last event.
    mutating func receive(_ event: Event, now: Int64? = nil) -> [Effect] {
        if let now { self.now = now }
        let effects = handle(event) + effectsOfLists()
        selectAfterwards()
        selectWanted()
        return effects + effectsOfTime()
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(.control("z")):
            inbox.interrupt()
            return [.suspend]
        case .key(.control("c")), .ended: return [.quit]
        case .key(let key): return press(key)
        case .mouse(let mouse): return receive(mouse)
        case .pasted(let text): paste(text)
        case .resized(let columns, let rows):
            (self.columns, self.rows) = (max(1, columns), max(1, rows))
            scrollToSelection()
        case .agent(let reports): return reports.flatMap { receive($0) }
        case .listed(let request, let reply): listed(request, reply)
        case .timeZoneChanged: break
        case .watched: return inbox.secondPassed()
        case .clock(let number): inbox.clockPassed(number, now: now)
        case .preferencesLoaded(let account, let categories, let failure):
            preferencesLoaded(account, categories, failure)
        case .tookBack(let result): tookBack(result)
        case .finished(.undo, let account, let reason?): undoFailed(of: account, reason)
        case .finished(.inbox(let call), _, _) where call.isSilent: break
        case .finished(let request, let account, let failure):
            finished(request, of: account, hasFailed: failure != nil)
            if failure != nil || notice?.isAnswered == true { notice = failure.map(Notice.failed) }
            if case .setPreference = request { return reloadPreferences() }
        case .unavailable(let reason): notice = .unavailable(reason)
        case .agentSilent, .agentAnswered: isAgentSilent = event == .agentSilent
        }
        return []
    }

    mutating func show(_ query: InboxQuery) -> [Effect] {
        (selected, top, mode, notice, isTopDue) = (nil, 0, .list, .loading, true)
        (marked, countedHidden) = ([], [])
        (selectedAfterwards, wanted, afterGrowth) = (nil, nil, nil)
        return inbox.show(query).map(Effect.list)
    }

    /// Makes a request of each of these accounts.
    static func requests(_ request: Request, of accounts: [AccountState]) -> [Effect] {
        accounts.map { .send(request, account: $0.name) }
    }
}
