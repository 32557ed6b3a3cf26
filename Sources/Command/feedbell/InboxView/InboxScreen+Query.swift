import AgentInterface
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
    mutating func filter(_ change: (inout InboxQuery) -> Void) -> [Effect] {
        var query = self.query
        change(&query)
        return query == self.query ? [] : show(query)
    }

    /// All categories, and then each of those that were listed.
    mutating func turnCategory() -> [Effect] {
        let all = inbox.categories.sorted()
        guard !all.isEmpty else {
            notice = .noCategories
            return []
        }
        let next = query.category.map { category in (all.firstIndex(of: category) ?? -1) + 1 } ?? 0
        return filter { $0.category = all.indices.contains(next) ? all[next] : nil }
    }

    /// Removes the marks, or shows the whole list again.
    mutating func goBack() -> [Effect] {
        if !marked.isEmpty {
            marked = []
            return []
        }
        guard query.isFiltered || query.view != .inbox else {
            notice = .unknownKey
            return []
        }
        return showTab(query.tab)
    }

    mutating func turn(_ count: Int) -> [Effect] {
        guard tabs.count > 1, let index = tabs.firstIndex(where: { $0.id == query.tab }) else { return [] }
        return showTab(tabs[(index + count + tabs.count) % tabs.count].id)
    }

    /// Shows a tab of the chosen accounts, without filters.
    mutating func showTab(_ tab: String) -> [Effect] {
        var query = InboxQuery(account: self.query.account)
        query.tab = tab
        return show(query)
    }

    /// All accounts, and then each of them.
    mutating func changeAccount() -> [Effect] {
        guard accounts.count > 1 else { return [] }
        let next = accounts.firstIndex { $0.name == query.account }.map { $0 + 1 } ?? 0
        return show(InboxQuery(account: accounts.indices.contains(next) ? accounts[next].name : nil))
    }

    /// The words and filters, for the heading; empty: there are none.
    var filterWords: [String] {
        var words: [String] = []
        // Translators: A filter: notifications that pop up again later.
        if query.view == .snoozed { words.append(translated("snoozed")) }
        if query.isUnreadOnly { words.append(translated("unread only")) }
        if let category = query.category { words.append(category.onOneLine) }
        if !query.search.isEmpty { words.append("/" + query.search.onOneLine) }
        return words
    }
}
