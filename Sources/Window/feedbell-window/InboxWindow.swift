import AgentInterface
import GTK
import VisibleText
import Window

/// The window with the inbox page: GTK's events to the page, what it shows to the widgets.
final class InboxWindow {
    private(set) var page = InboxPage()
    let calls: AgentCalls
    let request: (WindowRequest) -> Void

    let window: GTK.Window
    let toasts: ToastOverlay
    let heading: PlaceHeading
    let contents: Stack
    let spinner: Spinner
    let scroller: ScrolledWindow
    let list: ListView
    let notice: StatusPage
    let noticeButton: Button
    let newAbove: Button
    let listEnd: ListEndLine
    let workSpinner: Spinner
    let selectToggle: ToggleButton
    let selectionRevealer: Revealer
    let selectionTitle: Label
    /// In place of the title where it has no room.
    let selectionCount: Label
    let searchToggle: ToggleButton
    let searchBar: SearchBar
    let searchEntry: SearchEntry
    let tabBar: TabBar
    let filterBar: FilterBar
    let banners: BannerBox
    let menus: InboxMenus
    let pictures = PictureTextures()
    let rowPool = RowPool()
    let frames = FrameLog()
    /// The last one.
    var snoozeView: SnoozeView?

    let events = PageEvents<InboxPage.Event>()
    var isReportPending = false
    var hasFocusedList = false
    /// Whether the list, or the button of a notice, has had the focus.
    var hasFocusedContents = false
    var wasSearchOpened = false
    /// How many calls of ``focus(_:frames:wasFocused:)`` wait for their frame.
    var focusCount = 0
    /// Whether a row gets the focus as soon as the list is shown.
    var isRowDue = false
    var isPresentationDue = false
    var firstRows = FirstRows()
    /// The rows whose names begin with what was announced, and whether each has had the focus since.
    var announcing: [String: (text: String, hadFocus: Bool)] = [:]
    var shownRevision = -1
    var shownSelection: Set<RowID> = []
    var pause = PopupPause() {
        didSet { menus.show(pause) }
    }
    /// Whether popups hide their texts.
    var isTextHidden = false {
        didSet { menus.show(isTextHidden: isTextHidden) }
    }

    /// - Parameter request: Performs what the page requests of other windows.
    init(calls: AgentCalls, request: @escaping (WindowRequest) -> Void) {
        (self.calls, self.request) = (calls, request)
        let builder = Builder(Self.description)
        window = builder.get("window")
        let header: Widget = builder.get("header")
        header.shrinkTitleLast()
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
        listEnd = ListEndLine(builder)
        workSpinner = builder.get("work")
        selectToggle = builder.get("select")
        selectionRevealer = builder.get("selection-revealer")
        selectionTitle = builder.get("selection-title")
        selectionCount = builder.get("selection-count")
        searchToggle = builder.get("search-toggle")
        searchBar = builder.get("search-bar")
        searchEntry = builder.get("search")
        tabBar = TabBar(builder.get("tabs"), in: builder.get("tab-scroller"))
        filterBar = FilterBar(builder)
        banners = BannerBox(builder.get("banners"))
        menus = InboxMenus(
            window,
            places: heading.button,
            pause: builder.get("pause"),
            main: builder.get("menu"),
            snooze: builder.get("snooze")
        )
        if let last = SavedWindow.last {
            window.size = (last.width, last.height)
            window.isMaximized = last.isMaximized
            page.hasHeadings = last.hasHeadings
        }
        window.set(style: "touch", window.isTouched)
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

    func presentNow() {
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
            let focused = list.focusedRowKey
            page.cursor = focused.map(RowID.init(key:))
            let effects = events.flatMap { page.receive($0, now: LocalTime.now) }
            for text in effects.compactMap(\.spoken) { window.announce(text) }
            render(rows: !events.allSatisfy(\.keepsRows))
            for effect in effects { perform(effect) }
        }
    }

    /// In milliseconds.
    private static let loadingTimeout = 150
}

extension InboxPage.Effect {
    /// What a screen reader says of it; nil: nothing.
    fileprivate var spoken: String? {
        switch self {
        case .show(let toast): toast.spoken
        case .announce(let text): text
        default: nil
        }
    }
}
