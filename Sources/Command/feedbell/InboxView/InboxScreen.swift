import AgentInterface
import InboxPresentation
import Translation

/// The screen of `feedbell inbox`: keys and the agent's replies in, requests out. It draws itself as lines
/// (``lines(_:)``).
struct InboxScreen: Equatable {
    private(set) var columns: Int
    private(set) var rows: Int
    var mode = Mode.list
    var place: Place
    private(set) var accounts: [AccountState] = []
    /// As the agent lists them.
    var loaded: [NotificationRecord] = []
    /// As they are shown: with what waits to be sent.
    private(set) var notifications: [NotificationRecord] = []
    /// The ids of notifications that are not shown, because an action removes them.
    var hidden: Set<String> = []
    /// The ids of hidden notifications whose request has ended.
    var endedRows: Set<String> = []
    /// The names of accounts whose notifications are shown as read, because an action marks all.
    var readAccounts: Set<String> = []
    /// The names of such accounts whose request has ended.
    var endedAccounts: Set<String> = []
    /// The user's last actions that the agent can take back, the oldest first.
    var undoable: [UndoableAction] = []
    /// Whether the last line before this key has asked to press it again.
    var isReadAllConfirmed = false
    /// The replies for the action that the agent takes back now, or took back last.
    var undoReport = UndoReport()
    /// The id of the notification that is selected whenever it is listed, until the user does something; nil: none.
    var wanted: String?
    /// The ids of the notifications that are marked, to act on several at once.
    var marked: Set<String> = []
    /// The categories of the notifications that were listed.
    private(set) var categories: Set<String> = []
    private(set) var pause = Pause()
    private(set) var keys = InboxKeys()
    /// Why nothing is known about the inbox; nil: it is loaded.
    private(set) var notLoaded: String?
    private var isLoadingSoon = false
    /// Milliseconds since the Unix epoch.
    private(set) var now: Int64 = 0
    /// The id of the selected notification; it stays selected when others come and go.
    var selected: String?
    /// The index of the first notification on the screen.
    var top = 0
    /// The notice in the last line instead of the hints; nil: none.
    var notice: Notice? = .loading
    private(set) var isAgentSilent = false
    /// The id of the notification that the list selects when it is shown again; nil: the selected one.
    var selectedAfterwards: String?
    /// The rest of a key's function, once more notifications are listed; nil: none.
    var afterGrowth: Growth?
    private(set) var isLoaded = false
    /// The number of requests for a next page that have not ended.
    var pagesUnderWay = 0
    var seenWatch = SeenWatch()
    var countdownTimer = CountdownTimer()
    /// The names of the accounts whose inbox was shown.
    var openedAccounts: Set<String> = []

    /// Whether only the table of preferences is shown: leaving it ends the program.
    let isForPreferences: Bool

    /// Whether the text of the notification to begin with is shown as soon as it is listed.
    private var isTextDue: Bool

    /// - Parameters:
    ///   - account: The account to show; nil: all.
    ///   - shown: The notification to begin with; nil: there is none.
    init(account: String? = nil, shown: String? = nil, columns: Int, rows: Int, isForPreferences: Bool = false) {
        place = Place(account: account, id: shown)
        isTextDue = shown != nil
        self.isForPreferences = isForPreferences
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    /// The accounts that the user looks at: one, or all.
    var chosenAccounts: [AccountState] {
        place.account.map { name in accounts.filter { $0.name == name } } ?? accounts
    }

    /// The accounts whose notifications are listed: the chosen ones that have the tab.
    var listedAccounts: [AccountState] {
        chosenAccounts.filter { place.tab.isEmpty || $0.tabs.contains { $0.id == place.tab } }
    }

    /// The tabs of the chosen accounts, with the whole inbox first. Those with the same id are one.
    var tabs: [AccountState.Tab] {
        let counted = chosenAccounts.filter { !readAccounts.contains($0.name) }
        let names = Set(counted.map(\.name))
        let removed = loaded.count { hidden.contains($0.id) && $0.read == 0 && names.contains($0.account) }
        let unread = max(0, counted.reduce(0) { $0 + $1.unread } - removed)
        let others = chosenAccounts.flatMap { account in
            account.tabs.map { tab in
                AccountState.Tab(id: tab.id, label: tab.label, unread: names.contains(account.name) ? tab.unread : 0)
            }
        }
        return [AccountState.Tab(id: "", label: translated("Inbox"), unread: unread)] + others.summed
    }

    var selectedIndex: Int? { selected.flatMap { id in notifications.firstIndex { $0.id == id } } }

    var selection: NotificationRecord? { selectedIndex.map { notifications[$0] } }

    /// The lines between the heading and the last lines.
    var bodyRows: Int { max(0, rows - (hasDetailLine ? 3 : 2)) }

    /// Whether a line above the last one shows what the selected notification offers to open.
    var hasDetailLine: Bool {
        switch mode {
        case .list, .search, .snooze, .preferences: rows >= 8
        case .text, .help: false
        }
    }

    /// - Parameter now: Milliseconds since the Unix epoch; nil: the time of the last contents.
    mutating func receive(_ event: Event, now: Int64? = nil) -> [Effect] {
        if let now { self.now = now }
        let effects = handle(event)
        selectAfterwards()
        selectWanted()
        return effects + effectsOfTime()
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(.control("z")):
            seenWatch.interrupt()
            return [.suspend]
        case .key(.control("c")), .ended: return [.quit]
        case .key(let key): return press(key)
        case .mouse(let mouse): return receive(mouse)
        case .pasted(let text):
            paste(text)
            return []
        case .resized(let columns, let rows):
            (self.columns, self.rows) = (max(1, columns), max(1, rows))
            scrollToSelection()
            return []
        case .loaded(let contents):
            load(contents)
            if isForPreferences, mode == .list { return showPreferences() }
            if isTextDue, isLoaded {
                isTextDue = false
                return showText()
            }
            // The time until the next attempt passes.
            guard notLoaded != nil, !isLoadingSoon else { return [] }
            isLoadingSoon = true
            return [.loadSoon]
        case .waited:
            isLoadingSoon = false
            return notLoaded == nil ? [] : [.load(place)]
        case .timeZoneChanged: return []
        case .watched: return secondPassed()
        case .countdownPassed(let number): return countdownPassed(number)
        case .changed(let changes): return changed(changes)
        case .preferencesLoaded(let account, let categories, let failure):
            preferencesLoaded(account, categories, failure)
            return []
        case .tookBack(let result):
            tookBack(result)
            return []
        case .finished(.undo, let account, let reason?):
            undoFailed(of: account, reason)
            return []
        case .finished(.inbox(let call), _, _) where call.isSilent: return []
        case .finished(let request, let account, let failure):
            if case .more = request {
                pagesUnderWay = max(0, pagesUnderWay - 1)
                if failure != nil { afterGrowth = nil }
            }
            ended(request, of: account, hasFailed: failure != nil)
            if failure != nil || notice?.isAnswered == true { notice = failure.map(Notice.failed) }
            if case .setPreference = request { return reloadPreferences() }
            return failure == nil ? [load(after: request, of: account)] : []
        case .unavailable(let reason):
            notice = .unavailable(reason)
            return []
        case .agentSilent, .agentAnswered:
            isAgentSilent = event == .agentSilent
            return []
        }
    }

    // MARK: Contents

    private mutating func load(_ contents: Contents) {
        // A reply for a place that the user has left.
        guard contents.place == place else { return }
        let wasOnline = isOnline
        (accounts, now) = (contents.accounts, contents.now)
        if let notifications = contents.notifications {
            (loaded, notLoaded, isLoaded) = (notifications, contents.notLoaded, true)
        }
        (pause, keys) = (contents.pause, contents.keys)
        categories.formUnion(loaded.lazy.map(\.category).filter { !$0.isEmpty })
        dropEnded()
        if notice?.isOver(isOnline: isOnline, wasOnline: wasOnline) == true { notice = nil }
        showPending()
        if contents.notifications != nil { finishGrowth() }
    }

    /// Shows the loaded notifications with what waits to be sent.
    mutating func showPending() {
        let (before, index) = (notifications, selectedIndex)
        notifications = hidden.isEmpty ? loaded : loaded.filter { !hidden.contains($0.id) }
        if !readAccounts.isEmpty {
            for index in notifications.indices
            where notifications[index].read == 0 && readAccounts.contains(notifications[index].account) {
                notifications[index].read = now
            }
        }
        if !marked.isEmpty { marked.formIntersection(notifications.map(\.id)) }
        if selectedIndex == nil {
            // The one that has taken its place.
            switch mode {
            case .text, .snooze: mode = .list
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

    mutating func show(_ place: Place) -> [Effect] {
        self.place = place
        (loaded, notifications, selected, top, mode, notice, isLoaded) = ([], [], nil, 0, .list, .loading, false)
        marked = []
        (notLoaded, selectedAfterwards, wanted) = (nil, nil, nil)
        pagesUnderWay = 0
        return [.load(place)]
    }

    /// Makes a request of each of these accounts.
    static func perform(_ request: Request, for accounts: [AccountState]) -> [Effect] {
        accounts.map { .perform(request, account: $0.name) }
    }
}
