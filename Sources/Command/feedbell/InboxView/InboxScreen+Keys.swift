import AgentInterface
import VisibleText

/// The functions of the keys.
extension InboxScreen {
    mutating func press(_ key: TerminalKey) -> [Effect] {
        (wanted, isTopDue) = (nil, false)
        isReadAllConfirmed = notice == .confirmsReadAll
        if isLoaded { notice = nil }
        afterGrowth = nil
        switch mode {
        case .help(let line): return pressInHelp(key, line)
        case .search(let words): return pressInSearch(key, words)
        case .until(let words, let action): return pressInUntil(key, words, action)
        case .text(let line): return pressInText(key, line)
        case .preferences(let table): return pressInPreferences(key, table)
        case .list: break
        }
        if let number = Self.buttonNumber(key), keys.function(of: key) == nil { return pressButton(number) }
        guard let function = keys.function(of: key) else { return unknownKey() }
        return run(function)
    }

    /// A pasted text is added to what the user types, as one line, and is never keys.
    mutating func paste(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").onOneLine
        switch mode {
        case .search(let words): mode = .search(words + line)
        case .until(let words, let action): mode = .until(words + line, action)
        case .list, .text, .help, .preferences: notice = .ignoredPaste
        }
    }

    private mutating func unknownKey() -> [Effect] {
        notice = .unknownKey
        return []
    }

    /// A function in the list.
    private mutating func run(_ function: InboxFunction) -> [Effect] {
        let page = max(1, bodyRows - 1)
        switch function {
        case .quit: return [.quit]
        case .up: return move(-1)
        case .down: return move(1)
        case .pageUp: return move(-page)
        case .pageDown: return move(page)
        case .first: return move(-notifications.count)
        case .last: return moveToEnd()
        case .show: return showText()
        case .nextTab: return turn(1)
        case .previousTab: return turn(-1)
        case .nextAccount: return changeAccount()
        case .refresh:
            notice = .refreshing
            return Self.requests(.inbox(.refresh), of: shownAccounts) + inbox.lists.loadMissing().map(Effect.list)
        case .readAll: return readAll()
        case .search:
            mode = .search(query.search)
            return []
        case .onlyUnread: return filter { $0.isUnreadOnly.toggle() }
        case .onlySnoozed: return filter { $0.view = $0.view == .snoozed ? .inbox : .snoozed }
        case .nextCategory: return turnCategory()
        case .mark: return toggleMark()
        case .markAll: return toggleAllMarks()
        case .back: return goBack()
        default: return runAnywhere(function)
        }
    }

    /// Functions that are the same in the list and in the text.
    private mutating func runAnywhere(_ function: InboxFunction) -> [Effect] {
        let targets = self.targets
        switch function {
        case .help: mode = .help()
        case .preferences: return showPreferences()
        case .undo: return undo()
        case .pause: return [.send(pause.isPaused ? .resume : .pause, account: "")]
        case .open: return openSelected()
        case .read, .unread:
            if targets.count > 1 { notice = .marked(asRead: function == .read, count: targets.count) }
            return unmark(requests(for: targets) { function == .read ? .markRead($0) : .markUnread($0) })
        case .archive:
            let archived = targets.filter(\.isArchived)
            if !archived.isEmpty, archived.count == targets.count {
                return unmark(requests(for: archived) { .unarchive($0) })
            }
            return unmark(archive(targets))
        case .delete: return unmark(delete(targets))
        case .snooze:
            let snoozed = targets.filter { $0.snoozed != 0 }
            if !snoozed.isEmpty, snoozed.count == targets.count {
                return unmark(requests(for: snoozed) { .unsnooze($0) })
            }
            if !targets.isEmpty { mode = .until("1h", .snooze(targets.map { RowID($0) })) }
        case .mute: return mute()
        default: return unknownKey()
        }
        return []
    }

    private mutating func pressButton(_ number: Int) -> [Effect] {
        guard let selection else { return [] }
        let links = NotificationLink.all(of: selection)
        guard links.indices.contains(number - 1) else { return unknownKey() }
        return open(selection, link: links[number - 1].id)
    }

    private mutating func openSelected() -> [Effect] {
        selection.map { open($0) } ?? []
    }

    private static func buttonNumber(_ key: TerminalKey) -> Int? {
        guard case .character(let digit) = key, let number = digit.wholeNumberValue, number > 0 else { return nil }
        return number
    }

    mutating func showText() -> [Effect] {
        guard let selection else { return [] }
        selectedAfterwards = nil
        mode = .text(from: 0)
        return selection.read == 0 ? requests(.markRead([selection.id]), for: selection) : []
    }

    private mutating func pressInHelp(_ key: TerminalKey, _ line: Int) -> [Effect] {
        // A space returns from a help that is seen whole.
        if keys.function(of: key) != .mark || isHelpLong, let first = scrolled(line, by: key, of: helpLines) {
            scrollHelp(to: first)
        } else {
            mode = .list
        }
        return []
    }

    /// The line to which a key scrolls lines that begin at another one; it may be outside of them. nil: it does not
    /// scroll.
    private func scrolled(_ line: Int, by key: TerminalKey, of lines: [String]) -> Int? {
        switch keys.function(of: key) {
        case .up: line - 1
        case .down: line + 1
        case .pageUp: line - bodyRows
        case .pageDown: line + bodyRows
        case .mark where key == .character(" "): line + bodyRows
        case .first: 0
        case .last: lines.count
        default: nil
        }
    }

    /// The nearest line from which lines can be shown up to their end.
    private func nearest(_ line: Int, in lines: [String]) -> Int { min(max(0, line), max(0, lines.count - bodyRows)) }

    /// Whether the help has more lines than there is room for.
    var isHelpLong: Bool { helpLines.count > bodyRows }

    /// Shows the help from this line on, up to its end.
    mutating func scrollHelp(to line: Int) { mode = .help(from: nearest(line, in: helpLines)) }

    private mutating func pressInText(_ key: TerminalKey, _ line: Int) -> [Effect] {
        if key == .backspace {
            mode = .list
            return []
        }
        if let first = scrolled(line, by: key, of: textLines) {
            scroll(to: first)
            return []
        }
        if let number = Self.buttonNumber(key), keys.function(of: key) == nil { return pressButton(number) }
        guard let function = keys.function(of: key) else { return unknownKey() }
        switch function {
        case .quit, .back, .previousTab: mode = .list
        case .show: return openSelected()
        default: return runAnywhere(function)
        }
        return []
    }

    /// Shows the text from this line on, up to its end.
    mutating func scroll(to line: Int) { mode = .text(from: nearest(line, in: textLines)) }

    private mutating func pressInUntil(_ key: TerminalKey, _ words: String, _ action: TimedAction) -> [Effect] {
        guard key == .enter else {
            mode = Self.edited(words, by: key).map { .until($0, action) } ?? .list
            return []
        }
        let words = UntilTime.words(words)
        var until: Int64?
        if !words.isEmpty || !action.mayLast {
            do { until = try UntilTime.required(words, now: now) } catch {
                notice = .failed(error.sentence)
                return []
            }
        }
        mode = .list
        switch action {
        case .snooze(let rows): return snooze(rows, until: until ?? 0)
        case .mute(let mute): return send(mute, until: until)
        }
    }

    private mutating func snooze(_ rows: [RowID], until: Int64) -> [Effect] {
        let chosen = Set(rows)
        let records = notifications.filter { chosen.contains(RowID($0)) }
        let notice = Notice.snoozed(until: LocalTime(until).text(now: now))
        return unmark(submitUndoable(records, notice: notice) { .snooze($0, until: until) })
    }

    func requests(_ call: InboxCall, for notification: NotificationRecord) -> [Effect] {
        [.send(.inbox(call), account: notification.account)]
    }

    /// A text after a key; nil: the user gives up.
    static func edited(_ text: String, by key: TerminalKey) -> String? {
        switch key {
        case .escape: nil
        case .backspace: text.isEmpty ? nil : String(text.dropLast())
        case .control("u"): ""
        case .character(let character): text + String(character)
        default: text
        }
    }
}
