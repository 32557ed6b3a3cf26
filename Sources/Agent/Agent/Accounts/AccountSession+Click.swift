import AgentInterface
import DBus
import Inbox
import Logging

/// Clicks on notifications, and calls that do the same.
extension AccountSession {
    /// Marks a notification as interacted, and opens its link. One that cannot be opened is reported, and nothing is
    /// marked. The mark is on disk before the link is opened: if the agent is killed in between, it is not opened.
    ///
    /// - Parameter target: The link; nil: there is none.
    /// - Returns: Whether there is a link.
    /// - Throws: The errors of ``submit(_:isChecked:)``, unless a popup was clicked; those of ``LinkRequest``.
    func follow(
        _ id: NotificationID,
        _ request: LinkRequest,
        _ target: (LinkReader) throws(LinkReader.Problem) -> OpenableURL?
    ) async throws(DBusError) -> Bool {
        let reader = await reader
        let url: OpenableURL?
        do throws(LinkReader.Problem) { url = try target(reader) } catch {
            try request.refuse(LinkFailure(error, account: identity.name), opener)
            return true
        }
        switch request {
        case .popup: await submitLoggingErrors(.interacted(id))
        case .application, .call: try await submit([.interacted(id)], isChecked: false)
        }
        guard let url else { return false }
        try await request.open(url, opener)
        await opened(id)
        return true
    }

    /// Whether the notification is loaded, or a popup of this or the previous run shows it.
    func isKnown(_ id: NotificationID) async -> Bool {
        if inbox[id] != nil { return true }
        return await popups.open(showing: reference(id)) != nil
    }

    /// Follows a notification that the desktop still shows; a previous run may have shown it. Also before the account
    /// is connected: the link is taken from the stored popup; without one, from the service.
    ///
    /// - Returns: Whether it has a link.
    /// - Throws: `NotFound` if the service has no such notification, and the errors of ``submit(_:isChecked:)``. If
    ///   only the link is unknown, its error is thrown after the notification is marked.
    func click(_ id: NotificationID, token: String?) async throws(DBusError) -> Bool {
        try await untilRestored()
        let found = await clickable(id)
        if case .failure(let error) = found, error.name == AgentErrors.notFound { throw error }
        let hasLink = try await follow(id, .application(token: token)) { (reader) throws(LinkReader.Problem) in
            if case .success(let clicked) = found { try clicked.target(reader) } else { nil }
        }
        if case .failure(let error) = found {
            logger.warning("link not opened: it is unknown", metadata: ["reason": "\(error.message)"])
            throw error
        }
        return hasLink
    }

    /// Follows a notification whose popup was clicked.
    ///
    /// - Parameters:
    ///   - key: The popup's button.
    ///   - shown: The link when the popup was shown.
    /// - Returns: Whether the button has a link.
    func popupClicked(_ id: NotificationID, key: String, shown: OpenableURL?, token: String?) async -> Bool {
        let hasLink = try? await follow(id, .popup(token: token)) { (reader) throws(LinkReader.Problem) in
            try self.target(of: key, id, shown: shown, reader)
        }
        return hasLink ?? true
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
    private func target(
        of key: String,
        _ id: NotificationID,
        shown: OpenableURL?,
        _ reader: LinkReader
    ) throws(LinkReader.Problem) -> OpenableURL? {
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
