import FoundationEssentials

/// A proxy from the environment, for every connection without an exception, or from the desktop's settings.
///
/// The description contains no credentials.
struct ProxyServer: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// CONNECT (RFC 9110 §9.3.6), with these credentials, if any: base64 of `user:password` (RFC 7617 §2).
        case http(credentials: String?)
        /// SOCKS 5 (RFC 1928) without credentials. Names are looked up by the proxy.
        case socks
    }

    var kind: Kind
    var host: String
    var port: Int
    /// What sets it, for messages: an environment variable, or ``desktop``.
    var source: String

    static let desktop = "the desktop's settings"

    /// Why a text is not a usable proxy, as the end of a sentence.
    struct Unusable: Error, Equatable {
        var reason: String
    }

    /// Parses `http://user:password@host:port`, `socks5://host:port`, or a part of the first; the default scheme is
    /// `http`.
    init(_ text: String, source: String) throws(Unusable) {
        let url = text.contains("://") ? text : "http://" + text
        guard let components = URLComponents(string: url), let scheme = components.scheme?.lowercased(),
            let host = components.percentEncodedHost, !host.isEmpty
        else { throw Unusable(reason: "it is not a URL with a host, such as http://proxy.example:3128") }
        let (user, password) = (components.user ?? "", components.password ?? "")
        guard user.isEmpty == (components.percentEncodedUser ?? "").isEmpty,
            password.isEmpty == (components.percentEncodedPassword ?? "").isEmpty
        else { throw Unusable(reason: "its user or password is not percent-encoded UTF-8") }
        let hasCredentials = components.percentEncodedUser != nil || components.percentEncodedPassword != nil
        switch scheme {
        case "http":
            kind = .http(
                credentials: hasCredentials ? Data("\(user):\(password)".utf8).base64EncodedString() : nil
            )
        case "socks5", "socks5h", "socks":
            guard !hasCredentials else { throw Unusable(reason: "credentials for SOCKS are not supported") }
            kind = .socks
        default:
            throw Unusable(reason: "the scheme \(scheme) is not supported; use http or socks5")
        }
        self.host = host.first == "[" && host.last == "]" ? String(host.dropFirst().dropLast()) : host
        port = components.port ?? (scheme == "http" ? 80 : 1080)
        guard (1...65535).contains(port) else { throw Unusable(reason: "its port must be 1 to 65535") }
        self.source = source
    }

    /// Host and port, for messages.
    var name: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ProxyServer: CustomStringConvertible, CustomReflectable {
    var description: String { "\(name) (\(source))" }

    var customMirror: Mirror { Mirror(self, children: ["name": name, "source": source]) }
}
