package import DBus
import VisibleText

/// An action that the agent has taken back.
package struct Undone: Equatable, Sendable {
    /// The account's name.
    package var account: String
    /// The name of the method that was taken back; empty: it was sent, and the service cannot reverse it.
    package var action: String
    /// The notifications that are back.
    package var ids: [String]

    package init(account: String, action: String, ids: [String]) {
        self.account = account
        self.action = action
        self.ids = ids
    }

    /// Takes the last step back. It starts no agent.
    ///
    /// - Parameters:
    ///   - root: The agent's own object.
    ///   - account: The account's name; empty: any.
    package init(on root: Proxy, account: String) async throws(DBusError) {
        let (account, action, ids) = try await root.call(AgentRoot.undo, account, autoStart: false)
        self.init(account: account, action: action, ids: ids)
    }

    /// Takes the newest act back, in all accounts that it concerned. It starts no agent.
    ///
    /// - Parameter root: The agent's own object.
    package static func all(on root: Proxy) async throws(DBusError) -> [Undone] {
        try await root.call(AgentRoot.undoAll, autoStart: false).map(\.elements).map {
            Undone(account: $0.0, action: $0.1, ids: $0.2)
        }
    }

    /// Whether nothing was taken back in this account.
    package var hasFailed: Bool { action.isEmpty }

    /// Why there is nothing to show for it, in a sentence; nil for an error of another kind.
    package static func sentence(_ error: ErrorName) -> String? {
        switch error {
        case AgentErrors.notFound: translated("There is nothing to take back.")
        case AgentErrors.notSupported: wasSent
        default: nil
        }
    }

    private static var wasSent: String {
        translated("It was sent to the service already, which cannot take it back.")
    }

    /// A sentence about the notifications that are back.
    package var sentence: String {
        switch action {
        case _ where hasFailed: Self.wasSent
        case AgentInbox.archive.name.text:
            translated(
                "{count} archived notification is back.",
                plural: "{count} archived notifications are back.",
                count: ids.count
            )
        case AgentInbox.delete.name.text:
            translated(
                "{count} deleted notification is back.",
                plural: "{count} deleted notifications are back.",
                count: ids.count
            )
        case AgentInbox.markAllRead.name.text where !ids.isEmpty:
            translated(
                "{count} notification is unread again.",
                plural: "{count} notifications are unread again.",
                count: ids.count
            )
        case AgentInbox.markAllRead.name.text: translated("Marking everything as read was taken back.")
        case AgentInbox.snooze.name.text: translated("The last snooze was taken back.")
        default: translated("Taken back")
        }
    }
}
