import Basics
import FoundationEssentials

/// The target of a URL, checked before any connection.
struct Endpoint: Equatable {
    var host: String
    var port: Int
    var isSecure: Bool
    /// Path and query, percent-encoded, as in a request line.
    var target: String

    /// `http` and `ws` are equivalent here, and so are `https` and `wss`.
    init(_ url: String) throws(TransportError) {
        if let plain = PlainURL(url) {
            (host, port, isSecure, target) = (plain.host, plain.port, plain.isSecure, plain.target)
            if isSecure || isLoopback { return }
        }
        guard let components = URLComponents(string: url), let scheme = components.scheme?.lowercased(),
            let host = components.percentEncodedHost, !host.isEmpty
        else { throw TransportError(.invalidURL, "The address of the server is not a URL with a scheme and a host.") }
        guard components.user == nil, components.password == nil else {
            throw TransportError(.invalidURL, "The address of \(host) must not contain a user name or a password.")
        }
        // RFC 1035 §2.3.4. SOCKS encodes the length in one byte.
        guard host.utf8.count <= 255 else {
            throw TransportError(.invalidURL, "The address of the server has a host name that is too long.")
        }
        switch scheme {
        case "https", "wss": isSecure = true
        case "http", "ws": isSecure = false
        default:
            throw TransportError(
                .invalidURL,
                "The address of \(host) must begin with https or wss, not \(scheme)."
            )
        }
        self.host = host.first == "[" && host.last == "]" ? String(host.dropFirst().dropLast()) : host
        port = components.port ?? (isSecure ? 443 : 80)
        guard (1...65535).contains(port) else {
            throw TransportError(.invalidURL, "The address of \(host) has an invalid port; use 1 to 65535.")
        }
        let path = components.percentEncodedPath
        target = (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?" + $0 } ?? "")
        guard isSecure || isLoopback else {
            throw TransportError(
                .insecure,
                "Plain \(scheme) to \(host) would send credentials unencrypted; use https, or wss for the socket. "
                    + "Only this computer may be reached without encryption."
            )
        }
    }

    /// The value of the `Host` header.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Whether the host is this computer.
    var isLoopback: Bool { host.isLoopbackHost }
}
