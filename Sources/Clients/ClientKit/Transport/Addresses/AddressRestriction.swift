import Basics
import NIOCore
import NIOPosix

/// Restricts HTTP requests to hosts on the public Internet: for URLs that others choose, so that they cannot reach this
/// computer or its network.
///
/// The connection is made to an address that was checked, without another lookup. A proxy looks names up itself, so
/// behind one only addresses in URLs can be checked.
package struct AddressRestriction: Sendable {
    /// Hosts that may have any address, in lower case.
    package var exceptions: Set<String>
    /// Returns the addresses of a name, or the address itself; none if it is unknown.
    package var lookUp: @Sendable (_ host: String) async -> [IPAddress]

    package init(
        exceptions: Set<String>,
        lookUp: @escaping @Sendable (_ host: String) async -> [IPAddress] = systemLookUp
    ) {
        self.exceptions = exceptions
        self.lookUp = lookUp
    }

    /// The route if its host may be connected to, to its checked addresses.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func checked(_ route: Route, on eventLoop: any EventLoop) async throws(TransportError) -> Route {
        let host = route.endpoint.host.lowercased()
        if exceptions.contains(host) { return route }
        if route.proxy != nil {
            guard !route.endpoint.isLoopback, IPAddress(host)?.isPublic ?? true else { throw Self.refusal(of: host) }
            // Another way may be the direct one.
            return Route(route.endpoint, through: [route.proxy], resolver: route.resolver)
        }
        let addresses = await lookUp(host)
        if Task.isCancelled { throw .cancelled(host: host) }
        guard !addresses.isEmpty else { throw .unresolved(route, "could not be resolved") }
        let allowed = addresses.filter(\.isPublic)
        guard !allowed.isEmpty else { throw Self.refusal(of: host) }
        let resolver = CheckedAddresses(addresses: allowed, eventLoop: eventLoop)
        return Route(route.endpoint, through: [nil], resolver: resolver, isChecked: true)
    }

    private static func refusal(of host: String) -> TransportError {
        TransportError(.invalidURL, "\(host) has no public address, so nothing is requested from it.")
    }

    /// Asks the system's resolver. Ends at once if the task is cancelled.
    @Sendable package static func systemLookUp(_ host: String) async -> [IPAddress] {
        // `getaddrinfo` may block for half a minute.
        await runBlocking { (try? SocketAddress.lookUp(host))?.compactMap(IPAddress.init) ?? [] } ?? []
    }
}

/// Resolves every name to addresses that are known already.
private struct CheckedAddresses: Resolver, Sendable {
    let addresses: [IPAddress]
    let eventLoop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(4, port) }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(16, port) }

    func cancelQueries() {}

    private func answer(_ length: Int, _ port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeCompletedFuture {
            try addresses.filter { $0.bytes.count == length }.map {
                try SocketAddress(packedIPAddress: ByteBuffer(bytes: $0.bytes), port: port)
            }
        }
    }
}
