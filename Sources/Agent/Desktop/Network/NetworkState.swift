/// Whether the machine is connected to a network.
package enum NetworkState: Sendable, Hashable {
    /// No source reports a state.
    case unknown
    /// A network manager reports that there is no network. It may be wrong: another tool may have configured one.
    case unavailable
    /// There is a network. `route` identifies the default route if the source does; another value is another route.
    case available(route: String?)

    /// Combines several sources, the most trusted first: a network is available if one of them reports it.
    package init(_ states: [NetworkState]) {
        let available = states.first { if case .available = $0 { true } else { false } }
        self = available ?? (states.contains(.unavailable) ? .unavailable : .unknown)
    }
}
