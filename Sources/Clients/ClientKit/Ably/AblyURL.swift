import Basics

/// The addresses of Ably's interfaces.
package enum AblyURL {
    /// The protocol version (Ably's feature specification, CSV2); what is used here is the same in versions 2 to 6.
    package static let version = "5"

    /// The realtime connection (Ably's feature specification, RTN2). Contains the token.
    ///
    /// - Parameters:
    ///   - host: A URL without a query, such as `wss://realtime.ably.io`.
    ///   - token: The access token.
    ///   - resume: The key of the previous connection.
    ///   - agent: The client's name and version.
    package static func realtime(host: String, token: String, resume: String? = nil, agent: String) -> String {
        var query = [
            ("accessToken", token), ("format", "json"), ("v", version),
            // As messages: a client sees no pings of the WebSocket.
            ("heartbeats", "true"),
            ("agent", agent),
        ]
        if let resume { query.append(("resume", resume)) }
        return host.withoutTrailingSlashes + "/?"
            + query.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
    }

    /// The exchange of a token request (Ably's REST API, "Request a token").
    package static func tokenExchange(host: String, keyName: String) -> String {
        "\(host.withoutTrailingSlashes)/keys/\(keyName.percentEncoded)/requestToken"
    }
}

extension String {
    fileprivate var withoutTrailingSlashes: Substring {
        var text = self[...]
        while text.last == "/" { text.removeLast() }
        return text
    }
}
