import AgentInterface
import GTK
import InboxClient
import Translation
import Window

/// The window with the inbox page: GTK's events to the page, what it shows to the widgets.
final class InboxWindow {
    private(set) var page = InboxPage()
    private let request: (InboxPage.Effect) -> Void

    let window: GTK.Window
    private let toasts: ToastOverlay
    private let heading: PlaceHeading
    private let contents: Stack
    private let spinner: Spinner
    private let scroller: ScrolledWindow
    private let list: ListView
    private let notice: StatusPage
    private let noticeButton: Button
    private let newAbove: Button
    private let selectToggle: ToggleButton
    private let selectionRevealer: Revealer
    private let selectionTitle: Label
    private let searchToggle: ToggleButton
    private let searchBar: SearchBar
    private let searchEntry: SearchEntry
    private let tabBar: TabBar
    private let banners: BannerBox
    let menus: InboxMenus
    private let pictures = PictureTextures()
    let rowPool = RowPool()
    let frames = FrameLog()

    private let events = PageEvents<InboxPage.Event>()
    private var isReportPending = false
    private var hasFocusedList = false
    private var wasSearchOpened = false
    /// Whether a row gets the focus as soon as the list is shown.
    private var isRowDue = false
    private var isPresentationDue = false
    private var firstRows = FirstRows()
    /// The row that had the focus before the last effect that a screen reader says.
    private var focusedBefore: String?
    private var shownRevision = -1
    private var shownSelection: Set<RowID> = []

    /// - Parameter request: Performs what the page requests of others.
    init(request: @escaping (InboxPage.Effect) -> Void) {
        self.request = request
        let builder = Builder(Self.description)
        window = builder.get("window")
        toasts = builder.get("toasts")
        heading = PlaceHeading(builder)
        contents = builder.get("contents")
        for page in Self.pages { contents.setAccessibleLabel(translated("Inbox"), of: page) }
        spinner = builder.get("spinner")
        scroller = builder.get("scroller")
        list = builder.get("list")
        notice = builder.get("notice")
        noticeButton = builder.get("notice-button")
        newAbove = builder.get("new-above")
        selectToggle = builder.get("select")
        selectionRevealer = builder.get("selection-revealer")
        selectionTitle = builder.get("selection-title")
        searchToggle = builder.get("search-toggle")
        searchBar = builder.get("search-bar")
        searchEntry = builder.get("search")
        tabBar = TabBar(builder.get("tabs"), in: builder.get("tab-scroller"))
        banners = BannerBox(builder.get("banners"))
        menus = InboxMenus(
            window,
            places: heading.button,
            main: builder.get("menu"),
            snooze: builder.get("snooze")
        )
        if let size = WindowSize.saved {
            window.size = (size.width, size.height)
            window.isMaximized = size.isMaximized
        }
        connect()
        receive(.visibility(false))
    }

    /// Shows the window as soon as it has something to show, in a moment at the latest: its first frame has the rows.
    func present() {
        window.join()
        isPresentationDue = true
        if window.isMapped || page.contents != .loading { return presentNow() }
        Later.after(milliseconds: Self.loadingTimeout) { [self] in presentNow() }
    }

    private func presentNow() {
        guard isPresentationDue else { return }
        isPresentationDue = false
        window.present()
    }

    /// Shows what words find.
    func search(_ words: String) {
        searchBar.isOpen = true
        searchEntry.text = words
    }

    /// Passes an event to the page, and shows what follows from it.
    func receive(_ event: InboxPage.Event) {
        events.receive(event) { events in
            let effects = events.flatMap { page.receive($0, now: LocalTime.now) }
            if effects.contains(where: \.isSpoken) { focusedBefore = list.focusedRowKey }
            render(rows: !events.allSatisfy(\.keepsRows))
            for effect in effects { perform(effect) }
        }
    }

    // MARK: Events

    private func connect() {
        list.prepare(
            makeRow: { [unowned self] in RowSlot(in: self) },
            activated: { [unowned self] in receive(.click(RowID(key: $0))) },
            selected: { [unowned self] in receive(.select($0.map(RowID.init(key:)))) }
        )
        scroller.onScroll { [unowned self] in rowsMoved() }
        noticeButton.on("clicked") { [unowned self] in
            if case .notice(let notice) = page.contents, let button = notice.button { press(button.action) }
        }
        newAbove.on("clicked") { [unowned self] in list.scrollToTop() }
        selectToggle.on("toggled") { [unowned self] in
            if selectToggle.isActive != page.isSelecting { receive(.selectionMode(selectToggle.isActive)) }
        }
        searchToggle.on("toggled") { [unowned self] in searchBar.isOpen = searchToggle.isActive }
        searchBar.connect(searchEntry)
        searchBar.onChange(of: "search-mode-enabled") { [unowned self] in
            searchToggle.isActive = searchBar.isOpen
            guard !searchBar.isOpen else { return }
            isRowDue = searchEntry.hasFocusInside
            receive(.search(""))
        }
        searchEntry.onSearch { [unowned self] in receive(.search($0)) }
        tabBar.chosen = { [unowned self] id in
            var query = page.query
            query.tab = id
            receive(.go(query))
        }
        banners.pressed = { [unowned self] in press($0) }
        menus.connect(self)
        window.onKey { [unowned self] key in press(key) }
        list.onKey(isFirst: true) { [unowned self] key in pressInList(key) }
        window.onFocus { [unowned self] in list.focusMoved() }
        window.onClose { [unowned self] in receive(.closing) }
        window.onVisibility { [unowned self] in receive(.visibility($0)) }
        window.onActivity { [unowned self] in receive(.activity($0)) }
        window.keepFocus { [unowned self] last in
            // A row that was removed is in no window any more.
            guard page.contents == .list, last.map({ $0.isIn(list) || !$0.isIn(window) }) ?? true else { return false }
            focus(page.onlySelected?.key)
            return true
        }
        if let frames {
            window.onFrame { [unowned self] in frames.frameEnded(rows: list.keys.count, shown: list.shownRows.count) }
        }
    }

    private func press(_ key: Key) -> Bool {
        guard let key = PageKey(key), !(key.editsText && searchEntry.hasFocusInside) else { return false }
        frames?.keyPressed()
        if key == .escape, searchBar.isOpen, !page.isSelecting {
            searchBar.isOpen = false
            return true
        }
        // Keys apply to the row with the focus, unless several are selected.
        if key.concernsSelection, page.selection.count < 2, !page.isSelecting, let focused = list.focusedRowKey {
            receive(.select([RowID(key: focused)]))
        }
        receive(.key(key))
        return true
    }

    /// Keys that lead to other widgets, before the list has them.
    private func pressInList(_ key: Key) -> Bool {
        if key.modifiers.control || key.modifiers.alt { return false }
        switch key.name {
        case "Tab", "ISO_Left_Tab": return list.moveOn(backward: key.name != "Tab" || key.modifiers.shift)
        case "Right", "Left": return (key.name == "Right") != list.isRightToLeft ? list.enterRow() : list.leaveRow()
        case "Escape": return list.leaveRow()
        case "Menu": return showMenuOfFocusedRow()
        case "F10": return key.modifiers.shift && showMenuOfFocusedRow()
        default: return false
        }
    }

    private func showMenuOfFocusedRow() -> Bool {
        guard let key = list.focusedRowKey, let place = list.focusedPlace(in: window) else { return false }
        showMenu(for: RowID(key: key), from: window, place.x, place.y)
        return true
    }

    private func press(_ action: InboxPage.Button.Action) {
        switch action {
        case .retry: receive(.retry)
        case .addAccount: receive(.addAccount)
        case .signIn(let account): receive(.signIn(account: account))
        case .showAll:
            searchBar.isOpen = false
            var query = page.query
            (query.search, query.isUnreadOnly, query.category) = ("", false, nil)
            receive(.go(query))
        }
    }

    /// Reports what is on the screen after the next frame. Called whenever rows may have moved.
    func rowsMoved() {
        guard !isReportPending else { return }
        isReportPending = true
        window.afterFrame { [self] in
            isReportPending = false
            let hidden = scroller.hiddenParts
            let (visible, isAtTop) = (placeRows(), hidden.above < 1)
            // Only what has changed: an event draws, and drawing would report again.
            if visible != page.visibleRows { receive(.visible(visible)) }
            if isAtTop != page.isAtTop { receive(.atTop(isAtTop)) }
            let isNearEnd = hidden.below < 2 * scroller.height && !firstRows.isFrameDue
            if isNearEnd, page.lists.canLoadMore { receive(.nearEnd) }
        }
    }

    /// Fills and empties rows as ``NearRows`` decides. What takes long is left for later frames.
    ///
    /// - Returns: The rows of which the middle is on the screen, from the top.
    private func placeRows() -> [RowID] {
        let height = scroller.height
        let rows = list.numberedRows
        let visible = rows.compactMap { number, key, row -> (number: Int, key: String, middle: Double)? in
            guard let range = row.widget.verticalRange(in: scroller), range.overlaps(0...height) else { return nil }
            return (number, key, (range.lowerBound + range.upperBound) / 2)
        }
        .sorted { $0.number < $1.number }
        guard let first = visible.first?.number, let last = visible.last?.number else { return [] }
        let places = Dictionary(rows.map { ($0.number, $0.row as? RowSlot) }, uniquingKeysWith: { $1 })
            .compactMapValues(\.self)
        let near = NearRows(of: places.lazy.map { ($0.key, $0.value.isFilled) }, visible: first...last)
        for number in near.emptied { places[number]?.leave() }
        var rest = near.filled[...]
        let end = ContinuousClock.now + Later.step
        while let number = rest.popFirst() {
            places[number]?.fill()
            if ContinuousClock.now >= end { break }
        }
        if !rest.isEmpty { rowsMoved() }
        return visible.filter { $0.middle >= 0 && $0.middle <= height }.map { RowID(key: $0.key) }
    }

    // MARK: Effects

    private func perform(_ effect: InboxPage.Effect) {
        switch effect {
        case .show(let toast):
            toasts.show(
                toast.number,
                toast.text,
                button: toast.button,
                pressed: { [unowned self] in receive(.undo(toast.number)) }
            )
            announce(toast.spoken)
        case .hideToast(let number): toasts.hide(number)
        case .announce(let text): announce(text)
        case .ask(.markAllRead): askToMarkAllRead()
        case .askSnoozeTime(let rows): askSnoozeTime(rows)
        case .scrollToTop: list.scrollToTop()
        case .scroll(let row): focus(row.key)
        case .focusSearch:
            searchBar.isOpen = true
            searchEntry.grabFocus()
            if !wasSearchOpened { searchEntry.reportFocusLater() }
            wasSearchOpened = true
        case .showKeys:
            let shortcuts = PageKeys.all.map { GTK.Window.Shortcut(keys: $0.keys, meaning: $0.meaning) }
            window.showShortcuts(translated("Keyboard Shortcuts"), shortcuts)
        case .copy(let text): window.copy(text)
        case .quit:
            let size = window.size
            WindowSize(width: size.width, height: size.height, isMaximized: window.isMaximized).save()
            window.isVisible = false
            request(.quit)
        case .explain(let title, let sentences):
            window.inform(title, text: sentences.joined(separator: "\n"), close: translated("Close"))
        case .list, .listRead, .perform, .undo, .loadPicture, .testRules, .startAgent, .watchPage, .watchRows,
            .runClock,
            .showPreferences, .showCategory, .mute, .unmute, .removeMute, .leaveTopic, .openForm:
            request(effect)
        }
    }

    /// Lets a screen reader say a text, and then the row to which the focus moves meanwhile: the text interrupts it.
    private func announce(_ text: String) {
        let before = focusedBefore
        func textAndRow() -> String {
            let key = list.focusedKey
            let row = key != before ? key.flatMap { page.row(RowID(key: $0)) } : nil
            return [text, row?.spoken].compactMap(\.self).joined(separator: "\n")
        }
        window.announce(textAndRow())
    }

    private func askToMarkAllRead() {
        window.ask(
            translated("Mark all notifications as read?"),
            text: translated("They stay in the list."),
            yes: translated("Mark All as Read"),
            no: translated("Cancel")
        ) { [unowned self] in receive(.answered(.markAllRead, isYes: $0)) }
    }

    private func askSnoozeTime(_ rows: [RowID]) {
        let question = TextQuestion(
            translated("When is it to pop up again?"),
            over: window,
            label: translated("Time"),
            text: SnoozeChoice.suggestion,
            yes: translated("Snooze"),
            no: translated("Cancel")
        ) { text in
            let written = WrittenTime(text, now: LocalTime.now)
            return (written.meaning, written.problem)
        }
        question.ask { [unowned self] in receive(.snooze(rows, until: $0)) }
    }

    func showMenu(for row: RowID, from origin: Widget, _ x: Double, _ y: Double) {
        if !page.selection.contains(row) { receive(.select([row])) }
        guard let place = origin.translate(x, y, to: window) else { return }
        menus.showContextMenu(page, x: place.x, y: place.y) { [unowned self] in focus(row.key) }
    }

    // MARK: Showing

    /// - Parameter rows: Whether the contents of rows may have changed.
    private func render(rows mayHaveChanged: Bool) {
        heading.show(page)
        searchEntry.setPlaceholder(page.searchLabel)
        if page.lists.revision != shownRevision || page.selection != shownSelection {
            if page.lists.revision != shownRevision { showRows() }
            list.select(Set(page.selection.map(\.key)))
            (shownRevision, shownSelection) = (page.lists.revision, page.selection)
            // Others may be on the screen.
            rowsMoved()
        }
        for (key, row) in list.shownRows {
            guard let row = row as? RowSlot else { continue }
            mayHaveChanged ? row.update(key) : row.updateSelection(key)
        }
        showContents()
        tabBar.show(page.tabs)
        banners.show(page.banners)
        selectToggle.isActive = page.isSelecting
        let hasSelectionBar = page.isSelecting || page.selection.count > 1
        // Its icons are read when it is shown for the first time.
        if hasSelectionBar { selectionRevealer.isVisible = true }
        selectionRevealer.isRevealed = hasSelectionBar
        selectionTitle.text = page.selectionTitle
        newAbove.isVisible = page.newAboveTitle != nil
        newAbove.setLabel(page.newAboveTitle ?? "")
        menus.show(page)
        if page.contents != .loading { presentNow() }
    }

    /// Shows which rows there are. The focus goes to the selected row, or stays near where it was.
    private func showRows() {
        let (hadFocus, focused) = (list.hasFocusInside, list.focusedRowKey)
        let position = focused.flatMap(list.keys.firstIndex(of:))
        setRows()
        if page.isAtTop { list.scrollToTop() }
        guard hadFocus else { return }
        if let row = page.onlySelected, page.selection != shownSelection { return focus(row.key) }
        // The row was removed, or those of another account take its place.
        guard !list.hasFocusInside || list.focusedRowKey != focused else { return }
        let isRemoved = focused.map { !list.keys.contains($0) } ?? false
        let successor = isRemoved ? position.flatMap { list.keys.prefix($0 + 1).last } : nil
        focus(page.onlySelected?.key ?? successor ?? page.visibleRows.first { page.lists[$0] != nil }?.key)
    }

    /// Gives the list the rows of the page, most of them after a frame if they were not listed before.
    private func setRows() {
        let (keys, wasDue) = (page.rows.map(\.key), firstRows.isFrameDue)
        list.set(Array(keys.prefix(firstRows.count(of: keys, after: list.keys))))
        guard firstRows.isFrameDue, !wasDue else { return }
        window.afterFrame { [self] in
            firstRows.frameEnded()
            shownRevision = -1
            render(rows: false)
        }
    }

    /// The picture in a file; nil: it cannot be read.
    func picture(_ file: String) -> Texture? {
        if let picture = pictures.texture(file) { return picture }
        receive(.pictureLost(file: file))
        return nil
    }

    /// In milliseconds.
    private static let loadingTimeout = 150

    private static let pages = ["loading", "list", "notice"]

    /// Arrow keys work in the list as soon as there is one.
    private func focusList() {
        guard !hasFocusedList else { return }
        hasFocusedList = true
        // Not grabFocus(): the first button of a row would take it.
        if !searchBar.isOpen { focus(nil) }
    }

    /// Gives the focus to a row as soon as the list has a widget for it; nil, or if it is removed meanwhile: to the
    /// selected one, or the first one.
    ///
    /// While the rows change, GTK may move the focus to a button of a row in one of the next frames. From there the row
    /// gets it back.
    private func focus(_ key: String?, frames: Int = 10, wasFocused: Bool = false) {
        window.afterFrame { [self] in
            let wanted = key.flatMap { list.keys.contains($0) ? $0 : nil } ?? page.onlySelected?.key
            guard let row = wanted ?? list.keys.first else { return }
            let isLost = !wasFocused || (list.hasFocusInside && list.focusedKey == nil)
            let isFocused = isLost ? list.focus(row) : true
            if frames > 1 { focus(key, frames: frames - 1, wasFocused: isFocused) }
        }
    }

    private func showContents() {
        spinner.isSpinning = page.contents == .loading
        switch page.contents {
        case .list:
            contents.show("list", of: Self.pages)
            focusList()
            if isRowDue { focus(page.onlySelected?.key) }
            isRowDue = false
        case .loading: contents.show("loading", of: Self.pages)
        case .notice(let content):
            notice.set(icon: content.icon, title: content.title, text: content.text)
            noticeButton.isVisible = content.button != nil
            noticeButton.setLabel(content.button?.label ?? "")
            contents.show("notice", of: Self.pages)
        }
    }
}

extension InboxPage.Effect {
    fileprivate var isSpoken: Bool {
        switch self {
        case .show, .announce: true
        default: false
        }
    }
}

extension PageKey {
    /// nil: the page has no use for the key.
    fileprivate init?(_ key: Key) {
        if key.modifiers.alt { return nil }
        switch key.name {
        case "Escape": self = .escape
        case "Delete": self = .delete
        case "F1": self = .function(1)
        case "F5": self = .function(5)
        default:
            guard let character = key.character else { return nil }
            self = key.modifiers.control ? .control(Character(character.lowercased())) : .character(character)
        }
        if !isUsed { return nil }
    }
}
