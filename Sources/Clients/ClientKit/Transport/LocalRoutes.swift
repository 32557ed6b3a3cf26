import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The addresses of this computer's interfaces at one moment, to find out whether a connection can still work.
struct LocalRoutes: Sendable {
    /// The interfaces that have an address.
    private let interfaces: [IPAddress: Set<String>]

    init(interfaces: [IPAddress: Set<String>]) { self.interfaces = interfaces }

    /// The present addresses.
    init() {
        var interfaces: [IPAddress: Set<String>] = [:]
        for device in (try? System.enumerateDevices()) ?? [] {
            guard let address = device.address.flatMap(IPAddress.init) else { continue }
            interfaces[address, default: []].insert(device.name)
        }
        self.init(interfaces: interfaces)
    }

    /// Whether the local address of a connection is gone, or its peer is reached through another interface by now.
    ///
    /// Not while there is no route: the same one may return. Nor if the peer is only reached from another address of
    /// the same interface, such as the next temporary one of IPv6 (RFC 8981).
    func isDead(_ channel: any Channel) -> Bool {
        guard let local = channel.localAddress.flatMap(IPAddress.init), let remote = channel.remoteAddress else {
            return false
        }
        return isDead(local, to: Self.source(to: remote))
    }

    /// - Parameter source: The address from which the peer would be connected to now; nil: there is no route.
    func isDead(_ local: IPAddress, to source: IPAddress?) -> Bool {
        // Where the system does not say which addresses there are, none is known to be gone.
        guard let used = interfaces[local] else { return !interfaces.isEmpty }
        guard let source, let present = interfaces[source] else { return false }
        return used.isDisjoint(with: present)
    }

    /// The address from which the system would connect to this one now. Nothing is sent.
    private static func source(to remote: SocketAddress) -> IPAddress? {
        let family = remote.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let isRouted = remote.withSockAddr { connect(descriptor, $0, socklen_t($1)) == 0 }
        guard isRouted else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout.size(ofValue: storage))
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? SocketAddress(address).flatMap(IPAddress.init) : nil
            }
        }
    }
}
