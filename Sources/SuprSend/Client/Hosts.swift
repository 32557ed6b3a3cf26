/// The service's three base URLs.
///
/// Defaults: the service's public hosts for a client, the client's hosts for a feed (``FeedOptions/hosts``).
public struct Hosts: Sendable, Hashable {
    private var given: Given

    private struct Given: Sendable, Hashable {
        var hub: String?
        var api: String?
        var socket: String?
    }

    /// Events, identity, preferences.
    public var hub: String {
        get { given.hub ?? "https://hub.suprsend.com" }
        set { given.hub = newValue }
    }
    /// The inbox over REST.
    public var api: String {
        get { given.api ?? "https://inboxs.live" }
        set { given.api = newValue }
    }
    /// The inbox's realtime socket (`https` or `wss`).
    public var socket: String {
        get { given.socket ?? "https://betainbox.suprsend.com" }
        set { given.socket = newValue }
    }

    /// Sets base URLs; nil: the default.
    ///
    /// A path is kept as a prefix; trailing slashes are ignored. Plain `http` and `ws` are for loopback only.
    public init(hub: String? = nil, api: String? = nil, socket: String? = nil) {
        given = Given(hub: hub, api: api, socket: socket)
    }

    /// These hosts, with `others` for those that are not set.
    func completed(by others: Hosts) -> Hosts {
        Hosts(hub: given.hub ?? others.hub, api: given.api ?? others.api, socket: given.socket ?? others.socket)
    }

    /// The hosts in the form for URLs. Throws `invalidArgument` that names the invalid one.
    func validated() throws(SuprSendError) -> Hosts {
        Hosts(
            hub: try Self.normal(hub, named: "hub", schemes: ["https", "http"]),
            api: try Self.normal(api, named: "API", schemes: ["https", "http"]),
            socket: try Self.normal(socket, named: "socket", schemes: ["https", "http", "wss", "ws"])
        )
    }

    /// A base URL without trailing slashes. Throws `invalidArgument` with `name` and the problem.
    package static func normal(_ url: String, named name: String, schemes: [String]) throws(SuprSendError) -> String {
        func malformed(_ reason: String) -> SuprSendError {
            SuprSendError(.invalidArgument, "The \(name) host \"\(url)\" cannot be used: \(reason).")
        }
        guard let separator = url.firstRange(of: "://") else {
            throw malformed("it must begin with \(schemes[0])://")
        }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard schemes.contains(scheme) else {
            throw malformed("its scheme must be one of \(schemes.joined(separator: ", "))")
        }
        var rest = url[separator.upperBound...]
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw malformed("it contains a character that is not allowed in a URL")
        }
        guard !rest.contains("?"), !rest.contains("#"), !rest.contains("@") else {
            throw malformed("it must not contain a user, a query or a fragment")
        }
        while rest.last == "/" { rest.removeLast() }
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = split(authority), !host.isEmpty else { throw malformed("it names no host") }
        if let port, UInt16(port).map({ $0 > 0 }) != true { throw malformed("its port must be 1 to 65535") }
        if scheme == "http" || scheme == "ws", !isLoopback(host) {
            throw malformed("plain \(scheme) is allowed for this computer only; use \(scheme)s")
        }
        return scheme + "://" + rest
    }

    /// Host and port of `host`, `host:port` or `[v6]:port`; nil for any other form.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?)? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            let tail = authority[authority.index(after: end)...]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            if tail.isEmpty { return (host, nil) }
            return tail.first == ":" ? (host, tail.dropFirst()) : nil
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first,
            host.utf8.allSatisfy({
                $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
            })
        else { return nil }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    private static func isLoopback(_ host: Substring) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension UInt8 {
    var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
