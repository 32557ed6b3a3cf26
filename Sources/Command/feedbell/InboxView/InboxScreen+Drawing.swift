import AgentInterface
import InboxPresentation
import Translation
import VisibleText

/// The screen as lines: exactly as many as the terminal has rows, none wider than its columns.
extension InboxScreen {
    func lines(_ terminal: Terminal) -> [String] {
        var body: [String]
        switch mode {
        case .help: body = Self.help.map { $0.cut(toColumns: columns) }
        case .text(let line): body = Array(styledText(terminal).dropFirst(line))
        case .list, .question, .search, .snooze: body = list(terminal)
        }
        body = Array(body.prefix(bodyRows))
        body += Array(repeating: "", count: bodyRows - body.count)
        return Array(([heading(terminal)] + body + [terminal.text(lastLine, .dim)]).prefix(rows))
    }

    /// The maximum width of the column with the accounts' names.
    private static let nameColumns = 12

    // MARK: Heading and help

    private func heading(_ terminal: Terminal) -> String {
        var parts: [String] = []
        if !chosenAccounts.isEmpty { parts.append(accountsText + (accounts.count > 1 ? " · " : " ")) }
        for tab in tabs {
            let words = tab.label.onOneLine + (tab.unread == 0 ? "" : " (\(tab.unread))")
            parts.append(tab.id == place.tab ? "[\(words)]" : " \(words) ")
        }
        return terminal.text(parts.joined().cut(toColumns: columns), .bold)
    }

    /// The chosen accounts, and the states of those that are not online.
    private var accountsText: String {
        let states = chosenAccounts.map { ($0.name.onOneLine, ($0.age.isEmpty ? $0.state : $0.age).onOneLine) }
        if states.count == 1 { return states[0].0 + (states[0].1.isEmpty ? "" : " (\(states[0].1))") }
        let others = states.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
        return translated("All accounts") + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }

    /// The keys and what they do.
    private static var keys: [(keys: String, meaning: String)] {
        [
            ("Up, Down, k, j", translated("Select a notification")),
            ("Page Up, Page Down", translated("Move by a page")),
            ("Home, End, g, G", translated("Go to the first or last one")),
            ("Enter", translated("Show its text; again: open its link")),
            ("o", translated("Open its link")),
            ("1 to 9", translated("Press its button with this number")),
            ("r, u", translated("Mark as read or unread")),
            ("a", translated("Archive, or unarchive")),
            ("d", translated("Delete")),
            ("z", translated("Let it pop up again later")),
            ("A", translated("Mark all as read")),
            ("/, Escape", translated("Search all that is kept; show all again")),
            ("Tab, Shift-Tab", translated("Next or previous tab")),
            ("c", translated("Next account, or all")),
            ("Control-R, F5", translated("Refresh")),
            ("q, Escape", translated("Back; in the list, q quits")),
        ]
    }

    static var help: [String] { keys.map { $0.keys.padded(toColumns: 21) + $0.meaning } }

    // MARK: List

    private func list(_ terminal: Terminal) -> [String] {
        if notifications.isEmpty {
            if case .unavailable? = notice { return [] }
            if let notLoaded { return [notLoaded.onOneLine.cut(toColumns: columns)] }
            if !isLoaded { return [] }
            let sentence =
                place.search.isEmpty
                ? translated("No notifications.")
                : translated("Nothing found for \"{words}\". Escape shows all.", ["words": place.search.onOneLine])
            return [sentence.cut(toColumns: columns)]
        }
        let shown = notifications.dropFirst(top).prefix(bodyRows)
        let times = shown.map { LocalTime($0.created).text(now: now) }
        let width = times.map(\.columns).max() ?? 0
        let names = accountNames(of: Array(shown))
        return zip(zip(shown, times), names).map { row, name in
            let (notification, time) = row
            let start = columns < 40 ? "" : time.padded(toColumns: width) + "  " + name
            return self.row(notification, start, terminal)
        }
    }

    /// The column with the accounts' names; empty where one account is shown, or there is no room.
    private func accountNames(of shown: [NotificationRecord]) -> [String] {
        guard chosenAccounts.count > 1, columns >= 60 else { return shown.map { _ in "" } }
        let width = min(chosenAccounts.map { $0.name.onOneLine.columns }.max() ?? 0, Self.nameColumns)
        return shown.map { $0.account.onOneLine.cut(toColumns: width).padded(toColumns: width) + "  " }
    }

    private func row(_ notification: NotificationRecord, _ time: String, _ terminal: Terminal) -> String {
        let isUnread = notification.read == 0
        let mark =
            (notification.id == selected ? ">" : " ") + (isUnread ? "●" : " ")
            + (notification.isPinned ? "^ " : "  ")
        let title = notification.title.onOneLine
        let body = notification.body.onOneLine
        let words = title.isEmpty || body.isEmpty ? title + body : "\(title) — \(body)"
        let countdown = columns < 40 ? nil : Countdown(of: notification, now: now)
        let rest = countdown.map { "  " + $0.text } ?? ""
        let width = columns - rest.columns
        let line = (mark + time + words).cut(toColumns: width)
        if notification.id == selected {
            return terminal.reversed(line.padded(toColumns: width))
                + (countdown.map { terminal.reversed(rest, isRed: $0.isUrgent) } ?? "")
        }
        let text = isUnread ? terminal.text(line, .bold) : line
        guard let countdown else { return text }
        return text + String(repeating: " ", count: max(0, width - line.columns))
            + terminal.text(rest, countdown.isUrgent ? .red : .dim)
    }

    // MARK: Text

    /// The text of the selected notification.
    var textLines: [String] { styledLines.map(\.text) }

    private var styledLines: [(text: String, style: Terminal.Style?)] {
        guard let selection else { return [] }
        var facts = [LocalTime(selection.created).text(now: now)]
        if accounts.count > 1 { facts.append(selection.account) }
        if !selection.category.isEmpty { facts.append(selection.category) }
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
    fileprivate func reversed(_ text: String, isRed: Bool = false) -> String {
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
