import GTK
import InboxClient
import Translation
import Window

/// What the page requests of the window.
extension InboxWindow {
    func perform(_ effect: InboxPage.Effect) {
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
    func announce(_ text: String) {
        let before = focusedBefore
        func textAndRow() -> String {
            let key = list.focusedKey
            let row = key != before ? key.flatMap { page.row(RowID(key: $0)) } : nil
            return [text, row?.spoken].compactMap(\.self).joined(separator: "\n")
        }
        window.announce(textAndRow())
    }

    func askToMarkAllRead() {
        window.ask(
            translated("Mark all notifications as read?"),
            text: translated("They stay in the list."),
            yes: translated("Mark All as Read"),
            no: translated("Cancel")
        ) { [unowned self] in receive(.answered(.markAllRead, isYes: $0)) }
    }

    func askSnoozeTime(_ rows: [RowID]) {
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

    /// The picture in a file; nil: it cannot be read.
    func picture(_ file: String) -> Texture? {
        if let picture = pictures.texture(file) { return picture }
        receive(.pictureLost(file: file))
        return nil
    }
}
