package import DBus

/// Plasma's addition to `org.freedesktop.Notifications`.
package enum PlasmaNotifications: Interface {
    package static let name = FreedesktopNotifications.name

    /// Whether popups are suppressed. Exists if the server has the capability `inhibitions`.
    package static let inhibited = Property<Bool>("Inhibited", .read)
    package static let members: [any Member] = [inhibited]
}

/// `org.erikreider.swaync.cc`, the control centre of SwayNotificationCenter, the members we use.
package enum SwayControlCenter: Interface {
    package static let busName: BusName = "org.erikreider.swaync.cc"
    package static let path: ObjectPath = "/org/erikreider/swaync/cc"
    package static let name: InterfaceName = "org.erikreider.swaync.cc"

    package static let getDnd = Method("GetDnd", in: (), out: (Argument<Bool>("result")))
    /// Whether a program suppresses popups; since 0.8.
    package static let isInhibited = Method("IsInhibited", in: (), out: (Argument<Bool>("result")))
    package static let members: [any Member] = [getDnd, isInhibited]
}
