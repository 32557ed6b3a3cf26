import AgentInterface
import VisibleText

/// The table of preferences.
extension InboxScreen {
    /// Shows the preferences of the selected notification's account, or of the first one that has some.
    mutating func showPreferences() -> [Effect] {
        let able = preferenceAccounts
        let name = query.account ?? selection?.account
        guard let account = able.first(where: { $0.name == name }) ?? able.first else {
            notice = .failed(translated("No account's service has preferences."))
            return []
        }
        return showPreferences(of: account)
    }

    /// The accounts whose services have preferences.
    var preferenceAccounts: [AccountState] { accounts.filter { $0.has(.preferences) } }

    private mutating func showPreferences(of account: AccountState) -> [Effect] {
        let hasSwitches = account.has(.categoryPreferences)
        mode = .preferences(PreferenceTable(account: account.name, hasCategorySwitches: hasSwitches))
        return [.loadPreferences(account: account.name)]
    }

    mutating func preferencesLoaded(_ account: String, _ categories: [CategoryRecord], _ failure: String?) {
        guard case .preferences(var table) = mode, table.account == account else { return }
        table.load(categories, failure: failure)
        if let failure, !table.categories.isEmpty { notice = .failed(failure) }
        mode = .preferences(table)
    }

    /// The agent has changed something, or a change has ended.
    func reloadPreferences() -> [Effect] {
        if case .preferences(let table) = mode { [.loadPreferences(account: table.account)] } else { [] }
    }

    mutating func pressInPreferences(_ key: TerminalKey, _ shown: PreferenceTable) -> [Effect] {
        var table = shown
        var effects: [Effect] = []
        switch (key, keys.function(of: key)) {
        case (.character(" "), _), (_, .show):
            if let request = table.toggle() {
                effects = [.send(request, account: table.account)]
            } else if !table.categories.isEmpty {
                notice = .failed(translated("Cannot be changed."))
            }
        case (.left, _), (.character("h"), _), (.backTab, _): table.move(rows: 0, columns: -1)
        case (.right, _), (.character("l"), _), (.tab, _): table.move(rows: 0, columns: 1)
        case (_, .up): table.move(rows: -1, columns: 0)
        case (_, .down): table.move(rows: 1, columns: 0)
        case (_, .pageUp): table.move(rows: -bodyRows, columns: 0)
        case (_, .pageDown): table.move(rows: bodyRows, columns: 0)
        case (_, .first): table.move(rows: -table.categories.count, columns: 0)
        case (_, .last): table.move(rows: table.categories.count, columns: 0)
        case (_, .nextAccount):
            let able = preferenceAccounts
            guard able.count > 1, let index = able.firstIndex(where: { $0.name == table.account }) else { return [] }
            return showPreferences(of: able[(index + 1) % able.count])
        case (_, .back), (_, .quit), (_, .preferences), (.backspace, _):
            if isForPreferences { return [.quit] }
            mode = .list
            return []
        default: notice = .unknownKey
        }
        mode = .preferences(table)
        return effects
    }
}
