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

/// `org.freedesktop.portal.ProxyResolver`. It has no signal of changes.
package enum ProxyResolverPortal: Interface {
    package static let busName: BusName = "org.freedesktop.portal.Desktop"
    package static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    package static let name: InterfaceName = "org.freedesktop.portal.ProxyResolver"

    /// The proxies for a URL, in order: `direct://`, `http://host:port`, `socks5://host:port`, ….
    package static let lookup = Method(
        "Lookup",
        in: (Argument<String>("uri")),
        out: (Argument<[String]>("proxies"))
    )
    package static let members: [any Member] = [lookup]

    /// A connection waits for the answer.
    private static let timeout = Duration.seconds(2)

    /// The proxies in the desktop's settings for a URL; nil: there is no portal, or no answer.
    package static func proxies(for url: String, on bus: Bus) async -> [String]? {
        try? await Proxy(bus, busName, path).call(lookup, url, timeout: timeout)
    }
}
