import DBus
package import Desktop
import Inbox

extension DesktopNotification {
    /// The name of Feedbell's desktop entry, without `.desktop`, and of its icon.
    package static let desktopEntry = "org.feedbell.Agent"

    /// The arguments of the `Notify` call for a popup.
    ///
    /// - Parameter icon: The name of the program's icon, or its path.
    init(_ popup: Popup, icon: String) {
        var hints: [String: Value] = ["urgency": .byte(popup.urgency), "desktop-entry": .string(Self.desktopEntry)]
        if !popup.category.isEmpty { hints["category"] = .string(popup.category) }
        if popup.isResident { hints["resident"] = .bool(true) }
        // Xfce takes the presence of the hint for true.
        if popup.isTransient { hints["transient"] = .bool(true) }
        // A path: swaync shows no file URL.
        if !popup.picture.isEmpty { hints["image-path"] = .string(popup.picture) }
        if !popup.origin.isEmpty { hints["x-kde-origin-name"] = .string(popup.origin) }
        self.init(
            appName: "Feedbell",
            appIcon: icon,
            summary: popup.summary,
            body: popup.body,
            actions: popup.buttons.map { (key: $0.key, label: $0.label) },
            hints: hints,
            expireTimeout: popup.timeout
        )
    }
}
