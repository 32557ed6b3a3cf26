/// The connections to services, which may break without an error when the network changes.
package protocol ServiceConnections: Sendable {
    /// Resets the connections that a change of the network or a sleep breaks.
    func resetConnections() async

    /// Resets the connections that cannot work any longer, because their address or the route to their peer is another
    /// one.
    ///
    /// - Parameter probes: Whether the others are asked for a sign of life.
    /// - Returns: Whether a connection was reset.
    func checkConnections(probes: Bool) async -> Bool
}
