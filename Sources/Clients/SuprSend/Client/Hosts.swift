import ClientKit

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
            hub: try ArgumentCheck.baseURL(hub, of: "hub", schemes: ["https", "http"]),
            api: try ArgumentCheck.baseURL(api, of: "API", schemes: ["https", "http"]),
            socket: try ArgumentCheck.baseURL(socket, of: "socket", schemes: ["https", "http", "wss", "ws"])
        )
    }
}
