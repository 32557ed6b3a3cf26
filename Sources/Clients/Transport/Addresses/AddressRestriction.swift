import Basics
import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

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

    /// The route to a host that may be connected to.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func route(
        to endpoint: Endpoint,
        through proxy: ProxyServer?,
        on eventLoop: any EventLoop
    ) async throws(TransportError) -> Route {
        let host = endpoint.host.lowercased()
        if exceptions.contains(host) { return Route(endpoint, through: proxy) }
        if proxy != nil {
            guard !endpoint.isLoopback, IPAddress(host)?.isPublic ?? true else { throw Self.refusal(of: host) }
            return Route(endpoint, through: proxy)
        }
        let addresses = await lookUp(host)
        if Task.isCancelled { throw .cancelled(host: host) }
        guard !addresses.isEmpty else { throw .unresolved(Route(endpoint, through: nil), "could not be resolved") }
        let allowed = addresses.filter(\.isPublic)
        guard !allowed.isEmpty else { throw Self.refusal(of: host) }
        return Route(endpoint, through: nil, resolver: CheckedAddresses(addresses: allowed, eventLoop: eventLoop))
    }

    private static func refusal(of host: String) -> TransportError {
        TransportError(.invalidURL, "\(host) has no public address, so nothing is requested from it.")
    }

    /// Asks the system's resolver. Ends at once if the task is cancelled.
    @Sendable package static func systemLookUp(_ host: String) async -> [IPAddress] {
        // `getaddrinfo` may block for half a minute.
        await runBlocking {
            var hints = addrinfo()
            // One entry for each address.
            hints.ai_protocol = Int32(IPPROTO_TCP)
            hints.ai_flags = AI_ADDRCONFIG
            var first: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
            defer { freeaddrinfo(first) }
            var addresses: [IPAddress] = []
            var next = first
            while let entry = next?.pointee {
                if let address = IPAddress(entry) { addresses.append(address) }
                next = entry.ai_next
            }
            return addresses
        } ?? []
    }
}

extension IPAddress {
    fileprivate init?(_ entry: addrinfo) {
        guard let pointer = entry.ai_addr else { return nil }
        switch entry.ai_family {
        case AF_INET:
            self.init(
                bytes: pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) }
                }
            )
        case AF_INET6:
            self.init(
                bytes: pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
                }
            )
        default: return nil
        }
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
