/// What is known of the machine's way to the network.
package enum NetworkState: Sendable, Hashable {
    /// Nobody says.
    case unknown
    /// Whoever manages the network says that there is none. That may be wrong: somebody else may have configured one.
    case unavailable
    /// There is a way out. `route` names it, where the source does: another name is another way.
    case available(route: String?)

    /// What several sources say together, the most trusted first: there is a network if one of them knows of one.
    package init(_ states: [NetworkState]) {
        let available = states.first { if case .available = $0 { true } else { false } }
        self = available ?? (states.contains(.unavailable) ? .unavailable : .unknown)
    }
}
