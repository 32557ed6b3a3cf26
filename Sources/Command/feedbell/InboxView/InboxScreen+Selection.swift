import AgentInterface

/// Which notification is selected, and how far the list reaches.
extension InboxScreen {
    /// Selects a notification that is shown.
    mutating func select(_ id: String) {
        selected = id
        scrollToSelection()
    }

    mutating func select(_ index: Int) {
        selected = notifications.isEmpty ? nil : notifications[min(max(0, index), notifications.count - 1)].id
        scrollToSelection()
    }

    /// The selected notification may have left its place, as one that is pinned does when it is read: then the list
    /// selects the one that has taken the place.
    ///
    /// - Parameters:
    ///   - index: The place that it had.
    ///   - before: The list with this place.
    mutating func keepPlace(_ index: Int, in before: [NotificationRecord]) {
        guard let id = successor(of: index, in: before) else { return }
        if mode == .list { select(id) } else { selectedAfterwards = selectedAfterwards ?? id }
    }

    /// nil: the selected notification is where it was among the others.
    private func successor(of index: Int, in before: [NotificationRecord]) -> String? {
        guard let position = selectedIndex, before.indices.contains(index) else { return nil }
        func id(_ list: [NotificationRecord], _ index: Int) -> String? {
            list.indices.contains(index) ? list[index].id : nil
        }
        if id(before, index + 1) == id(notifications, position + 1) { return nil }
        if id(before, index - 1) == id(notifications, position - 1) { return nil }
        let positions = Dictionary(
            notifications.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
        let next = before[(index + 1)...].first { positions[$0.id] != nil }?.id
        let previous = before[..<index].last { positions[$0.id] != nil }?.id
        let isBelow = next.flatMap { positions[$0] }.map { $0 < position } ?? false
        let isAbove = previous.flatMap { positions[$0] }.map { $0 > position } ?? false
        return isBelow || isAbove ? next ?? previous : nil
    }

    /// The list is shown again, after the text of a notification that has left its place.
    mutating func selectAfterwards() {
        guard mode == .list, let id = selectedAfterwards else { return }
        selectedAfterwards = nil
        if notifications.contains(where: { $0.id == id }) { select(id) }
    }

    mutating func scrollToSelection() {
        let index = selectedIndex ?? 0
        top = max(0, min(top, notifications.count - bodyRows))
        if index < top { top = index }
        if index >= top + bodyRows { top = index - max(0, bodyRows - 1) }
    }

    /// Selects the last notification. If the inbox has more, or that one is selected, also loads the next page, and
    /// then selects its last one.
    mutating func moveToEnd() -> [Effect] {
        let (index, last) = (selectedIndex ?? 0, notifications.count - 1)
        guard index == last || total > notifications.count else { return move(last - index) }
        let effects = move(last + 1 - index)
        if !effects.isEmpty { (afterGrowth, notice) = (.end, .loading) }
        return effects
    }

    /// Keys that need more than ``Place/limit`` notifications.
    enum Growth: Equatable {
        case move(Int)
        case end
        case markAll
    }

    /// Whether the agent has loaded more than are listed.
    var isCut: Bool { place.limit.map { loaded.count >= $0 } ?? false }

    /// Lists more, or all, and then does what the key does.
    mutating func grow(_ growth: Growth) -> [Effect] {
        if case .move = growth { place.limit = place.limit.map { $0 * 4 } } else { place.limit = nil }
        (afterGrowth, notice) = (growth, .loading)
        return [.load(place)]
    }

    mutating func finishGrowth() {
        defer { afterGrowth = nil }
        switch afterGrowth {
        case .move(let count): select((selectedIndex ?? 0) + count)
        case .end: select(notifications.count - 1)
        case .markAll: marked = Set(notifications.map(\.id))
        case nil: break
        }
    }

    /// Moves the selection. At the end of the list, the next page is loaded.
    mutating func move(_ count: Int) -> [Effect] {
        guard let index = selectedIndex else { return [] }
        if index + count >= notifications.count, isCut { return grow(.move(count)) }
        select(index + count)
        guard count > 0, index + count >= notifications.count, pagesUnderWay == 0, !place.isFiltered else {
            return []
        }
        let accounts = listedAccounts
        pagesUnderWay = accounts.count
        return Self.perform(.more(tab: place.tab), for: accounts)
    }
}
