#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// An address of the Internet Protocol, version 4 or 6.
package struct IPAddress: Hashable, Sendable {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// The address with these 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses an address as inet_pton(3) does; nil: the text is another one, for example a name.
    package init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Whether the first `prefix` bits are those of `network`, an address of the same version.
    func isIn(_ network: IPAddress, prefix: Int) -> Bool {
        guard bytes.count == network.bytes.count else { return false }
        let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == network.bytes[..<whole] else { return false }
        return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> (8 - rest) == 0
    }
}

extension IPAddress {
    private struct Network: Sendable {
        var address: IPAddress
        var prefix: Int

        /// - Parameter text: An address, "/" and the length of the prefix.
        init?(_ text: String) {
            let parts = text.split(separator: "/")
            guard parts.count == 2, let address = IPAddress(String(parts[0])), let prefix = Int(parts[1]) else {
                return nil
            }
            (self.address, self.prefix) = (address, prefix)
        }

        func contains(_ other: IPAddress) -> Bool { other.isIn(address, prefix: prefix) }
    }

    /// IANA IPv4 Special-Purpose Address Registry (RFC 6890), multicast (RFC 5771) and the former class E.
    private static let specialV4 = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    ].compactMap(Network.init)

    /// IANA IPv6 Special-Purpose Address Registry (RFC 6890), as far as it is global unicast (RFC 4291 §2.4). 6to4 and
    /// Teredo contain an IPv4 address, which a relay may reach.
    private static let specialV6 = [
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    ].compactMap(Network.init)

    private static let globalV6 = Network("2000::/3")
    /// RFC 6052 §2.1: the address of an IPv4 host, translated by the network.
    private static let translatedV4 = Network("64:ff9b::/96")

    /// Whether the address is that of one host on the public Internet, not of this computer, of the local network or of
    /// a special purpose.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialV4.contains { $0.contains(self) } }
        if Self.translatedV4?.contains(self) == true {
            return IPAddress(bytes: Array(bytes.suffix(4)))?.isPublic ?? false
        }
        return Self.globalV6?.contains(self) == true && !Self.specialV6.contains { $0.contains(self) }
    }
}
