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

    mutating func scrollToSelection() {
        let index = selectedIndex ?? 0
        top = max(0, min(top, notifications.count - bodyRows))
        if index < top { top = index }
        if index >= top + bodyRows { top = index - max(0, bodyRows - 1) }
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
