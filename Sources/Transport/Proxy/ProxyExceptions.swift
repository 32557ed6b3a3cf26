#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The hosts of `no_proxy`: separated by commas or blanks, each with an optional `:port`.
///
/// | Entry | Matches |
/// |---|---|
/// | `*` | every host |
/// | `example.com`, `.example.com` | that name and all names below it |
/// | `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]` | that address |
/// | `192.0.2.0/24`, `2001:db8::/32` | the addresses of the network |
///
/// Names are compared as text, without a lookup. Invalid entries are ignored.
struct ProxyExceptions: Sendable, Equatable {
    private enum Pattern: Sendable, Equatable {
        case everything
        case name(String)
        case network([UInt8], prefix: Int)
    }

    private struct Entry: Sendable, Equatable {
        var pattern: Pattern
        var port: Int?
    }

    private var entries: [Entry]

    init(_ list: String) {
        entries = list.split { $0 == "," || $0.isWhitespace }.compactMap { Self.entry($0.lowercased()) }
    }

    func contain(host: String, port: Int) -> Bool {
        let host = Self.withoutDot(host.lowercased())
        let address = Self.address(host)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            return switch entry.pattern {
            case .everything: true
            case .name(let name): address == nil && (host == name || host.hasSuffix("." + name))
            case .network(let network, let prefix): address.map { Self.begin($0, network, prefix) } ?? false
            }
        }
    }

    // MARK: Reading

    private static func entry(_ text: String) -> Entry? {
        let (place, port) = split(text)
        if let port, !(1...65535).contains(port) { return nil }
        return pattern(place).map { Entry(pattern: $0, port: port) }
    }

    /// Host and port; a text with two or more colons and without brackets is an address.
    private static func split(_ text: String) -> (String, Int?) {
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let address = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            return rest.first == ":" ? (address, Int(rest.dropFirst()) ?? 0) : (address + rest, nil)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), Int(parts[1]) ?? 0) : (text, nil)
    }

    private static func pattern(_ place: String) -> Pattern? {
        if place == "*" { return .everything }
        let parts = place.split(separator: "/", omittingEmptySubsequences: false)
        if let address = address(String(parts[0])) {
            let bits = address.count * 8
            guard parts.count > 1 else { return .network(address, prefix: bits) }
            guard parts.count == 2, let prefix = Int(parts[1]), (0...bits).contains(prefix) else { return nil }
            return .network(address, prefix: prefix)
        }
        let name = withoutDot(String(place.drop { $0 == "." }))
        return name.isEmpty || parts.count > 1 ? nil : .name(name)
    }

    private static func withoutDot(_ name: String) -> String { name.last == "." ? String(name.dropLast()) : name }

    /// The 4 or 16 bytes of an address; nil: it is a name.
    private static func address(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// Whether the first `bits` bits are equal.
    private static func begin(_ address: [UInt8], _ network: [UInt8], _ bits: Int) -> Bool {
        guard address.count == network.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard address[..<whole] == network[..<whole] else { return false }
        return rest == 0 || (address[whole] ^ network[whole]) >> (8 - rest) == 0
    }
}
