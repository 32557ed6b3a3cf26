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
    /// connected: the link is taken from the stored popup; without one, from the service. A link that cannot be opened
    /// is reported to the user, and nothing is marked.
    ///
    /// - Returns: Whether it has a link.
    /// - Throws: `NotFound` if the service has no such notification, and the errors of ``submit(_:isChecked:)``. If
    ///   only the link is unknown, its error is thrown after the notification is marked.
    func click(_ id: NotificationID, token: String?) async throws(DBusError) -> Bool {
        try await untilRestored()
        let found = await clickable(id)
        if case .failure(let error) = found, error.name == AgentErrors.notFound { throw error }
        var url: OpenableURL?
        if case .success(let clicked) = found {
            do throws(LinkReader.Problem) { url = try clicked.target(await reader) } catch {
                opener.reject(LinkFailure(error, account: identity.name))
                return true
            }
        }
        try await submit([.interacted(id)], isChecked: false)
        if case .failure(let error) = found {
            logger.warning("link not opened: it is unknown", metadata: ["reason": "\(error.message)"])
            throw error
        }
        if let url {
            opener.open(url, token: token)
            await opened(id)
        }
        return url != nil
    }

    /// Whether a notification is archived when its link was opened.
    var archivesOpened: Bool { archivesOnClick && service.capabilities.contains(.archive) }

    /// The configuration has changed.
    func set(archivesOnClick: Bool) {
        guard archivesOnClick != self.archivesOnClick else { return }
        self.archivesOnClick = archivesOnClick
        publication.publish(capabilities: capabilityNames)
    }

    /// The link of a notification was opened.
    func opened(_ id: NotificationID) async {
        guard archivesOpened, inbox[id]?.isArchived != true else { return }
        await submitLoggingErrors(.archive(id))
    }

    /// The window's action that shows a notification.
    nonisolated func showing(_ id: NotificationID) -> WindowAction {
        .show(account: identity.name, id: id.rawValue)
    }

    /// The link that a click on the button `key` of a popup opens; nil: none.
    ///
    /// - Parameter shown: The link when the popup was shown, if the notification or the button is unknown now.
    func target(
        of key: String,
        _ id: NotificationID,
        shown: OpenableURL?
    ) async throws(LinkReader.Problem) -> OpenableURL? {
        let reader = await reader
        if let notification = inbox[id] {
            if key == Popup.defaultKey { return try notification.target(reader) }
            if let button = notification.actions.first(where: { $0.id == key }) {
                return try notification.target(of: button.url, reader)
            }
        }
        return try reader.url(shown: shown)
    }

    /// The targets of a click on a notification.
    private enum Clicked {
        case notification(Notification)
        /// The link of a popup that the server still shows.
        case popup(OpenableURL?)

        func target(_ reader: LinkReader) throws(LinkReader.Problem) -> OpenableURL? {
            switch self {
            case .notification(let notification): try notification.target(reader)
            case .popup(let url): try reader.url(shown: url)
            }
        }
    }

    private func clickable(_ id: NotificationID) async -> Result<Clicked, DBusError> {
        if let notification = inbox[id] { return .success(.notification(notification)) }
        if let popup = await popups.open(showing: reference(id)) { return .success(.popup(popup.link)) }
        do { return .success(.notification(try await notification(id))) } catch { return .failure(error) }
    }
}
