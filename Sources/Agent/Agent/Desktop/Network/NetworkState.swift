/// Whether the machine is connected to a network.
package enum NetworkState: Sendable, Hashable {
    /// No source reports a state.
    case unknown
    /// A network manager reports that there is no network. It may be wrong: another tool may have configured one.
    case unavailable
    /// There is a network, but no way to the Internet yet, such as before the login page of a hotel.
    case limited(route: String?)
    /// There is a network. `route` identifies the default route if the source does; another value is another route.
    case available(route: String?)

    /// Combines several sources, the most trusted first: a network is available if one of them reports it.
    package init(_ states: [NetworkState]) {
        let found = states.first { state in
            switch state {
            case .limited, .available: true
            case .unknown, .unavailable: false
            }
        }
        self = found ?? (states.contains(.unavailable) ? .unavailable : .unknown)
    }
}
