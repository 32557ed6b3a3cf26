/// A button of popups that is not the sender's (`popups.buttons`).
package enum PopupAction: String, Sendable, CaseIterable {
    case read, archive, snooze, mute

    /// How long the buttons put a notification off, and mute its category.
    package static let snoozeDuration = Duration.seconds(3600)
    package static let muteDuration = Duration.seconds(3600)

    private static let prefix = "feedbell-"

    /// The key of its button. The keys of senders' buttons are others: the services number their buttons.
    var key: String { Self.prefix + rawValue }

    /// The action of a button with this key; nil: it is not one of these.
    init?(key: String) {
        guard key.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(key.dropFirst(Self.prefix.count)))
    }

    var button: Popup.Button { Popup.Button(key: key, label: label, url: nil) }

    private var label: String {
        switch self {
        case .read: PopupText.read
        case .archive: PopupText.archive
        case .snooze: PopupText.snooze
        case .mute: PopupText.mute
        }
    }
}
