/// `org.freedesktop.Notifications` (Desktop Notifications Specification 1.3).
public enum FreedesktopNotifications: Interface {
    /// `org.freedesktop.Notifications`
    public static let name: InterfaceName = "org.freedesktop.Notifications"
    /// The name a notification server owns.
    public static let busName: BusName = "org.freedesktop.Notifications"
    /// The path of the server's object.
    public static let path: ObjectPath = "/org/freedesktop/Notifications"

    /// Shows a popup, or replaces the one with the id `replaces_id`. Actions are a flat list: key, label, key, label.
    /// The timeout is in milliseconds; -1: the server's default, 0: never.
    public static let notify = Method(
        "Notify",
        in: (
            Argument<String>("app_name"), Argument<UInt32>("replaces_id"), Argument<String>("app_icon"),
            Argument<String>("summary"), Argument<String>("body"), Argument<[String]>("actions"),
            Argument<[String: Value]>("hints"), Argument<Int32>("expire_timeout")
        ),
        out: (Argument<UInt32>("id"))
    )
    /// Closes a popup.
    public static let closeNotification = Method("CloseNotification", in: (Argument<UInt32>("id")), out: ())
    /// The server's capabilities.
    public static let getCapabilities = Method("GetCapabilities", in: (), out: (Argument<[String]>("capabilities")))
    /// The server's name, vendor and version, and the version of the specification.
    public static let getServerInformation = Method(
        "GetServerInformation",
        in: (),
        out: (
            Argument<String>("name"), Argument<String>("vendor"), Argument<String>("version"),
            Argument<String>("spec_version")
        )
    )
    /// The results of ``getServerInformation`` in the specification's order. Deepin's and UKUI's servers return the
    /// version of the specification first.
    package static func ordered(
        _ information: (String, String, String, String)
    ) -> (name: String, vendor: String, version: String, specification: String) {
        let (first, second, third, fourth) = information
        let beginsWithVersion = !first.isEmpty && first.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
        return beginsWithVersion ? (second, third, fourth, first) : information
    }
    /// A popup was closed. Reasons: 1 expired, 2 dismissed by the user, 3 `CloseNotification`, 4 undefined.
    public static let notificationClosed = Signal(
        "NotificationClosed",
        (Argument<UInt32>("id"), Argument<UInt32>("reason"))
    )
    /// The user chose an action.
    public static let actionInvoked = Signal("ActionInvoked", (Argument<UInt32>("id"), Argument<String>("action_key")))
    /// Emitted before ``actionInvoked``: the token that lets a program take the focus (an X11 startup id or a Wayland
    /// activation token).
    public static let activationToken = Signal(
        "ActivationToken",
        (Argument<UInt32>("id"), Argument<String>("activation_token"))
    )
    /// All members.
    public static let members: [any Member] = [
        notify, closeNotification, getCapabilities, getServerInformation, notificationClosed, actionInvoked,
        activationToken,
    ]
}
