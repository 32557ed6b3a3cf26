import DBus
package import Desktop
import Inbox

extension DesktopNotification {
    /// The name of Feedbell's desktop entry, without `.desktop`, and of its icon.
    package static let desktopEntry = "org.feedbell.Agent"

    /// The arguments of the `Notify` call for a popup.
    init(_ popup: Popup) {
        var hints: [String: Value] = ["urgency": .byte(popup.urgency), "desktop-entry": .string(Self.desktopEntry)]
        if !popup.category.isEmpty { hints["category"] = .string(popup.category) }
        if popup.isResident { hints["resident"] = .bool(true) }
        self.init(
            appName: "Feedbell",
            appIcon: Self.desktopEntry,
            summary: popup.summary,
            body: popup.body,
            actions: popup.buttons.map { (key: $0.key, label: $0.label) },
            hints: hints,
            expireTimeout: popup.timeout
        )
    }
}
