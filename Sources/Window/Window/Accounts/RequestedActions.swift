package import AgentInterface

/// The actions that other programs request of accounts: they may name anything.
///
/// An action is performed when the accounts are known, and only for one of them.
package struct RequestedActions: Equatable, Sendable {
    /// nil: they are not known yet.
    private var accounts: Set<String>?
    /// The last action while the accounts are unknown.
    private var waiting: WindowAction?

    package init() {}

    /// - Returns: The action, if it is to be performed now.
    package mutating func admit(_ action: WindowAction) -> WindowAction? {
        // The inbox waits itself for the account of a notification.
        if case .show = action { return action }
        guard let account = action.account else { return action }
        guard let accounts else {
            waiting = action
            return nil
        }
        return accounts.contains(account) ? action : nil
    }

    /// - Parameter names: Those of all accounts.
    /// - Returns: The action that has waited for them, if it is one of theirs.
    package mutating func accountsAre(_ names: [String]) -> WindowAction? {
        accounts = Set(names)
        guard let action = waiting else { return nil }
        waiting = nil
        return admit(action)
    }
}
