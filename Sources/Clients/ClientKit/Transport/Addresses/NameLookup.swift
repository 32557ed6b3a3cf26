import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Why a name has no address.
struct LookupFailure: Error, Equatable {
    /// No name server answers (`EAI_AGAIN`), as opposed to an unknown name.
    var isTemporary: Bool
}

extension SocketAddress {
    /// The addresses of a name with port 0, the best one first. Blocks, maybe for half a minute.
    static func lookUp(_ host: String) throws(LookupFailure) -> [SocketAddress] {
        var hints = addrinfo()
        // One entry for each address.
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        guard code == 0 else { throw LookupFailure(isTemporary: code == EAI_AGAIN) }
        defer { freeaddrinfo(first) }
        var addresses: [SocketAddress] = []
        var next = first
        while let entry = next?.pointee {
            if let address = SocketAddress(entry.ai_addr, host: host) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses
    }

    /// nil: an address of another family, or none.
    init?(_ pointer: UnsafePointer<sockaddr>?, host: String = "") {
        guard let pointer else { return nil }
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            self = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { Self($0.pointee, host: host) }
        case AF_INET6:
            self = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { Self($0.pointee, host: host) }
        default: return nil
        }
    }
}

extension IPAddress {
    /// nil: an address of another family.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }
}

/// The addresses that names last had, as a value.
struct KnownAddresses: Sendable {
    /// The maximum number of names.
    private static let maximum = 64

    private var addresses: [String: [SocketAddress]] = [:]

    subscript(host: String) -> [SocketAddress]? { addresses[host] }

    mutating func set(_ new: [SocketAddress], of host: String) {
        if addresses[host] == nil, addresses.count >= Self.maximum { addresses.removeAll() }
        addresses[host] = new
    }
}
