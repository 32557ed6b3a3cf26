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

/// `org.buddiesofbudgie.budgie.Dispatcher`, of Budgie's notification server, the members we use.
package enum BudgieDispatcher: Interface {
    package static let path: ObjectPath = "/org/budgie_desktop/Notifications"
    package static let name: InterfaceName = "org.buddiesofbudgie.budgie.Dispatcher"

    package static let getDoNotDisturb = Method("GetDoNotDisturb", in: (), out: (Argument<Bool>("result")))
    package static let doNotDisturbChanged = Signal("DoNotDisturbChanged", (Argument<Bool>("value")))
    package static let members: [any Member] = [getDoNotDisturb, doNotDisturbChanged]
}

/// `org.xfce.Xfconf`, the settings of Xfce, the members we use.
package enum Xfconf: Interface {
    package static let busName: BusName = "org.xfce.Xfconf"
    package static let path: ObjectPath = "/org/xfce/Xfconf"
    package static let name: InterfaceName = "org.xfce.Xfconf"

    package static let getProperty = Method(
        "GetProperty",
        in: (Argument<String>("channel"), Argument<String>("property")),
        out: (Argument<Value>("value"))
    )
    package static let propertyChanged = Signal(
        "PropertyChanged",
        (Argument<String>("channel"), Argument<String>("property"), Argument<Value>("value"))
    )
    package static let members: [any Member] = [getProperty, propertyChanged]
}

/// `ca.desrt.dconf.Writer`, the service that writes the settings of GSettings, the member we use.
package enum DconfWriter: Interface {
    package static let userPath: ObjectPath = "/ca/desrt/dconf/Writer/user"
    package static let name: InterfaceName = "ca.desrt.dconf.Writer"

    /// Settings changed: a key, or a directory with the names of changed keys in it.
    package static let notify = Signal(
        "Notify",
        (Argument<String>("prefix"), Argument<[String]>("changes"), Argument<String>("tag"))
    )
    package static let members: [any Member] = [notify]
}
