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
        case network(IPAddress, prefix: Int)
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
        let address = IPAddress(host)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            return switch entry.pattern {
            case .everything: true
            case .name(let name): address == nil && (host == name || host.hasSuffix("." + name))
            case .network(let network, let prefix): address?.isIn(network, prefix: prefix) ?? false
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
        if let address = IPAddress(String(parts[0])) {
            let bits = address.bytes.count * 8
            guard parts.count > 1 else { return .network(address, prefix: bits) }
            guard parts.count == 2, let prefix = Int(parts[1]), (0...bits).contains(prefix) else { return nil }
            return .network(address, prefix: prefix)
        }
        let name = withoutDot(String(place.drop { $0 == "." }))
        return name.isEmpty || parts.count > 1 ? nil : .name(name)
    }

    private static func withoutDot(_ name: String) -> String { name.last == "." ? String(name.dropLast()) : name }
}
