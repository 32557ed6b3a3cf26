package import DBus

/// `org.freedesktop.NetworkManager`, the members we use.
package enum NetworkManagerInterface: Interface {
    package static let busName: BusName = "org.freedesktop.NetworkManager"
    package static let path: ObjectPath = "/org/freedesktop/NetworkManager"
    package static let name: InterfaceName = "org.freedesktop.NetworkManager"

    /// `NMState`: 0 unknown, 10 asleep, 20 disconnected, 30 disconnecting, 40 connecting, 50 connected to the local
    /// link only, 60 to the local network only, 70 to the Internet.
    package static let state = Property<UInt32>("State", .read)
    /// The active connection with the default route; `/` for none.
    package static let primaryConnection = Property<ObjectPath>("PrimaryConnection", .read)
    package static let members: [any Member] = [state, primaryConnection]
}

/// `org.freedesktop.network1.Manager` of systemd-networkd, the member we use (org.freedesktop.network1(5),
/// networkctl(1)).
package enum NetworkdManager: Interface {
    package static let busName: BusName = "org.freedesktop.network1"
    package static let path: ObjectPath = "/org/freedesktop/network1"
    package static let name: InterfaceName = "org.freedesktop.network1.Manager"

    /// The best state of all links except loopback: `routable` if one has an address that is valid beyond the link.
    package static let operationalState = Property<String>("OperationalState", .read)
    package static let members: [any Member] = [operationalState]
}

/// `org.freedesktop.portal.NetworkMonitor`, version 2 or later, the members we use.
package enum NetworkMonitorPortal: Interface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.portal.NetworkMonitor"

    /// Whether there is a default route.
    package static let getAvailable = Method("GetAvailable", in: (), out: (Argument<Bool>("available")))
    package static let members: [any Member] = [getAvailable]
}
