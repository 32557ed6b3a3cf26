import AgentInterface
import VisibleText

/// The lines above the list.
extension InboxPage {
    /// A line above the list: a problem, and advice.
    package struct Banner: Equatable, Sendable {
        /// What it is about. While only its text changes, it stays the same.
        package enum Topic: Hashable, Sendable {
            case agent
            case account(String)
            /// Accounts without a connection.
            case connection
            /// Notifications that are missing in the lists of accounts.
            case lists
        }

        package var topic: Topic
        package var text: String
        /// nil: it has none.
        package var button: Button?
        /// Whether the user must act.
        package var isUrgent: Bool
    }

    /// Empty where the page in the place of the list says why there is none.
    package var banners: [Banner] {
        if let notice = agentNotice {
            return rows.isEmpty
                ? [] : [Banner(topic: .agent, text: notice.text, button: notice.button, isUrgent: true)]
        }
        if agent == .starting || unlistedAccount != nil { return [] }
        let refused = shownAccounts.filter(\.mustSignIn).map(signInBanner)
        return refused + [connectionBanner, listsBanner].compactMap(\.self)
    }

    private func signInBanner(_ account: AccountState) -> Banner {
        Banner(
            topic: .account(account.name),
            text: signInLine(account),
            button: .signIn(account),
            isUrgent: account.missingToken == nil
        )
    }

    /// What is said of accounts without a connection. Why is on the page of the accounts.
    static var notConnected: String {
        translated("Not connected. Notifications come as soon as there is a connection.")
    }

    /// One for all accounts that have no connection, if the list is older for it.
    private var connectionBanner: Banner? {
        let offline = shownAccounts.filter { account in
            let isOld = account.asOf != 0 || lists.lists[account.name]?.failure != nil
            return isOld && !account.isOnline && !account.mustSignIn
        }
        if offline.isEmpty { return nil }
        let state =
            offline.count == shownAccounts.count
            ? Self.notConnected
            : translated(
                "Not connected: {accounts}. Their notifications come as soon as there is a connection.",
                ["accounts": translatedList(offline.map(\.name.nameLine))]
            )
        let count = offline.map(\.waitingActions).reduce(0, +)
        let waiting =
            count == 0
            ? nil
            : translated(
                "{count} of your changes is sent then, too.",
                plural: "{count} of your changes are sent then, too.",
                count: count
            )
        return Banner(
            topic: .connection,
            text: translatedParagraph([state, waiting]),
            button: .retry,
            isUrgent: false
        )
    }

    /// One for all accounts that are connected and of which notifications are missing.
    private var listsBanner: Banner? {
        let incomplete = shownAccounts.filter { $0.isOnline && lists.isIncomplete($0.name) }
        if incomplete.isEmpty { return nil }
        let text =
            accounts.count == 1
            ? translated("Some notifications could not be loaded.")
            : translated(
                "Some notifications could not be loaded: {accounts}.",
                ["accounts": translatedList(incomplete.map(\.name.nameLine))]
            )
        return Banner(topic: .lists, text: text, button: .retry, isUrgent: false)
    }

    func signInLine(_ account: AccountState) -> String {
        account.missingToken == .notSignedIn ? account.signInText : named(account, account.signInText)
    }

    func named(_ account: AccountState, _ text: String) -> String {
        accounts.count > 1 ? "\(account.name.nameLine): \(text)" : text
    }
}
