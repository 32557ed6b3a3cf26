/// The accounts whose inboxes were opened: their badges restart.
package struct OpenedInboxes: Equatable, Sendable {
    private var names: Set<String> = []

    package init() {}

    /// Opens the inboxes of accounts: each by its first list.
    ///
    /// - Returns: The accounts whose badge has to be reset.
    package mutating func open(_ accounts: [AccountState], in lists: NotificationLists) -> [AccountState] {
        accounts.filter { account in
            // While it is not counted, its badge is unknown.
            guard lists.lists[account.name]?.isLoaded == true, account.isCounted else { return false }
            return names.insert(account.name).inserted && account.badge > 0
        }
    }
}
