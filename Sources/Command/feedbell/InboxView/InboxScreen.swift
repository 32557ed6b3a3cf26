import AgentInterface
import Translation

/// The screen of `feedbell inbox`: keys and the agent's replies in, requests out. It draws itself as lines
/// (``lines(_:)``).
struct InboxScreen: Equatable {
    struct Tab: Equatable, Sendable {
        /// Empty: the whole inbox.
        var id: String
        var label: String
        var unread: UInt32
    }

    struct Account: Equatable, Sendable {
        var name: String
        /// nil: the service has not reported it.
        var unread: UInt32?
        /// The account's state, if it is not online; empty: it is.
        var state: String = ""
        /// Not including the whole inbox.
        var tabs: [Tab] = []
        /// When the inbox was last what the service has, in words; empty: it is.
        var age: String = ""
        /// Whether the service records which notifications were seen.
        var recordsSeen = false
        /// The number since the inbox was last opened; 0 also if opening the inbox does not change it.
        var badge: UInt32 = 0

        var isOnline: Bool { state.isEmpty }
    }

    /// The agent's reply for a ``Place``.
    struct Contents: Equatable, Sendable {
        var accounts: [Account]
        /// The account and the tab whose notifications these are.
        var place: Place
        var notifications: [NotificationRecord]
        /// Why nothing is known about the inbox, in a sentence; nil: it is loaded.
        var notLoaded: String?
        /// Milliseconds since the Unix epoch.
        var now: Int64
    }

    /// The account and the tab to list.
    struct Place: Equatable, Sendable {
        /// nil: the first account with unread notifications, otherwise the first one.
        var account: String?
        var tab = ""
        /// Only notifications with all of these words; empty: all.
        var search = ""
    }

    /// A request to the agent.
    enum Request: Equatable, Sendable {
        case open(String)
        /// Open what a button or a link of a notification opens, see ``NotificationLink``.
        case invoke(String, action: String)
        case markRead(String)
        case markUnread(String)
        case archive(String)
        case unarchive(String)
        case delete(String)
        /// Until a time in milliseconds since the Unix epoch.
        case snooze(String, Int64)
        case markAllRead
        case markSeen([String])
        case resetBadge
        case refresh
        /// Load the next page.
        case more

        /// Whether it is the user's action, which is performed also if the user quits meanwhile.
        var isAction: Bool { self != .refresh && self != .more }

        /// Whether it is made by looking at the inbox, so that its result is no news.
        var isSilent: Bool {
            switch self {
            case .markSeen, .resetBadge: true
            default: false
            }
        }
    }

    enum Event: Equatable, Sendable {
        case key(TerminalKey)
        case resized(columns: Int, rows: Int)
        case loaded(Contents)
        /// The agent has changed something.
        case changed
        /// The time of ``Effect/loadSoon`` has passed.
        case waited
        /// The time of ``Effect/watchRows`` has passed.
        case watched
        /// The time of ``Effect/runCountdown(number:milliseconds:)`` has passed.
        case countdownPassed(number: Int)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(Request, failure: String?)
        /// Nothing can be loaded, in a sentence.
        case unavailable(String)
    }

    enum Effect: Equatable, Sendable {
        case load(Place)
        /// Receive ``Event/waited`` in a second.
        case loadSoon
        /// Receive ``Event/watched`` in a second.
        case watchRows
        /// Receive ``Event/countdownPassed(number:)`` after this time.
        case runCountdown(number: Int, milliseconds: Int64)
        case perform(Request, Place)
        /// Control-Z: return to the shell until it continues this program.
        case suspend
        case quit
    }

    enum Mode: Equatable {
        case list
        /// The text of the selected notification, from this line on.
        case text(from: Int)
        case help
        case question(Question)
        /// The words that the user types.
        case search(String)
        /// The time that the user types, for a notification.
        case snooze(String, id: String)
    }

    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var mode = Mode.list
    private(set) var place: Place
    private(set) var accounts: [Account] = []
    private(set) var notifications: [NotificationRecord] = []
    /// Why nothing is known about the inbox; nil: it is loaded.
    private(set) var notLoaded: String?
    private var isLoadingSoon = false
    /// Milliseconds since the Unix epoch.
    private(set) var now: Int64 = 0
    /// The id of the selected notification; it stays selected when others come and go.
    private(set) var selected: String?
    /// The index of the first notification on the screen.
    private(set) var top = 0
    /// The notice in the last line instead of the hints; nil: none.
    private(set) var notice: Notice? = .loading
    private(set) var isLoaded = false
    private var isLoadingMore = false
    var seenWatch = SeenWatch()
    var countdownTimer = CountdownTimer()
    /// The names of the accounts whose inbox was shown.
    var openedAccounts: Set<String> = []

    /// - Parameter account: The account to show; nil: any.
    init(account: String? = nil, columns: Int, rows: Int) {
        place = Place(account: account)
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }

    var account: Account? { accounts.first { $0.name == place.account } }

    /// The tabs, with the whole inbox first.
    var tabs: [Tab] { [Tab(id: "", label: translated("Inbox"), unread: account?.unread ?? 0)] + (account?.tabs ?? []) }

    var selectedIndex: Int? { selected.flatMap { id in notifications.firstIndex { $0.id == id } } }

    var selection: NotificationRecord? { selectedIndex.map { notifications[$0] } }

    /// The lines between the heading and the last line.
    var bodyRows: Int { max(0, rows - 2) }

    /// - Parameter now: Milliseconds since the Unix epoch; nil: the time of the last contents.
    mutating func receive(_ event: Event, now: Int64? = nil) -> [Effect] {
        if let now { self.now = now }
        return handle(event) + effectsOfTime()
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(.control("z")):
            seenWatch.interrupt()
            return [.suspend]
        case .key(.control("c")): return [.quit]
        case .key(let key): return press(key)
        case .resized(let columns, let rows):
            (self.columns, self.rows) = (max(1, columns), max(1, rows))
            scrollToSelection()
            return []
        case .loaded(let contents):
            load(contents)
            // The time until the next attempt passes.
            guard notLoaded != nil, !isLoadingSoon else { return [] }
            isLoadingSoon = true
            return [.loadSoon]
        case .waited:
            isLoadingSoon = false
            return notLoaded == nil ? [] : [.load(place)]
        case .watched: return secondPassed()
        case .countdownPassed(let number): return countdownPassed(number)
        case .changed: return [.load(place)]
        case .finished(let request, _) where request.isSilent: return []
        case .finished(let request, let failure):
            if request == .more { isLoadingMore = false }
            notice = failure.map(Notice.failed)
            return failure == nil ? [.load(place)] : []
        case .unavailable(let reason):
            notice = .unavailable(reason)
            return []
        }
    }

    // MARK: Contents

    private mutating func load(_ contents: Contents) {
        // A reply for a place that the user has left.
        guard place.account == nil || contents.place == place else { return }
        let index = selectedIndex
        let wasOnline = account?.isOnline ?? true
        place = contents.place
        (accounts, notifications, now) = (contents.accounts, contents.notifications, contents.now)
        notLoaded = contents.notLoaded
        isLoaded = true
        if notice?.isOver(nowThat: account, wasOnline: wasOnline) == true { notice = nil }
        if selectedIndex == nil {
            // The one that has taken its place.
            if case .text = mode { mode = .list }
            if case .question(.delete) = mode { mode = .list }
            select(index ?? 0)
        }
        scrollToSelection()
    }

    private mutating func show(_ place: Place) -> [Effect] {
        self.place = place
        (notifications, selected, top, mode, notice, isLoaded) = ([], nil, 0, .list, .loading, false)
        notLoaded = nil
        isLoadingMore = false
        return [.load(place)]
    }

    // MARK: Selection

    private mutating func select(_ index: Int) {
        selected = notifications.isEmpty ? nil : notifications[min(max(0, index), notifications.count - 1)].id
        scrollToSelection()
    }

    private mutating func scrollToSelection() {
        let index = selectedIndex ?? 0
        top = max(0, min(top, notifications.count - bodyRows))
        if index < top { top = index }
        if index >= top + bodyRows { top = index - max(0, bodyRows - 1) }
    }

    /// Moves the selection. At the end of the list, the next page is loaded.
    private mutating func move(_ count: Int) -> [Effect] {
        guard let index = selectedIndex else { return [] }
        select(index + count)
        guard count > 0, index + count >= notifications.count, !isLoadingMore, place.search.isEmpty else { return [] }
        isLoadingMore = true
        return [.perform(.more, place)]
    }

    // MARK: Keys

    private mutating func press(_ key: TerminalKey) -> [Effect] {
        if isLoaded { notice = nil }
        switch mode {
        case .help:
            mode = .list
            return []
        case .question(let question): return answer(question, key)
        case .text(let line): return pressInText(key, line)
        case .search(let words): return pressInSearch(key, words)
        case .snooze(let words, let id): return pressInSnooze(key, words, id: id)
        case .list: return pressInList(key)
        }
    }

    private mutating func pressInList(_ key: TerminalKey) -> [Effect] {
        let page = max(1, bodyRows - 1)
        switch key {
        case .character("q"): return [.quit]
        case .up, .character("k"): return move(-1)
        case .down, .character("j"): return move(1)
        case .pageUp, .control("b"): return move(-page)
        case .pageDown, .control("f"), .character(" "): return move(page)
        case .home, .character("g"): return move(-notifications.count)
        case .end, .character("G"): return move(notifications.count - 1 - (selectedIndex ?? 0))
        case .enter: return read()
        case .tab, .right, .character("l"): return turn(1)
        case .backTab, .left, .character("h"): return turn(-1)
        case .character("c"): return changeAccount()
        case .control("r"), .function(5):
            notice = .refreshing
            return [.perform(.refresh, place)]
        case .character("A"):
            mode = .question(.markAllRead)
            return []
        case .character("/"):
            mode = .search(place.search)
            return []
        case .escape where !place.search.isEmpty: return search("")
        default: return pressForSelection(key)
        }
    }

    /// Keys that mean the same in the list and in the text.
    private mutating func pressForSelection(_ key: TerminalKey) -> [Effect] {
        if key == .character("?") {
            mode = .help
            return []
        }
        if case .character(let digit) = key, let number = digit.wholeNumberValue, number > 0, let selection {
            let links = NotificationLink.all(of: selection)
            guard links.indices.contains(number - 1) else {
                notice = .unknownKey
                return []
            }
            return [.perform(.invoke(selection.id, action: links[number - 1].id), place)]
        }
        guard Self.keysForSelection.contains(key) else {
            notice = .unknownKey
            return []
        }
        guard let selection else { return [] }
        let id = selection.id
        switch key {
        case .character("o"): return [.perform(.open(id), place)]
        case .character("r"): return [.perform(.markRead(id), place)]
        case .character("u"): return [.perform(.markUnread(id), place)]
        case .character("z"):
            mode = .snooze("1h", id: id)
            return []
        case .character("a"): return [.perform(selection.isArchived ? .unarchive(id) : .archive(id), place)]
        default:
            mode = .question(.delete(id: id))
            return []
        }
    }

    private static let keysForSelection: [TerminalKey] =
        ["o", "r", "u", "a", "d", "z"].map { .character($0) } + [.delete]

    private mutating func read() -> [Effect] {
        guard let selection else { return [] }
        mode = .text(from: 0)
        return selection.read == 0 ? [.perform(.markRead(selection.id), place)] : []
    }

    private mutating func pressInText(_ key: TerminalKey, _ line: Int) -> [Effect] {
        let end = max(0, textLines.count - bodyRows)
        func scroll(to line: Int) { mode = .text(from: min(max(0, line), end)) }
        switch key {
        case .character("q"), .escape, .backspace, .left, .character("h"): mode = .list
        case .up, .character("k"): scroll(to: line - 1)
        case .down, .character("j"): scroll(to: line + 1)
        case .pageUp, .control("b"): scroll(to: line - bodyRows)
        case .pageDown, .control("f"), .character(" "): scroll(to: line + bodyRows)
        case .home, .character("g"): scroll(to: 0)
        case .end, .character("G"): scroll(to: end)
        case .enter: return [.perform(.open(selected ?? ""), place)]
        default: return pressForSelection(key)
        }
        return []
    }

    private mutating func answer(_ question: Question, _ key: TerminalKey) -> [Effect] {
        mode = .list
        guard case .character(let letter) = key, question.letters.isYes(String(letter)) else { return [] }
        switch question {
        case .delete(let id): return [.perform(.delete(id), place)]
        case .markAllRead: return [.perform(.markAllRead, place)]
        }
    }

    private mutating func pressInSearch(_ key: TerminalKey, _ words: String) -> [Effect] {
        if key == .enter { return search(words) }
        mode = Self.edited(words, by: key).map(Mode.search) ?? .list
        return []
    }

    private mutating func pressInSnooze(_ key: TerminalKey, _ words: String, id: String) -> [Effect] {
        guard key == .enter else {
            mode = Self.edited(words, by: key).map { .snooze($0, id: id) } ?? .list
            return []
        }
        mode = .list
        let time = words.split(separator: " ").map(String.init)
        guard let until = SnoozeTime.parse(time, now: now) else {
            notice = .failed(TimeText.invalid(words, forms: SnoozeTime.examples))
            return []
        }
        return [.perform(.snooze(id, until), place)]
    }

    /// A text after a key; nil: the user gives up.
    private static func edited(_ text: String, by key: TerminalKey) -> String? {
        switch key {
        case .escape: nil
        case .backspace: text.isEmpty ? nil : String(text.dropLast())
        case .control("u"): ""
        case .character(let character): text + String(character)
        default: text
        }
    }

    private mutating func search(_ words: String) -> [Effect] {
        mode = .list
        guard words != place.search else { return [] }
        return show(Place(account: place.account, tab: place.tab, search: words))
    }

    private mutating func turn(_ count: Int) -> [Effect] {
        guard tabs.count > 1, let index = tabs.firstIndex(where: { $0.id == place.tab }) else { return [] }
        return show(Place(account: place.account, tab: tabs[(index + count + tabs.count) % tabs.count].id))
    }

    private mutating func changeAccount() -> [Effect] {
        guard accounts.count > 1, let index = accounts.firstIndex(where: { $0.name == place.account }) else {
            return []
        }
        return show(Place(account: accounts[(index + 1) % accounts.count].name))
    }
}
