import AgentInterface
import VisibleText

/// The functions of the mouse: a click selects, a second one shows the text; the wheel moves.
extension InboxScreen {
    private static let wheelRows = 3

    mutating func receive(_ mouse: TerminalMouse) -> [Effect] {
        (wanted, isTopDue) = (nil, false)
        if isLoaded { notice = nil }
        switch mouse {
        case .wheelUp: return turnWheel(-Self.wheelRows)
        case .wheelDown: return turnWheel(Self.wheelRows)
        case .press(let column, let row):
            guard mode == .list else { return [] }
            if row == 0 { return clickTab(column) }
            if hasDetailLine, row == rows - 2 { return clickDetails(column) }
            let index = top + row - 1
            guard row <= bodyRows, notifications.indices.contains(index) else { return [] }
            if RowID(notifications[index]) == selected { return showText() }
            select(index)
            return []
        }
    }

    private mutating func turnWheel(_ count: Int) -> [Effect] {
        switch mode {
        case .list: return move(count)
        case .text(let line): scroll(to: line + count)
        case .help(let line): scrollHelp(to: line + count)
        case .preferences(var table):
            table.move(rows: count.signum(), columns: 0)
            mode = .preferences(table)
        case .search, .until: break
        }
        return []
    }

    private mutating func clickTab(_ column: Int) -> [Effect] {
        var start = accountsPart.columns
        for (tab, text) in zip(tabs, tabTexts) {
            if (start..<start + text.columns).contains(column) {
                return tab.id == query.tab ? [] : showTab(tab.id)
            }
            start += text.columns
        }
        return []
    }

    private mutating func clickDetails(_ column: Int) -> [Effect] {
        guard let selection else { return [] }
        var start = 0
        for (index, text) in detailTexts.enumerated() {
            if (start..<start + text.columns).contains(column) {
                let links = NotificationLink.all(of: selection)
                return open(selection, link: index < min(9, links.count) ? links[index].id : nil)
            }
            start += text.columns + 2
        }
        return []
    }
}
