import AgentInterface
import DBus
import Inbox
import Logging

/// A click on a notification that the desktop still shows; a previous run may have shown it.
extension AccountSession {
    /// Whether the notification is loaded, or a popup of this or the previous run shows it.
    func isKnown(_ id: NotificationID) async -> Bool {
        if inbox[id] != nil { return true }
        return await popups.open(showing: reference(id)) != nil
    }

    /// Marks the notification as interacted, and opens its link, if it has one. Both also before the account is
    /// connected: the link is taken from the stored popup; without one, from the service.
    ///
    /// - Returns: Whether it has a link.
    /// - Throws: `NotFound` if the service has no such notification, and the errors of ``submit(_:isChecked:)``. If
    ///   only the link is unknown, its error is thrown after the notification is marked.
    func click(_ id: NotificationID, token: String?) async throws(DBusError) -> Bool {
        try await untilRestored()
        let links = await links(of: id)
        if case .failure(let error) = links, error.name == AgentErrors.notFound { throw error }
        try await submit([.interacted(id)], isChecked: false)
        switch links {
        case .success(let links):
            opener.open(links, token: token)
            return links.contains { !$0.isEmpty }
        case .failure(let error):
            logger.warning("link not opened: it is unknown", metadata: ["reason": "\(error.message)"])
            throw error
        }
    }

    /// The window's action that shows a notification.
    nonisolated func showing(_ id: NotificationID) -> WindowAction {
        .show(account: identity.name, id: id.rawValue)
    }

    /// The links that a click on the button `key` of a popup may open, the best first; nil: the notification or the
    /// button is unknown.
    func links(of key: String, _ id: NotificationID) -> [String]? {
        guard let notification = inbox[id] else { return nil }
        return key == Popup.defaultKey
            ? notification.links : notification.actions.first { $0.id == key }.map { [$0.url] }
    }

    /// The links that a click on the notification may open, the best first.
    private func links(of id: NotificationID) async -> Result<[String], DBusError> {
        if let notification = inbox[id] { return .success(notification.links) }
        if let popup = await popups.open(showing: reference(id)) { return .success(popup.link.map { [$0.text] } ?? []) }
        do { return .success(try await notification(id).links) } catch { return .failure(error) }
    }
}
