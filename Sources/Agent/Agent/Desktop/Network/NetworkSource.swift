import DBus

/// The services that report the state of the network.
enum NetworkSource {
    static func networkManager(_ bus: Bus) -> FollowedState<NetworkState> {
        typealias Manager = NetworkManagerInterface
        let manager = Proxy(bus, Manager.busName, Manager.path)
        // Old releases emit a PropertiesChanged of their own interface, so the rule matches every signal of the object.
        let changes = MatchRule(sender: Manager.busName, path: Manager.path)
        return FollowedState(bus: bus, owner: Manager.busName, changeSignal: changes) {
            guard let state = try? await manager.get(Manager.state, autoStart: false),
                let connection = try? await manager.get(Manager.primaryConnection, autoStart: false)
            else { return nil }
            return NetworkState(networkManager: state, primaryConnection: connection.text)
        }
    }

    static func networkd(_ bus: Bus) -> FollowedState<NetworkState> {
        typealias Manager = NetworkdManager
        let manager = Proxy(bus, Manager.busName, Manager.path)
        let changes = MatchRule(sender: Manager.busName, path: Manager.path, interface: PropertiesInterface.name)
        return FollowedState(bus: bus, owner: Manager.busName, changeSignal: changes) {
            (try? await manager.get(Manager.operationalState, autoStart: false)).map(NetworkState.init(networkd:))
        }
    }

    static func portal(_ bus: Bus) -> FollowedState<NetworkState> {
        typealias Portal = NetworkMonitorPortal
        let portal = Proxy(bus, Portal.busName, Portal.path)
        let changes = MatchRule(sender: Portal.busName, path: Portal.path, interface: Portal.name)
        return FollowedState(bus: bus, owner: Portal.busName, changeSignal: changes) {
            (try? await portal.call(Portal.getAvailable, autoStart: false))
                .map { $0 ? .available(route: nil) : .unavailable }
        }
    }
}

extension NetworkState {
    /// - Parameters:
    ///   - state: `NMState`.
    ///   - primaryConnection: The path of the active connection that has the default route.
    init(networkManager state: UInt32, primaryConnection: String?) {
        let route = primaryConnection == "/" ? nil : primaryConnection
        switch state {
        case 70...: self = .available(route: route)
        case 60...: self = .limited(route: route)
        case 1...: self = .unavailable
        default: self = .unknown
        }
    }

    /// - Parameter state: `OperationalState`.
    init(networkd state: String) {
        switch state {
        case "routable": self = .available(route: nil)
        case "", "missing": self = .unknown
        default: self = .unavailable
        }
    }
}
