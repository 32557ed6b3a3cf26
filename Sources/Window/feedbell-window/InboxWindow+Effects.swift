import AgentInterface
import GTK
import VisibleText
import Window

/// The effects of the page.
extension InboxWindow {
    func perform(_ effect: InboxPage.Effect) {
        switch effect {
        case .show(let toast):
            toasts.show(
                toast.number,
                toast.text,
                close: translated("Close"),
                button: toast.button,
                pressed: { [unowned self] in receive(.undo(toast.number)) },
                second: toast.archiveLabel,
                secondPressed: { [unowned self] in receive(.act(.archiveRead)) }
            )
        case .hideToast(let number): toasts.hide(number)
        case .announce: break
        case .ask(let question): ask(question)
        case .askSnoozeTime(let rows): askSnoozeTime(rows)
        case .scrollToTop: list.scrollToTop()
        case .scroll(let row): focus(row.key)
        case .focusSearch:
            searchBar.isOpen = true
            searchEntry.grabFocus()
            if !wasSearchOpened { searchEntry.reportFocusLater() }
            wasSearchOpened = true
        case .showKeys:
            let groups = PageKeys.groups.map { group in
                (group.title, group.keys.map { GTK.Window.Shortcut(keys: $0.keys, meaning: $0.meaning) })
            }
            window.showShortcuts(translated("Keyboard Shortcuts"), groups)
        case .copy(let text): window.copy(text)
        case .quit:
            let (width, height) = window.size
            let isMaximized = window.isMaximized
            SavedWindow(width: width, height: height, isMaximized: isMaximized, hasHeadings: page.hasHeadings).save()
            window.isVisible = false
            request(.quit)
        case .explain(let title, let sentences):
            window.inform(title, text: sentences.joined(separator: "\n"), close: translated("Close"))
        case .list(let request): call(isAwaited: false, { await $0.reply(to: request) }) { .listed(request, $0) }
        case .listAside(let request):
            call(isAwaited: false, { await $0.reply(to: request) }) { .listedAside(request, $0) }
        case .loadPicture(let request):
            call(isAwaited: false, { await $0.picture(request) }) { .picture(request, file: $0) }
        case .testRules(let row): call(isAwaited: false, { await $0.rules(of: row) }) { .tested(row, $0) }
        case .send(let request): send(request)
        case .undo(let account): call({ await $0.undo(account) }) { .tookBack(account: account, $0) }
        case .mute(let mute): call({ await $0.mute(mute) }) { .muted(mute, $0) }
        case .unmute(let row): call({ await $0.unmute(row) }) { .message($0) }
        case .removeMute(let rule): call({ await $0.removeMute(rule: rule) }) { .message($0) }
        case .leaveTopic(let account, let topic):
            call({ await $0.leave(topic: topic, of: account) }) { .message($0) }
        case .startAgent: startAgent()
        case .watchPage(let request): wait(milliseconds: 1_000, .pageIsLate(request))
        case .watchRows: wait(milliseconds: 1_000, .secondPassed)
        case .watchWork(let number): wait(milliseconds: 1_000, .workIsLong(number))
        case .runClock(let number, let milliseconds): wait(milliseconds: milliseconds, .clock(number))
        case .showPreferences: request(.showPreferences)
        case .showCategory(let account, let category): request(.showCategory(account: account, category))
        case .openForm(let purpose): request(.openForm(purpose))
        }
    }

    func hideText(_ isHidden: Bool) { call({ await $0.hideText(isHidden) }) { .message($0) } }

    func ask(_ question: InboxPage.Question) {
        window.ask(
            question.title,
            text: question.text,
            yes: question.yes,
            no: translated("Cancel"),
            destroys: question.destroys
        ) { [unowned self] in receive(.answered(question, isYes: $0)) }
    }

    func askSnoozeTime(_ rows: [RowID]) {
        let view = SnoozeView(over: window) { [unowned self] in receive(.snooze(rows, until: $0)) }
        snoozeView = view
        view.present()
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
