import AgentInterface
import InboxPresentation
import Translation
import VisibleText

/// The choice of what is listed: words, filters, tabs and accounts.
extension InboxScreen {
    mutating func pressInSearch(_ key: TerminalKey, _ words: String) -> [Effect] {
        if key == .enter {
            mode = .list
            return filter { $0.search = words }
        }
        mode = Self.edited(words, by: key).map(Mode.search) ?? .list
        return []
    }

    /// Changes the words or the filters.
    mutating func filter(_ change: (inout Place) -> Void) -> [Effect] {
        var place = self.place
        change(&place)
        if place == self.place { return [] }
        place.limit = Place.defaultLimit
        return show(place)
    }

    /// All categories, and then each of those that were listed.
    mutating func turnCategory() -> [Effect] {
        let all = categories.sorted()
        guard !all.isEmpty else {
            notice = .noCategories
            return []
        }
        let next = place.category.map { category in (all.firstIndex(of: category) ?? -1) + 1 } ?? 0
        return filter { $0.category = all.indices.contains(next) ? all[next] : nil }
    }

    /// Removes the marks, or shows the whole list again.
    mutating func goBack() -> [Effect] {
        if !marked.isEmpty {
            marked = []
            return []
        }
        guard place.isFiltered else {
            notice = .unknownKey
            return []
        }
        return show(Place(account: place.account, tab: place.tab))
    }

    mutating func turn(_ count: Int) -> [Effect] {
        guard tabs.count > 1, let index = tabs.firstIndex(where: { $0.id == place.tab }) else { return [] }
        return show(Place(account: place.account, tab: tabs[(index + count + tabs.count) % tabs.count].id))
    }

    /// All accounts, and then each of them.
    mutating func changeAccount() -> [Effect] {
        guard accounts.count > 1 else { return [] }
        let next = accounts.firstIndex { $0.name == place.account }.map { $0 + 1 } ?? 0
        return show(Place(account: accounts.indices.contains(next) ? accounts[next].name : nil))
    }

    /// The words and filters, for the heading; empty: there are none.
    var filterWords: [String] {
        var words: [String] = []
        // Translators: A filter: notifications that pop up again later.
        if place.isSnoozed { words.append(translated("snoozed")) }
        if place.isUnreadOnly { words.append(translated("unread only")) }
        if let category = place.category { words.append(category.onOneLine) }
        if !place.search.isEmpty { words.append("/" + place.search.onOneLine) }
        return words
    }
}
