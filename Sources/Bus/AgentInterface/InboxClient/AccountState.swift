package import DBus

/// An account as the agent reports it.
package struct AccountState: Equatable, Sendable {
    /// A function that an account's service, or the agent, has.
    package enum Capability: String, Sendable {
        case archive, unarchive, delete, seen, preferences, topics
        case serverBadge = "server-badge"
        case signIn = "sign-in"
        case newToken = "new-token"
        case archiveOnClick = "archive-on-click"
        case categoryPreferences = "category-preferences"
    }

    package struct Tab: Equatable, Sendable {
        /// Empty: the whole inbox.
        package var id: String
        package var label: String
        package var unread: Int

        package init(id: String, label: String, unread: Int) {
            self.id = id
            self.label = label
            self.unread = unread
        }
    }

    package var account: PropertyValues<AgentAccount>
    package var inbox: PropertyValues<AgentInbox>

    /// - Parameter object: The properties of each interface.
    package init(_ object: [String: [String: Value]]) {
        account = PropertyValues(in: object)
        inbox = PropertyValues(in: object)
    }

    package var name: String { account[AgentAccount.accountName] ?? "" }

    /// The name of its service on the bus.
    package var provider: String { account[AgentAccount.provider] ?? "" }

    /// The user that the service knows; empty: not known yet.
    package var user: String { account[AgentAccount.user] ?? "" }

    /// The file that configures it; nil: an agent of an earlier version does not say it.
    package var origin: AccountOrigin? { account[AgentAccount.origin].flatMap(AccountOrigin.init(rawValue:)) }

    /// The number of actions that were not sent yet.
    package var waitingActions: Int { Int(account[AgentAccount.pendingActions] ?? 0) }

    package var state: String { account[AgentAccount.state] ?? "" }

    package var isOnline: Bool { state == "online" }

    /// Whether the service has no token of the user that it accepts.
    package var mustSignIn: Bool { state == "unauthorized" }

    /// Why ``mustSignIn`` is no fault; nil: it is one, or false.
    package var missingToken: MissingToken? { mustSignIn ? account.missingToken : nil }

    /// Whether the user can end ``mustSignIn``; otherwise only an administrator can.
    package var canSignIn: Bool { has(.signIn) || has(.newToken) }

    /// Whether a sign-in with the browser has ended, so that the user has to sign in again.
    package var hasSignInEnded: Bool {
        mustSignIn && account[AgentAccount.lastError]?.elements.0 == AgentErrors.signInEnded.text
    }

    /// The hosts of the server to sign in to with the browser, and of the one that gives the token then.
    package var signInServers: (server: String, backend: String) {
        account[AgentAccount.signInServers]?.elements ?? ("", "")
    }

    /// The sign-in with the browser that is under way; nil: none is.
    package var signInRequest: SignInRequest? {
        account[AgentAccount.signInRequest].flatMap { SignInRequest($0) }
    }

    /// Whether the user must act.
    package var needsAttention: Bool { account[AgentAccount.attentionNeeded] ?? false }

    /// When the next attempt to connect is made, in milliseconds since the Unix epoch; 0: none is scheduled.
    package var nextAttempt: Int64 { account[AgentAccount.nextAttempt] ?? 0 }

    /// In how many milliseconds the seconds until ``nextAttempt`` are others; nil: no attempt is awaited.
    package func attemptChange(now: Int64) -> Int64? {
        nextAttempt > now && !isOnline ? (nextAttempt - now - 1) % 1000 + 1 : nil
    }

    /// The sentence of the last error; empty: there is none.
    package var lastError: String { account[AgentAccount.lastError]?.elements.1 ?? "" }

    /// When the list was last what the service has, in milliseconds since the Unix epoch; 0: it is.
    package var asOf: Int64 { inbox[AgentInbox.asOf] ?? 0 }

    /// Whether its list is what the service has again, or is known for the first time.
    package func isCurrentAgain(after before: AccountState) -> Bool {
        asOf == 0 && before.asOf != 0 || isCounted && !before.isCounted
    }

    /// Whether the service has ever reported the inbox.
    package var isCounted: Bool { account.isCounted }

    /// When the list was last what the service has, in words; nil: it is.
    package func age(now: Int64) -> String? { AccountText.age(of: asOf, account, now: now) }

    /// The number of all notifications, loaded or not; nil: it is unknown.
    package var total: Int? { isCounted ? inbox[AgentInbox.totalCount].map { Int($0) } : nil }

    package var unread: Int { isCounted ? inbox.shownUnread : 0 }

    /// The number since the inbox was last opened; 0 also if opening it does not change the number.
    package var badge: Int { has(.serverBadge) ? Int(inbox[AgentInbox.badgeCount] ?? 0) : 0 }

    /// Not including the whole inbox.
    package var tabs: [Tab] {
        (inbox[AgentInbox.tabs] ?? []).map { tab in
            let (id, label, unread) = tab.elements
            return Tab(id: id, label: label.isEmpty ? id : label, unread: inbox.shown(Int(unread), of: id))
        }
    }

    package func has(_ capability: Capability) -> Bool {
        account[AgentAccount.capabilities]?.contains(capability.rawValue) ?? false
    }
}

extension [AccountState.Tab] {
    /// The tabs with each id as one, with the sum of their numbers.
    package var summed: [AccountState.Tab] {
        var tabs: [AccountState.Tab] = []
        for tab in self {
            if let index = tabs.firstIndex(where: { $0.id == tab.id }) {
                tabs[index].unread += tab.unread
            } else {
                tabs.append(tab)
            }
        }
        return tabs
    }
}
