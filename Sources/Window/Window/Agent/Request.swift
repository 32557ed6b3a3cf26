package import AgentInterface

/// A request that changes something, of one account.
package struct Request: Hashable, Sendable {
    /// The account's name.
    package var account: String
    package var call: InboxCall

    package init(_ account: String, _ call: InboxCall) {
        self.account = account
        self.call = call
    }

    /// Whether it is the user's action, which is performed also if the window is closed meanwhile.
    package var isAction: Bool {
        switch call {
        case .refresh, .reconnect: false
        default: true
        }
    }
}

/// The agent's reply to the question which rules apply to a notification.
package enum RuleTest: Equatable, Sendable {
    case checks([RuleCheckRecord])
    /// In a sentence.
    case failed(String)
}
