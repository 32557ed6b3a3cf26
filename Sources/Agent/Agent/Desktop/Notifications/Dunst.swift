package import DBus

/// `org.dunstproject.cmd0`, on the notification server's object, the members we use.
package enum Dunst: Interface {
    package static let name: InterfaceName = "org.dunstproject.cmd0"

    package static let paused = Property<Bool>("paused", .readWrite)
    /// The closed popups, the newest first, as many as dunst's configuration keeps; since 1.9. Each has an `id`.
    package static let listHistory = Method(
        "NotificationListHistory",
        in: (),
        out: (Argument<[[String: Value]]>("notifications"))
    )
    package static let members: [any Member] = [paused, listHistory]
}
