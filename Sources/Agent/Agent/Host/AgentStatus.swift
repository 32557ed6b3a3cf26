import VisibleText

/// The state of the agent and its accounts, as a sentence for the service manager.
struct AgentStatus: Equatable, Sendable {
    struct Account: Equatable, Sendable {
        var name: String
        var isOnline: Bool
        var needsAttention: Bool
    }

    var accounts: [Account] = []
    var isPaused = false
    /// Whether a part of the configuration, or a change of it, cannot be used.
    var isConfigurationRejected = false

    /// The maximum number of accounts listed by name.
    private static let namedAccounts = 3

    /// The sentence, without secrets.
    var sentence: String {
        var parts: [String] = []
        switch accounts.count {
        case 0: parts.append("No account is configured")
        case 1: parts.append("\(named(accounts[0])) is \(accounts[0].isOnline ? "online" : "not online")")
        default: parts.append("\(accounts.count { $0.isOnline }) of \(accounts.count) accounts are online")
        }
        let concerned = accounts.filter(\.needsAttention)
        if !concerned.isEmpty {
            let more = concerned.count > Self.namedAccounts ? " and others" : ""
            let names = concerned.prefix(Self.namedAccounts).map(named).joined(separator: ", ")
            parts.append("\(names)\(more) cannot sign in, see feedbell status")
        }
        if isPaused { parts.append("popups are paused") }
        if isConfigurationRejected { parts.append("not all of the configuration is used, see feedbell status") }
        return parts.joined(separator: "; ")
    }

    private func named(_ account: Account) -> String { "\"\(VisibleText.line(account.name))\"" }
}
