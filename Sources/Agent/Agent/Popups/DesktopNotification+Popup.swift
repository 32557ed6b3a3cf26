import DBus
import Inbox

extension DesktopNotification {
    /// The name of Feedbell's desktop entry, without `.desktop`, and of its icon.
    package static let desktopEntry = "org.feedbell.Agent"

    /// The arguments of the `Notify` call for a popup.
    ///
    /// - Parameters:
    ///   - icon: The name of the program's icon, or its path.
    ///   - pixels: The pixels of its picture, for a server that does not show the file.
    ///   - quirks: Those of the server.
    init(_ popup: Popup, icon: String, pixels: PicturePixels? = nil, quirks: ServerQuirks) {
        var hints: [String: Value] = [
            "urgency": .byte(quirks.urgency(of: popup)), "desktop-entry": .string(Self.desktopEntry),
        ]
        if !popup.category.isEmpty { hints["category"] = .string(popup.category) }
        if popup.isResident { hints["resident"] = .bool(true) }
        // Xfce takes the presence of the hint for true.
        if popup.isTransient { hints["transient"] = .bool(true) }
        // A path: swaync shows no file URL.
        if let pixels {
            hints["image-data"] = pixels.hint
        } else if !popup.picture.isEmpty {
            hints["image-path"] = .string(popup.picture)
        }
        if !popup.origin.isEmpty { hints["x-kde-origin-name"] = .string(popup.origin) }
        switch popup.sound {
        case .silent: hints["suppress-sound"] = .bool(true)
        case .theme(let name): hints["sound-name"] = .string(name)
        case .file(let path): hints["sound-file"] = .string(path)
        case nil: break
        }
        self.init(
            appName: "Feedbell",
            appIcon: popup.icon.isEmpty ? icon : popup.icon,
            summary: quirks.summary(of: popup),
            body: popup.body,
            actions: quirks.actions(of: popup).map { (key: $0.key, label: $0.label) },
            hints: hints,
            expireTimeout: popup.timeout
        )
    }
}

extension PicturePixels {
    /// Desktop Notifications Specification 1.3, "Icons and Images": width, height, bytes of a row, opacity, bits of a
    /// sample, samples of a pixel, and the pixels.
    fileprivate var hint: Value {
        .structure([
            .int32(Int32(clamping: side)), .int32(Int32(clamping: side)), .int32(Int32(clamping: side * 4)),
            .bool(true), .int32(8), .int32(4), .bytes(bytes),
        ])
    }
}
