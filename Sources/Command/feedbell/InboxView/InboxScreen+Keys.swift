import AgentInterface
import InboxPresentation
import Translation

/// What the keys do.
extension InboxScreen {
    mutating func press(_ key: TerminalKey) -> [Effect] {
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
            return Self.perform(.refresh, for: chosenAccounts)
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
            return perform(.invoke(selection.id, action: links[number - 1].id), for: selection)
        }
        guard Self.keysForSelection.contains(key) else {
            notice = .unknownKey
            return []
        }
        guard let selection else { return [] }
        let id = selection.id
        switch key {
        case .character("o"): return perform(.open(id), for: selection)
        case .character("r"): return perform(.markRead(id), for: selection)
        case .character("u"): return perform(.markUnread(id), for: selection)
        case .character("z"):
            mode = .snooze("1h", id: id)
            return []
        case .character("a"): return perform(selection.isArchived ? .unarchive(id) : .archive(id), for: selection)
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
        return selection.read == 0 ? perform(.markRead(selection.id), for: selection) : []
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
        case .enter: return selection.map { perform(.open($0.id), for: $0) } ?? []
        default: return pressForSelection(key)
        }
        return []
    }

    private mutating func answer(_ question: Question, _ key: TerminalKey) -> [Effect] {
        mode = .list
        guard case .character(let letter) = key, question.letters.isYes(String(letter)) else { return [] }
        switch question {
        case .delete(let id): return selection.map { perform(.delete(id), for: $0) } ?? []
        case .markAllRead: return Self.perform(.markAllRead, for: chosenAccounts)
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
        return selection.map { perform(.snooze(id, until), for: $0) } ?? []
    }

    private func perform(_ request: Request, for notification: NotificationRecord) -> [Effect] {
        [.perform(request, account: notification.account)]
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

    /// All accounts, and then each of them.
    private mutating func changeAccount() -> [Effect] {
        guard accounts.count > 1 else { return [] }
        let next = accounts.firstIndex { $0.name == place.account }.map { $0 + 1 } ?? 0
        return show(Place(account: accounts.indices.contains(next) ? accounts[next].name : nil))
    }
}
