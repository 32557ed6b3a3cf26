/// The upgrade of a request to one of MagicBell's WebSockets, distinguished by its query. Both are at `/`.
enum SocketRequest: Equatable {
    /// Ably's realtime protocol: `?accessToken=…&format=json&v=…`.
    case ably(AblyParameters)
    /// MagicBell's own socket: `?api_key=…&token=…`.
    case inbox(apiKey: String, token: String?)

    struct AblyParameters: Equatable {
        var token: String
        /// The connection key of a connection to resume.
        var resume: String?
        var wantsHeartbeats: Bool
    }

    /// Reads a request strictly.
    ///
    /// - Throws: ``Refusal`` for another path, another query or a format that the sandbox does not have.
    init(_ request: ServiceRequest) throws(Refusal) {
        guard request.method == "GET", request.rawPath == "/" || request.rawPath.isEmpty else {
            throw .noMagicBellRoute(request)
        }
        var query = try RequestQuery(request.rawQuery)
        if let apiKey = query.take("api_key") {
            self = .inbox(apiKey: apiKey, token: query.take("token"))
            try query.finish()
            return
        }
        guard query.peek("key") == nil else {
            throw .magicBell(.query, 401, "A client must not have an Ably key; it connects with 'accessToken'.")
        }
        let token = try query.require("accessToken")
        let version = query.take("v") ?? ""
        guard let number = Int(version.prefix { $0 != "." }), (2...6).contains(number) else {
            throw Refusal(.query, "'v' must be a protocol version from 2 to 6, not '\(version)'.")
        }
        guard ["json", nil].contains(query.take("format")) else {
            throw Refusal(.query, "The sandbox serves only format=json.")
        }
        let recover = query.take("recover")
        let parameters = AblyParameters(
            token: token,
            resume: query.take("resume") ?? recover,
            wantsHeartbeats: try query.takeBool("heartbeats") ?? true
        )
        for name in ["echo", "agent", "lib", "clientId", "stream"] { _ = query.take(name) }
        try query.finish()
        self = .ably(parameters)
    }

    static func isUpgrade(_ request: ServiceRequest) -> Bool {
        request.headers["upgrade"]?.lowercased() == "websocket"
    }
}
