import AgentInterface
import VisibleText

/// The screen as lines: exactly as many as the terminal has rows, none wider than its columns.
extension InboxScreen {
    func lines(_ terminal: Terminal) -> [String] {
        var body: [String]
        switch mode {
        case .help(let line): body = Array(helpLines.dropFirst(line))
        case .text(let line): body = Array(styledText(terminal).dropFirst(line))
        case .preferences(let table): body = table.lines(width: columns, rows: bodyRows, terminal)
        case .list, .search, .until: body = list(terminal)
        }
        body = Array(body.prefix(bodyRows))
        body += Array(repeating: "", count: bodyRows - body.count)
        let details = hasDetailLine ? [terminal.text(detailLine, .cyan)] : []
        return Array(([heading(terminal)] + body + details + [terminal.text(lastLine, .dim)]).prefix(rows))
    }

    /// Where the cursor is: on what is selected, at the end of what is typed, or at the beginning of a text.
    var cursor: TerminalScreen.Position {
        let body =
            switch mode {
            case .list: (selectedIndex ?? top) - top
            case .preferences(let table): table.selectedLine(rows: bodyRows)
            case .text, .help: 0
            case .search, .until: -1
            }
        guard body >= 0 else {
            return .init(row: rows - 1, column: max(0, min(lastLine.columns, columns) - 1))
        }
        return .init(row: min(body + 1, rows - 1))
    }

    /// The buttons of the selected notification, and the address of its link; why a time is invalid.
    private var detailLine: String {
        if case .until = mode, let notice = shownNotice { return notice.text.onOneLine.cut(toColumns: columns) }
        if case .preferences(let table) = mode { return table.details.cut(toColumns: columns) }
        return detailTexts.joined(separator: "  ").cutWithIsolates(toColumns: columns)
    }

    /// The buttons, and the address of the link.
    var detailTexts: [String] {
        guard let selection else { return [] }
        let buttons = NotificationLink.all(of: selection).prefix(9).enumerated()
            .map { "[\($0 + 1)] \($1.label.onOneLine.isolatedInColumns)" }
        let address = selection.url.isEmpty ? [] : ["→ " + selection.url.onOneLine.isolatedInColumns]
        return buttons + address
    }

    /// The maximum width of the column with the accounts' names.
    private static let nameColumns = 12

    // MARK: List

    private func list(_ terminal: Terminal) -> [String] {
        if notifications.isEmpty {
            if case .unavailable? = notice { return [] }
            if let notLoaded { return [notLoaded.onOneLine.cut(toColumns: columns)] }
            if !isLoaded { return [] }
            return [emptySentence.cut(toColumns: columns)]
        }
        let shown = notifications.dropFirst(top).prefix(bodyRows)
        let times = shown.map { notification in
            let time = LocalTime(query.view == .snoozed ? notification.snoozed : notification.created)
            let text = time.text(now: now)
            // In a narrow terminal the day is enough.
            return columns < 60 && text.contains(" ") ? time.date : text
        }
        let width = times.map(\.columns).max() ?? 0
        let names = accountNames(of: Array(shown))
        return zip(zip(shown, times), names).map { row, name in
            let (notification, time) = row
            let start = columns < 40 ? "" : time.padded(toColumns: width) + "  " + name
            return self.row(notification, start, terminal)
        }
    }

    /// Why the list is empty.
    var emptySentence: String {
        if !query.search.isEmpty {
            return translated("Nothing found for \"{words}\". Escape shows all.", ["words": query.search.onOneLine])
        }
        return query.isFiltered || query.view != .inbox
            ? translated("No such notifications. Escape shows all.") : translated("No notifications.")
    }

    /// The column with the accounts' names; empty where one account is shown, or there is no room.
    private func accountNames(of shown: [NotificationRecord]) -> [String] {
        guard shownAccounts.count > 1, columns >= 60 else { return shown.map { _ in "" } }
        let width = min(shownAccounts.map { $0.name.onOneLine.columns }.max() ?? 0, Self.nameColumns)
        return shown.map {
            $0.account.onOneLine.cut(toColumns: width).isolatedInColumns.padded(toColumns: width) + "  "
        }
    }

    private func row(_ notification: NotificationRecord, _ time: String, _ terminal: Terminal) -> String {
        let isUnread = notification.read == 0
        let id = RowID(notification)
        let mark =
            (id == selected ? ">" : " ") + (isUnread ? "●" : " ")
            + (marked.contains(id) ? "*" : notification.isPinned ? "^" : " ") + " "
        let title = notification.title.onOneLine
        let body = notification.body.onOneLine
        let countdown = columns < 40 ? nil : Countdown(of: notification, now: now)
        let rest = countdown.map { "  " + $0.text } ?? ""
        let width = columns - rest.columns
        let start = mark + time
        let room = max(0, width - start.columns)
        let line = (start + Self.words(title, body, columns: room)).cutWithIsolates(toColumns: width)
        if id == selected {
            return terminal.reversed(line.padded(toColumns: width))
                + (countdown.map { terminal.reversed(rest, isRed: $0.isUrgent) } ?? "")
        }
        let text = isUnread ? terminal.text(line, .bold) : line
        guard let countdown else { return text }
        return text + String(repeating: " ", count: max(0, width - line.columns))
            + terminal.text(rest, countdown.isUrgent ? .red : .dim)
    }

    /// Title and text in the columns that are left. Each is cut before it is isolated: an isolate that is not closed
    /// would concern the rest of the line.
    private static func words(_ title: String, _ body: String, columns: Int) -> String {
        let start = title.cut(toColumns: columns)
        let rest = title.isEmpty || body.isEmpty ? body : " — "
        let first = start.isolatedInColumns
        guard !title.isEmpty, !body.isEmpty else {
            return title.isEmpty ? rest.cut(toColumns: columns).isolatedInColumns : first
        }
        let room = columns - start.columns
        if room <= rest.columns { return first + (start == title ? rest.cut(toColumns: room) : "") }
        return first + rest + body.cut(toColumns: room - rest.columns).isolatedInColumns
    }

    // MARK: Text

    /// The text of the selected notification.
    var textLines: [String] { styledLines.map(\.text) }

    private var styledLines: [(text: String, style: Terminal.Style?)] {
        guard let selection else { return [] }
        var facts = [LocalTime(selection.created).text(now: now)]
        if accounts.count > 1 { facts.append(selection.account) }
        if !selection.category.isEmpty { facts.append(selection.category) }
        if selection.isMuted { facts.append(translated("Muted")) }
        let title = selection.title.isEmpty ? translated("(no title)") : selection.title.onOneLine
        var paragraphs: [(text: String, style: Terminal.Style?)] = [
            (title, .bold), (facts.joined(separator: " · ").onOneLine, nil),
        ]
        if let countdown = Countdown(of: selection, now: now) {
            // Translators: The time is such as "12:34" or "4 h 12 min".
            let text = translated("expires in {time}", ["time": countdown.text])
            paragraphs.append((text, countdown.isUrgent ? .red : nil))
        }
        paragraphs.append(("", nil))
        for text in [selection.body, selection.subtext, selection.url] where !text.isEmpty {
            paragraphs += [(text.printable, nil), ("", nil)]
        }
        for (index, link) in NotificationLink.all(of: selection).prefix(9).enumerated() {
            paragraphs.append(("[\(index + 1)] \(link.text)", nil))
        }
        return paragraphs.flatMap { paragraph in
            paragraph.text.wrapped(toColumns: columns, hanging: 0)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { String($0).pieces(ofColumns: columns) }.map { ($0, paragraph.style) }
        }
    }

    private func styledText(_ terminal: Terminal) -> [String] {
        styledLines.map { line in line.style.map { terminal.text(line.text, $0) } ?? line.text }
    }
}

extension Terminal {
    /// The text in exchanged colors. Also without colors, because it marks the selection.
    func reversed(_ text: String, isRed: Bool = false) -> String {
        "\u{1B}[7m\(isRed && hasColors ? "\u{1B}[31m" : "")\(text)\u{1B}[0m"
    }
}

extension String {
    /// The line in pieces of at most this width: for words that are longer, such as addresses.
    fileprivate func pieces(ofColumns width: Int) -> [String] {
        var (pieces, last, sum) = ([String](), "", 0)
        for character in self {
            if sum + character.columns > width, !last.isEmpty {
                pieces.append(last)
                (last, sum) = ("", 0)
            }
            last.append(character)
            sum += character.columns
        }
        return pieces + [last]
    }
}
