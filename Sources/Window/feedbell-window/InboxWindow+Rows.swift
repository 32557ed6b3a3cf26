import AgentInterface
import GTK
import Window

/// The rows of the list: which there are, which are filled, and which one has the focus.
extension InboxWindow {
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
            listEnd.show(page, isReached: hidden.below < 1)
            let isNearEnd = hidden.below < 2 * scroller.height && !firstRows.isFrameDue
            if isNearEnd, page.lists.canLoadMore { receive(.nearEnd) }
        }
    }

    /// Fills and empties rows as ``NearRows`` decides. What takes long is left for later frames.
    ///
    /// - Returns: The rows of which the middle is on the screen, from the top.
    func placeRows() -> [RowID] {
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

    /// Shows which rows there are. If the list has the focus, the page's cursor gets it.
    func showRows() {
        let (hadFocus, focused) = (list.hasFocusInside, list.focusedRowKey)
        if hadFocus, let next = page.cursor?.key, next != focused { announce(in: next) }
        setRows()
        if page.isAtTop { list.scrollToTop() }
        let isKept = list.hasFocusInside && list.focusedRowKey == focused && page.cursor?.key == focused
        if hadFocus, !isKept { focus(page.cursor?.key) }
    }

    /// Gives the list the rows of the page, most of them after a frame if they were not listed before.
    func setRows() {
        let (keys, wasDue) = (page.rows.map(\.key), firstRows.isFrameDue)
        list.set(Array(keys.prefix(firstRows.count(of: keys, after: list.keys))))
        guard firstRows.isFrameDue, !wasDue else { return }
        window.afterFrame { [self] in
            firstRows.frameEnded()
            shownRevision = -1
            render(rows: false)
        }
    }

    /// Arrow keys work in the list as soon as there is one.
    func focusList() {
        guard !hasFocusedList else { return }
        (hasFocusedList, hasFocusedContents) = (true, true)
        // Not grabFocus(): the first button of a row would take it.
        if !searchBar.isOpen { focus(nil) }
    }

    /// Gives the focus to a row as soon as the list has a widget for it; nil, or if it is removed meanwhile: to the
    /// selected one, or the first one.
    ///
    /// While the rows change, GTK may move the focus to a button of a row in one of the next frames. From there the row
    /// gets it back.
    func focus(_ key: String?, frames: Int = 10, wasFocused: Bool = false) {
        focusCount += 1
        window.afterFrame { [self] in
            focusCount -= 1
            let wanted = key.flatMap { list.keys.contains($0) ? $0 : nil } ?? page.onlySelected?.key
            guard let row = wanted ?? list.keys.first else { return }
            let isLost = !wasFocused || (list.hasFocusInside && list.focusedKey == nil)
            if isLost { announce(in: row) }
            let isFocused = isLost ? list.focus(row) : true
            if frames > 1 { focus(key, frames: frames - 1, wasFocused: isFocused) }
        }
    }

    // MARK: Announcements

    /// Lets the row that gets the focus say what was announced, and then itself. Otherwise a screen reader would say
    /// the row, and the text in the middle of it.
    func announce(in key: String) {
        guard let row = row(key), let text = window.takeAnnouncement() else { return }
        announcing[key] = (text, key == list.focusedKey)
        row.nameNow()
        Later.after(milliseconds: Self.announcementTime) { [weak self] in
            if self?.announcing[key]?.text == text { self?.endAnnouncement(in: key) }
        }
    }

    /// In milliseconds: longer than it takes to say a sentence.
    private static let announcementTime = 10_000

    /// What a screen reader says of a row that gets the focus. Orca does not say the new name of a row that has it.
    func name(of row: RowContent) -> String {
        [announcing[row.row.key]?.text, row.spoken].compactMap(\.self).joined(separator: "\n")
    }

    /// The focus has moved.
    func announcementMoved() {
        if let focused = list.focusedKey { announce(in: focused) }
        for (key, announced) in announcing {
            if list.focusedRowKey == key {
                announcing[key]?.hadFocus = true
            } else if announced.hadFocus {
                endAnnouncement(in: key)
            }
        }
    }

    /// Gives a row its own name again, without the announcement.
    private func endAnnouncement(in key: String) {
        announcing[key] = nil
        row(key)?.nameNow()
    }

    /// Leads the keys into the row with the focus, which says only itself when they come back.
    func enterRow() -> Bool {
        guard list.enterRow() else { return false }
        endAnnouncements()
        return true
    }

    func endAnnouncements() { for key in announcing.keys { endAnnouncement(in: key) } }

    private func row(_ key: String) -> RowSlot? { list.shownRows.first { $0.key == key }?.row as? RowSlot }
}
