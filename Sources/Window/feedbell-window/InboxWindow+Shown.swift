import AgentInterface
import GTK
import Window

/// What the page shows, in the widgets.
extension InboxWindow {
    static let pages = ["loading", "list", "notice"]

    /// - Parameter rows: Whether the contents of rows may have changed.
    func render(rows mayHaveChanged: Bool) {
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
        filterBar.show(page)
        banners.show(page.banners)
        selectToggle.isActive = page.isSelecting
        selectToggle.isVisible = page.contents == .list
        searchToggle.isVisible = page.contents == .list || searchBar.isOpen
        // Its icons are read when it is shown for the first time.
        if page.isSelecting { selectionRevealer.isVisible = true }
        selectionRevealer.isRevealed = page.isSelecting
        selectionTitle.text = page.selectionTitle
        selectionCount.text = "\(page.selection.count)"
        newAbove.isVisible = page.newAboveTitle != nil
        newAbove.setLabel(page.newAboveTitle ?? "")
        listEnd.show(page)
        (workSpinner.isVisible, workSpinner.isSpinning) = (page.isWorking, page.isWorking)
        menus.show(page)
        if page.contents != .loading { presentNow() }
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
            if content.button != nil, !hasFocusedContents, !searchBar.isOpen {
                hasFocusedContents = true
                noticeButton.grabFocus()
            }
        }
    }
}
