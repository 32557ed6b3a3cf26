import AgentInterface
import VisibleText

/// The first line: accounts and tabs, and at its end what is chosen and the position.
extension InboxScreen {
    func heading(_ terminal: Terminal) -> String {
        let end = headingEnd.cutWithIsolates(toColumns: max(0, columns - 4))
        let width = end.isEmpty ? columns : columns - end.columns - 1
        let start = headingStart.cutWithIsolates(toColumns: width)
        guard !end.isEmpty else { return terminal.text(start, .bold) }
        return terminal.text(start.padded(toColumns: width) + " ", .bold) + terminal.text(end, .dim)
    }

    private var headingStart: String {
        if case .preferences(let table) = mode {
            return table.account.onOneLine.isolatedInColumns + " · " + translated("Preferences")
        }
        return accountsPart + tabTexts.joined()
    }

    /// The accounts before the tabs.
    var accountsPart: String {
        shownAccounts.isEmpty ? "" : accountsText + (accounts.count > 1 ? " · " : " ")
    }

    var tabTexts: [String] {
        tabs.map { tab in
            let words = tab.label.onOneLine.isolatedInColumns + (tab.unread == 0 ? "" : " (\(tab.unread))")
            return tab.id == query.tab ? "[\(words)]" : " \(words) "
        }
    }

    private var headingEnd: String {
        if case .preferences(let table) = mode {
            let count = table.categories.count
            return count == 0
                ? "" : translated("{position} of {count}", ["position": "\(table.row + 1)", "count": "\(count)"])
        }
        var parts = filterWords.map(\.isolatedInColumns)
        if pause.isPaused {
            parts.append(
                pause.until == 0
                    ? translated("paused")
                    : translated("paused until {time}", ["time": LocalTime(pause.until).text(now: now)])
            )
        }
        if !marked.isEmpty {
            parts.append(translated("{count} marked", plural: "{count} marked", count: marked.count))
        }
        return (parts + [position].compactMap(\.self)).joined(separator: " · ")
    }

    /// The position of the selected notification, and the number of all; nil: none is selected.
    var position: String? {
        guard let index = selectedIndex else { return nil }
        let count = total.map { "\($0)" } ?? "\(notifications.count)\(lists.canLoadMore ? "+" : "")"
        // Translators: The position in the list: the number of the selected notification, and of all.
        return translated("{position} of {count}", ["position": "\(index + 1)", "count": count])
    }

    /// The number of all that the list would have with each page; nil: it is not known.
    private var total: Int? {
        guard query.isWhole else { return nil }
        let totals = shownAccounts.compactMap(\.total)
        guard totals.count == shownAccounts.count else { return nil }
        return max(notifications.count, totals.reduce(0, +) - countedHidden.count)
    }

    /// The chosen accounts, and the states of those that are not online.
    private var accountsText: String {
        let states = shownAccounts.map {
            ($0.name.onOneLine.isolatedInColumns, ($0.age(now: now) ?? ($0.isOnline ? "" : $0.state)).onOneLine)
        }
        if states.count == 1 { return states[0].0 + (states[0].1.isEmpty ? "" : " (\(states[0].1))") }
        let others = states.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
        return translated("All accounts") + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    }
}

extension String {
    /// The text for a column beside others: isolated if it has letters that are written from right to left, so that a
    /// terminal that reorders text reorders nothing else.
    var isolatedInColumns: String { isolated(in: .leftToRight) }

    /// As `cut(toColumns:)`, for a line with isolated texts: an isolate that was cut is closed.
    func cutWithIsolates(toColumns width: Int) -> String {
        let kept = cut(toColumns: width)
        let open = kept.unicodeScalars.reduce(0) { $0 + ($1 == "\u{2068}" ? 1 : $1 == "\u{2069}" ? -1 : 0) }
        return open > 0 ? kept + String(repeating: "\u{2069}", count: open) : kept
    }
}
