import AgentInterface

/// Which notification is selected, and how far the list reaches.
extension InboxScreen {
    /// Selects a notification that is shown.
    mutating func select(_ row: RowID) {
        selected = row
        scrollToSelection()
    }

    mutating func select(_ index: Int) {
        selected = notifications.isEmpty ? nil : RowID(notifications[min(max(0, index), notifications.count - 1)])
        scrollToSelection()
    }

    /// The selected notification may have left its place, as one that is pinned does when it is read: then the list
    /// selects the one that has taken the place.
    ///
    /// - Parameters:
    ///   - index: The place that it had.
    ///   - before: The list with this place.
    mutating func keepPlace(_ index: Int, in before: [NotificationRecord]) {
        guard let row = successor(of: index, in: before) else { return }
        if mode == .list { select(row) } else { selectedAfterwards = selectedAfterwards ?? row }
    }

    /// nil: the selected notification is where it was among the others.
    private func successor(of index: Int, in before: [NotificationRecord]) -> RowID? {
        guard let position = selectedIndex, before.indices.contains(index) else { return nil }
        func row(_ list: [NotificationRecord], _ index: Int) -> RowID? {
            list.indices.contains(index) ? RowID(list[index]) : nil
        }
        if row(before, index + 1) == row(notifications, position + 1) { return nil }
        if row(before, index - 1) == row(notifications, position - 1) { return nil }
        let positions = Dictionary(
            notifications.enumerated().map { (RowID($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
        let next = before[(index + 1)...].lazy.map { RowID($0) }.first { positions[$0] != nil }
        let previous = before[..<index].lazy.map { RowID($0) }.last { positions[$0] != nil }
        let isBelow = next.flatMap { positions[$0] }.map { $0 < position } ?? false
        let isAbove = previous.flatMap { positions[$0] }.map { $0 > position } ?? false
        return isBelow || isAbove ? next ?? previous : nil
    }

    /// The list is shown again, after the text of a notification that has left its place.
    mutating func selectAfterwards() {
        guard mode == .list, let row = selectedAfterwards else { return }
        selectedAfterwards = nil
        if lists.rows.contains(row) { select(row) }
    }

    mutating func scrollToSelection() {
        let index = selectedIndex ?? 0
        top = max(0, min(top, notifications.count - bodyRows))
        if index < top { top = index }
        if index >= top + bodyRows { top = index - max(0, bodyRows - 1) }
    }

    /// Keys that need more notifications than are listed.
    enum Growth: Equatable {
        case move(Int)
        /// `isListed`: all that the agent has loaded are listed, or requested.
        case end(isListed: Bool = false)
        case markAll(isListed: Bool = false)
    }

    /// Lists more, and then does what the key does.
    mutating func grow(_ growth: Growth) -> [Effect] {
        (afterGrowth, notice) = (growth, .loading)
        return inbox.lists.nextPages().map(Effect.list)
    }

    /// The pages of a growth are listed.
    mutating func finish(_ growth: Growth) -> [Effect] {
        afterGrowth = nil
        switch growth {
        case .move(let count): select((selectedIndex ?? 0) + count)
        case .end(isListed: true): select(notifications.count - 1)
        case .markAll(isListed: true): marked = Set(lists.rows)
        case .end, .markAll:
            let rests = inbox.lists.loadedRests()
            let isEnd = if case .end = growth { true } else { false }
            afterGrowth = isEnd ? .end(isListed: true) : .markAll(isListed: true)
            return rests.isEmpty ? finish(afterGrowth ?? growth) : rests.map(Effect.list)
        }
        return []
    }

    /// Moves the selection. At the end of the list, the next page is listed.
    mutating func move(_ count: Int) -> [Effect] {
        guard let index = selectedIndex else { return [] }
        if index + count >= notifications.count, !lists.hasAll { return grow(.move(count)) }
        select(index + count)
        return []
    }

    /// Selects the last notification. If the service has more than the agent has loaded, and that one is selected,
    /// lists the next page, and then selects its last one.
    mutating func moveToEnd() -> [Effect] {
        guard !lists.hasAll else { return move(notifications.count) }
        if selectedIndex == notifications.count - 1 { return grow(.end(isListed: true)) }
        (afterGrowth, notice) = (.end(), .loading)
        return []
    }
}
