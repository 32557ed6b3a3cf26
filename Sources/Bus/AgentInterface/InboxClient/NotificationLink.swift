import VisibleText

/// A link beside the notification's own: that of a button, of the subtext, or of the picture.
package struct NotificationLink: Equatable, Sendable {
    /// The argument `action` of ``AgentInbox/invoke``.
    package var id: String
    package var label: String
    /// Empty: it opens nothing.
    package var url: String

    /// The ``id`` of what the picture links to.
    package static let picture = "avatar"

    package static func all(of notification: NotificationRecord) -> [NotificationLink] {
        let buttons = notification.actions.map(NotificationActionRecord.init).map {
            NotificationLink(id: $0.id, label: $0.label, url: $0.url)
        }
        let parts = [
            NotificationLink(id: "subtext", label: notification.subtext, url: notification.subtextURL),
            // Translators: The label of a link: it opens what the picture of a notification links to.
            NotificationLink(id: picture, label: translated("Picture"), url: notification.avatarURL),
        ]
        return buttons + parts.filter { !$0.url.isEmpty }
    }

    /// Whether a click opens an address: where a button has none, it opens the notification's.
    ///
    /// - Parameter link: The ``id`` of what is clicked; nil: the notification.
    package static func opens(_ link: String?, of notification: NotificationRecord) -> Bool {
        if !notification.url.isEmpty { return true }
        guard let link else { return false }
        // The links of its text are not among them.
        return all(of: notification).first { $0.id == link }?.url.isEmpty != true
    }

    /// The id of a link in the text of a notification.
    ///
    /// - Parameter index: The number of links before it.
    package static func id(ofTextLink index: Int) -> String { "text-\(index + 1)" }

    /// The label and the URL, on one line.
    package var text: String { [label, url].filter { !$0.isEmpty }.joined(separator: " — ").onOneLine }
}
