package import AgentInterface
package import InboxPresentation

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

/// A request for notifications of one account.
package struct ListRequest: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The next ones after this number, at most ``pageSize``.
        case page(offset: Int)
        /// The first ones, which replace what is listed.
        case first(Int)
        /// All at once: what a search finds.
        case all
        /// These only, of which those that belong to the place come back.
        case these([String])
    }

    package static let pageSize = 50

    package var account: String
    package var place: Place
    package var part: Part
    /// A reply to a request of an earlier number is too late.
    package var generation: Int

    package var options: ListOptions {
        var options = place.options
        switch part {
        case .page(let offset):
            options.offset = UInt32(offset)
            options.limit = UInt32(Self.pageSize)
        case .first(let count): options.limit = UInt32(count)
        case .all: break
        case .these(let ids): options.ids = ids
        }
        return options
    }
}

/// The agent's reply to a ``ListRequest``.
package enum ListReply: Equatable, Sendable {
    /// - Parameter problem: Why some may be missing, as a sentence; empty: none are.
    case notifications([NotificationRecord], problem: String)
    /// The account has no such tab.
    case noTab
    /// In a sentence.
    case failed(String)
}
