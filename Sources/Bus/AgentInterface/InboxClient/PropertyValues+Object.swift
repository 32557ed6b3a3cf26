package import DBus

extension PropertyValues {
    /// The properties of this interface among those of an object.
    package init(in object: [String: [String: Value]]) { self.init(object[I.name.text] ?? [:]) }

    /// The value of a property; nil if there is none of its type.
    package subscript<Content>(property: InterfaceProperty<I, Content>) -> Content? { try? value(property) }
}

extension PropertyValues<AgentInbox> {
    /// The number of unread notifications that badges show: without those that are not listed, as they are snoozed.
    package var shownUnread: Int { shown(Int(self[AgentInbox.unreadCount] ?? 0), of: "") }

    /// - Parameter tab: The tab's id; empty: the whole inbox.
    func shown(_ unread: Int, of tab: String) -> Int {
        max(0, unread - Int(self[AgentInbox.hiddenUnread]?[tab] ?? 0))
    }
}

/// Why an account has no token, which is no fault.
package enum MissingToken: Sendable {
    /// The user has never signed in here.
    case notSignedIn
    /// The user has signed out here.
    case signedOut
}

extension PropertyValues<AgentAccount> {
    /// nil: there is a token, or its source fails.
    package var missingToken: MissingToken? {
        switch self[AgentAccount.lastError]?.elements.0 {
        case AgentErrors.signedOut.text: .signedOut
        case AgentErrors.notSignedIn.text: .notSignedIn
        default: nil
        }
    }
}
