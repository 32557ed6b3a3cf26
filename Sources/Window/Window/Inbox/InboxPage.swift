package import AgentInterface
import VisibleText

/// The inbox page: what the user does and what the agent reports in, requests and changes out. What it shows are
/// ``rows``, ``row(_:)`` and the values of `InboxPage+Shown.swift`.
package struct InboxPage: Equatable, Sendable {
    package enum AgentStatus: Equatable, Sendable {
        /// The agent is being started, or its state is being read.
        case starting
        case running
        /// The agent runs, but does not answer.
        case silent
        /// The agent ended while the window is open.
        case ended
        /// The agent cannot be started, in a sentence.
        case unavailable(String)
        /// The agent cannot be reached as long as the window is open, in a sentence.
        case noSession(String)
    }

    package enum Event: Equatable, Sendable {
        case agent(AgentStatus)
        /// All accounts, in the order of the configuration.
        case accounts([AccountState])
        /// Notifications were added, changed or removed.
        case changed(account: String, ids: [String])
        case arrived(RowID)
        case listed(ListRequest, ListReply)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(InboxRequest, failure: String?)
        /// The service has rejected an action, and the agent has reverted it.
        case rejected(account: String, ids: [String], reason: String)
        /// The reply to ``Effect/loadPicture(_:)``; `file`: empty if there is no picture.
        case picture(PictureRequest, file: String)
        /// The reply to ``Effect/testRules(_:)``.
        case tested(RowID, RuleTest)
        /// The reply to ``Effect/mute(_:)``.
        case muted(Mute, MuteReply)
        /// A sentence about something else than the page's notifications.
        case message(String)
        /// The file of a picture cannot be read.
        case pictureLost(file: String)

        /// The window was opened, or opened again.
        case opened
        /// Show this notification: it was clicked elsewhere.
        case show(RowID)
        /// Whether the window is on the screen.
        case visibility(Bool)
        /// Whether keys go to the window.
        case activity(Bool)
        /// The rows on the screen, in their order.
        case visible([RowID])
        /// The last rows are near.
        case nearEnd
        /// Go to the last row of all.
        case end
        /// The time of ``Effect/watchPage(_:)`` has passed.
        case pageIsLate(ListRequest)
        /// The view is scrolled to its first row, or not.
        case atTop(Bool)
        case go(InboxQuery)
        case search(String)
        /// List only what is like this row; nil: end the filter.
        case filter(Filter, like: RowID?)
        case select([RowID])
        case selectionMode(Bool)
        case click(RowID)
        case press(RowID, link: String)
        case archive(RowID)
        /// Show more of the text of a row, or only its beginning.
        case expand(RowID)
        case collapse(RowID)
        case act(InboxAction)
        case key(PageKey)
        case answered(Question, isYes: Bool)
        /// The reply to ``Effect/askSnoozeTime(_:)``: milliseconds since the Unix epoch.
        case snooze([RowID], until: Int64)
        case undo(Int)
        /// The reply to ``Effect/listAside(_:)``.
        case listedAside(ListRequest, ListReply)
        /// The reply to ``Effect/undo(account:)``.
        case tookBack(account: String, UndoReply)
        case retry
        case addAccount
        case signIn(account: String)
        case closing

        /// Local times are others than before.
        case timeZoneChanged
        /// The time of ``Effect/watchRows`` has passed.
        case secondPassed
        /// The time of ``Effect/runClock(number:milliseconds:)`` has passed.
        case clock(Int)
        /// The time of ``Effect/watchWork(_:)`` has passed.
        case workIsLong(Int)
    }

    package enum Effect: InboxEffect, Equatable, Sendable {
        case list(ListRequest)
        /// List what is read, to archive it, or what is snoozed.
        case listAside(ListRequest)
        case send(InboxRequest)
        /// Take the last action of an account back.
        case undo(account: String)
        case loadPicture(PictureRequest)
        /// Ask which rules apply to a notification.
        case testRules(RowID)
        case mute(Mute)
        /// End the mute of a notification.
        case unmute(RowID)
        /// End the mute of a rule; what has happened is an ``Event/message(_:)``.
        case removeMute(rule: String)
        /// Receive nothing more of a topic; what has happened is an ``Event/message(_:)``.
        case leaveTopic(account: String, String)
        /// Show a category in the preferences of an account.
        case showCategory(account: String, String)
        /// Show sentences in a dialogue.
        case explain(title: String, [String])
        case startAgent
        case show(Toast)
        case hideToast(Int)
        /// Let a screen reader say what is shown otherwise.
        case announce(String)
        case ask(Question)
        /// Ask when these are to pop up again.
        case askSnoozeTime([RowID])
        /// Receive ``Event/pageIsLate(_:)`` in a second.
        case watchPage(ListRequest)
        /// Receive ``Event/secondPassed`` in a second.
        case watchRows
        /// Receive ``Event/workIsLong(_:)`` in a second.
        case watchWork(Int)
        /// Receive ``Event/clock(_:)`` after this time.
        case runClock(number: Int, milliseconds: Int64)
        case scrollToTop
        case scroll(to: RowID)
        case focusSearch
        /// Copy a text for other programs.
        case copy(String)
        case showKeys
        case showPreferences
        case openForm(AccountForm.Purpose)
        /// The user's requests are performed, then the program ends.
        case quit
    }

    /// A short message over the page.
    package struct Toast: Equatable, Sendable {
        package var number: Int
        package var text: String
        /// The label of its button, which is ``Event/undo(_:)``; nil: it has none.
        package var button: String?
        /// The label of another button, which archives what is read; nil: it has none.
        package var archiveLabel: String?

        /// The text as a screen reader says it: its button cannot be reached as fast as it goes.
        package var spoken: String {
            button == nil ? text : text + "\n" + translated("Press Control+Z to undo.")
        }
    }

    package internal(set) var agent = AgentStatus.starting
    var inbox = InboxModel()
    /// The selected rows.
    package internal(set) var selection: Set<RowID> = []
    /// The row that has the keyboard's focus, or is to get it; nil: none. Set it before each event.
    package var cursor: RowID?
    package internal(set) var isSelecting = false
    /// Whether there are words for days above the first row of each.
    package var hasHeadings = true
    var headings = DayHeadings()
    var pictures = RowPictures()
    /// The rows with more than the beginning of their text: the number of its parts.
    var expanded: [RowID: Int] = [:]
    /// Milliseconds since the Unix epoch.
    package internal(set) var now: Int64 = 0

    var isVisible = true
    var isActive = false
    package internal(set) var visibleRows: [RowID] = []
    package internal(set) var isAtTop = true
    /// New notifications above what is on the screen.
    package internal(set) var newAbove = 0
    /// What was opened last.
    var lastOpened: Opened?
    var undoable: Undoable?
    var undoing: Undoing?
    /// The read notifications that are being listed to archive them; nil: none are.
    var readRows: ReadRows?
    var nextSnooze = NextSnooze()
    var lastToast = 0
    /// The notification to show when its account is known.
    var wanted: RowID?
    /// Whether something of the inbox was listed since the window was opened.
    var hadRows = false
    /// Whether the last row is to be selected as soon as all are listed.
    var isEndWanted = false
    var work = LongWork()
    var announced = Announced()

    package init() {}

    /// - Parameter now: Milliseconds since the Unix epoch.
    package mutating func receive(_ event: Event, now: Int64) -> [Effect] {
        self.now = now
        let effects = handle(event) + effectsOfLists()
        return effects + effectsOfWork(effects) + effectsOfNextSnooze() + effectsOfTime() + effectsOfPictures()
            + announcements()
    }

    package var query: InboxQuery { inbox.query }
    package var accounts: [AccountState] { inbox.accounts }
    package var categories: Set<String> { inbox.categories }
    package var lists: NotificationLists { inbox.lists }
    /// The listed rows, in their order.
    package var rows: [RowID] { lists.rows }

    package func account(_ name: String) -> AccountState? { accounts.first { $0.name == name } }

    var shownAccounts: [AccountState] { inbox.shownAccounts }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .agent(let status): return agentIs(status)
        case .accounts(let accounts): return accountsAre(accounts)
        case .changed(let account, let ids):
            inbox.lists.invalidate(ids, of: account)
            nextSnooze.invalidate(account)
        case .arrived(let row): arrived(row)
        case .listed(let request, let reply): listed(request, reply)
        case .finished(let request, let failure): return finished(request, failure)
        case .rejected(let account, let ids, let reason):
            inbox.lists.invalidate(ids, of: account)
            return [toast(reason)]
        case .picture(let request, let file): pictures.finish(request, file: file, now: now)
        case .tested(let row, let result): return tested(row, result)
        case .muted(let mute, let reply): return muted(mute, reply)
        case .message(let text): return [toast(text)]
        case .pictureLost(let file): pictures.lose(file: file, now: now)
        case .timeZoneChanged: headings = DayHeadings()
        case .opened: inbox.open()
        case .show(let row): return show(row)
        case .visibility(let isVisible):
            self.isVisible = isVisible
            if !isVisible { inbox.interrupt() }
        case .activity(let isActive):
            self.isActive = isActive
            if !isActive { inbox.interrupt() }
        case .visible(let rows): visibleRows = rows
        case .nearEnd: return pages(inbox.lists.nextPages())
        case .end:
            isEndWanted = true
            return inbox.lists.loadedRests().map(Effect.list)
        case .pageIsLate(let request): inbox.lists.isLate(request)
        case .atTop(let isAtTop):
            self.isAtTop = isAtTop
            if isAtTop { newAbove = 0 }
        case .go(let query): return go(to: query)
        case .search(let words):
            var query = query
            query.search = words
            return go(to: query)
        case .filter(let filter, let row): return self.filter(filter, like: row)
        case .select(let rows):
            (selection, isEndWanted) = (Set(rows), false)
            if rows.count > 1 { isSelecting = true }
        case .selectionMode(let isOn): return selectSeveral(isOn)
        case .click(let row): return click(row)
        case .expand(let row): return showMore(row) ? [announcement(ofTextOf: row)].compactMap(\.self) : []
        case .collapse(let row): expanded[row] = nil
        case .press(let row, let link): return press(link, of: row)
        case .archive(let row): return act(.archive, on: [row])
        case .act(let action): return act(action)
        case .key(let key): return press(key)
        case .answered(let question, let isYes): return isYes ? agreed(to: question) : []
        case .snooze(let rows, let time): return snooze(rows, until: time)
        case .undo(let number): return undo(number)
        case .listedAside(let request, let reply):
            guard request.query.view == .snoozed else { return listedRead(request, reply) }
            nextSnooze.finish(request, reply)
        case .tookBack(let account, let reply): return tookBack(account, reply)
        case .retry: return retry()
        case .addAccount: return [.openForm(.add)]
        case .signIn(let account): return [.openForm(.signIn(account: account))]
        case .closing: return [.quit]
        case .secondPassed: return inbox.secondPassed()
        case .clock(let number): inbox.clockPassed(number, now: now)
        case .workIsLong(let number): work.secondPassed(number)
        }
        return []
    }

    // MARK: Agent and accounts

    private mutating func agentIs(_ status: AgentStatus) -> [Effect] {
        let wasRunning = agent == .running
        agent = status
        guard status == .running, !wasRunning else { return [] }
        // Another agent than the one that was asked before.
        pictures.retryMissing()
        return inbox.lists.reloadAll().map(Effect.list)
    }

    private mutating func accountsAre(_ new: [AccountState]) -> [Effect] {
        let requests = inbox.accountsAre(new).map(Effect.list)
        if let wanted, account(wanted.account) != nil { return requests + show(wanted) }
        return requests
    }

    private mutating func retry() -> [Effect] {
        switch agent {
        case .ended, .unavailable:
            agent = .starting
            return [.startAgent]
        case .noSession, .silent: return []
        case .starting, .running: break
        }
        let disconnected = shownAccounts.filter { !$0.isOnline }.map { InboxRequest($0.name, .reconnect) }
        return disconnected.map(Effect.send) + inbox.lists.loadMissing().map(Effect.list)
    }

    // MARK: Lists

    mutating func go(to query: InboxQuery) -> [Effect] {
        guard query != self.query else { return [] }
        (selection, cursor, newAbove, isAtTop, isEndWanted) = ([], nil, 0, true, false)
        (announced.isPlaceDue, announced.arrivals) = (true, [])
        return inbox.show(query).map(Effect.list) + [.scrollToTop]
    }

    private mutating func show(_ row: RowID) -> [Effect] {
        wanted = row
        guard account(row.account) != nil else { return [] }
        var query = InboxQuery()
        query.account = self.query.account == row.account ? row.account : nil
        let effects = go(to: query)
        expanded[row] = 1
        inbox.lists.invalidate([row.id], of: row.account)
        return effects + effectsOfWanted()
    }

    /// Selects the wanted row as soon as it is listed.
    mutating func effectsOfWanted() -> [Effect] {
        guard let wanted, rows.contains(wanted) else { return [] }
        self.wanted = nil
        (selection, cursor) = ([wanted], wanted)
        return [.scroll(to: wanted)]
    }

    /// The limit of new notifications that are remembered until they are listed.
    private static let arrivalLimit = 100

    private mutating func arrived(_ row: RowID) {
        let isShown = query.account == nil || query.account == row.account
        if isShown, announced.arrivals.count < Self.arrivalLimit { announced.arrivals.insert(row) }
        if !isAtTop, query.isWhole, isShown { newAbove += 1 }
    }
}
