import ClientKit

/// The base URLs of the service and of Ably, which carries the events of the REST API.
public struct Hosts: Sendable, Hashable {
    /// The service: REST API, user API (below `/v2`), configuration.
    public var api: String
    /// Ably's REST API, for tokens.
    public var ablyREST: String
    /// Ably's realtime connections (`https` or `wss`).
    public var ablyRealtime: String
    /// The service's own realtime socket (`https` or `wss`).
    public var socket: String

    /// Sets base URLs; nil: the public host.
    ///
    /// A path is kept as a prefix; trailing slashes are ignored. Plain `http` and `ws` are for loopback only.
    public init(
        api: String? = nil,
        ablyREST: String? = nil,
        ablyRealtime: String? = nil,
        socket: String? = nil
    ) {
        self.api = api ?? "https://api.magicbell.com"
        self.ablyREST = ablyREST ?? "https://rest.ably.io"
        self.ablyRealtime = ablyRealtime ?? "wss://realtime.ably.io"
        self.socket = socket ?? "wss://ws.magicbell.com"
    }

    /// The hosts in the form for URLs. Throws `invalidArgument` that names the invalid one.
    package func validated() throws(MagicBellError) -> Hosts {
        Hosts(
            api: try ArgumentCheck.baseURL(api, of: "API", schemes: ["https", "http"]),
            ablyREST: try ArgumentCheck.baseURL(ablyREST, of: "Ably REST", schemes: ["https", "http"]),
            ablyRealtime: try ArgumentCheck.baseURL(ablyRealtime, of: "Ably realtime", schemes: Self.socketSchemes),
            socket: try ArgumentCheck.baseURL(socket, of: "socket", schemes: Self.socketSchemes)
        )
    }

    private static let socketSchemes = ["wss", "ws", "https", "http"]
}
