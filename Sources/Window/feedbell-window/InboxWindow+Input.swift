import AgentInterface
import GTK
import Window

/// The events of GTK for the page: keys, clicks and what is typed.
extension InboxWindow {
    func connect() {
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
        filterBar.ended = { [unowned self] in receive(.filter($0, like: nil)) }
        banners.pressed = { [unowned self] in press($0) }
        menus.connect(self)
        window.onKey { [unowned self] key in press(key) }
        list.onKey(isFirst: true) { [unowned self] key in pressInList(key) }
        window.onFocus { [unowned self] in
            list.focusMoved()
            announcementMoved()
        }
        window.announceLater { [unowned self] in focusCount > 0 || page.isRowAwaited }
        window.announceAlso { [unowned self] in list.firstOfSeveralSelected }
        window.onClose { [unowned self] in receive(.closing) }
        window.onVisibility { [unowned self] in receive(.visibility($0)) }
        window.on("map") { [unowned self] in window.reportFocusLater() }
        window.onActivity { [unowned self] isActive in
            // Coming back, a row says only itself.
            if !isActive { endAnnouncements() }
            receive(.activity(isActive))
        }
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

    func press(_ key: Key) -> Bool {
        guard let key = PageKey(key), !(key.editsText && searchEntry.hasFocusInside) else { return false }
        frames?.keyPressed()
        if key == .escape, searchBar.isOpen, !page.isSelecting {
            searchBar.isOpen = false
            return true
        }
        // Keys apply to the row with the focus, unless several are selected.
        if key.concernsSelection, !page.isSelecting, let focused = list.focusedRowKey {
            receive(.select([RowID(key: focused)]))
        }
        receive(.key(key))
        return true
    }

    /// Keys that lead to other widgets, before the list has them.
    func pressInList(_ key: Key) -> Bool {
        if key.modifiers.control || key.modifiers.alt { return false }
        switch key.name {
        case "Home", "End", "Up", "Down", "Page_Up", "Page_Down": return moveInList(key)
        case "Tab", "ISO_Left_Tab": return list.moveOn(backward: key.name != "Tab" || key.modifiers.shift)
        case "Right", "Left": return (key.name == "Right") != list.isRightToLeft ? enterRow() : list.leaveRow()
        case "Escape": return list.leaveRow()
        case "Menu": return showMenuOfFocusedRow()
        case "F10": return key.modifiers.shift && showMenuOfFocusedRow()
        default: return false
        }
    }

    /// Keys that lead to another row. Those to the ends say where that is. While several are selected one by one, the
    /// selection stays.
    private func moveInList(_ key: Key) -> Bool {
        if key.modifiers.shift || list.focusedKey == nil { return false }
        if key.name == "End", !page.lists.hasAll {
            receive(.end)
            return true
        }
        let end = ["Home": page.rows.first, "End": page.rows.last][key.name] ?? nil
        if let end, let place = page.place(of: end) { window.announce(place) }
        guard page.isSelecting, let index = list.keys.firstIndex(of: list.focusedKey ?? "") else { return false }
        let (last, page) = (list.keys.count - 1, max(1, page.visibleRows.count - 1))
        let distances = ["Home": -last, "End": last, "Up": -1, "Down": 1, "Page_Up": -page, "Page_Down": page]
        focus(list.keys[min(max(0, index + (distances[key.name] ?? 0)), last)])
        return true
    }

    func showMenuOfFocusedRow() -> Bool {
        guard let key = list.focusedRowKey, let place = list.focusedPlace(in: window) else { return false }
        showMenu(for: RowID(key: key), from: window, place.x, place.y)
        return true
    }

    func press(_ action: InboxPage.Button.Action) {
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
