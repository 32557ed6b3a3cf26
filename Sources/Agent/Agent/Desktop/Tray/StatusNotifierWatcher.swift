package import DBus

/// `org.kde.StatusNotifierWatcher`, the members we use (StatusNotifierItem Specification, "StatusNotifierWatcher"): it
/// knows the tray items of all programs, and the hosts that show them.
package enum StatusNotifierWatcher: Interface {
    package static let busName: BusName = "org.kde.StatusNotifierWatcher"
    package static let path: ObjectPath = "/StatusNotifierWatcher"
    package static let name: InterfaceName = "org.kde.StatusNotifierWatcher"

    /// Adds an item: the bus name of the connection whose object ``StatusNotifierItem/path`` it is. It is removed when
    /// the name has no owner any longer.
    package static let registerItem = Method(
        "RegisterStatusNotifierItem",
        in: (Argument<String>("service")),
        out: ()
    )
    /// Whether a host shows the items.
    package static let isHostRegistered = Property<Bool>("IsStatusNotifierHostRegistered", .read)
    package static let hostRegistered = Signal("StatusNotifierHostRegistered", ())
    package static let hostUnregistered = Signal("StatusNotifierHostUnregistered", ())

    package static let members: [any Member] = [registerItem, isHostRegistered, hostRegistered, hostUnregistered]
}
