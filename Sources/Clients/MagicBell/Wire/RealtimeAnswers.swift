package import ClientKit

extension UserConfiguration {
    /// Reads the service's `{"ws":{"channel":…}}`. Without a channel, the events come through the service's own socket.
    package struct Answer: Decodable, Sendable {
        /// nil: the service names no channel.
        package var configuration: UserConfiguration?

        package init(from decoder: any Decoder) throws {
            let body = try decoder.container(keyedBy: WireKey.self)
            let socket = try? body.nestedContainer(keyedBy: WireKey.self, forKey: "ws")
            guard let channel = socket?.whole("channel", Limits.url), !channel.isEmpty else { return }
            configuration = UserConfiguration(channel: channel)
        }
    }
}

extension InboxTokenRegistration {
    /// Reads the service's answer to a registration: `{"token":…}` from the user API, `{"in_app/inbox":{"token":…}}`
    /// from the REST API.
    struct Answer: Decodable {
        var token: String

        init(from decoder: any Decoder) throws {
            let body = try decoder.container(keyedBy: WireKey.self)
            let nested = ["in_app/inbox", "inbox"].lazy.compactMap {
                try? body.nestedContainer(keyedBy: WireKey.self, forKey: $0)
            }
            let container = nested.first ?? body
            token = try body.required("token", container.whole("token", Limits.token))
            guard !token.isEmpty else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "empty token"))
            }
        }
    }
}

extension AblyAuthorization {
    /// Reads the answer of an authorization URL by its media type (Ably's documentation, "Token authentication"): a
    /// signed request or a token's details as JSON, or the token itself as plain text or JWT. Nil: none of them.
    package init?(_ response: HTTPResponse) {
        let type = response.header("Content-Type")?.lowercased().split(separator: ";").first
        let name = type?.split(whereSeparator: \.isWhitespace).first
        let isText = name == "text/plain" || name == "application/jwt"
        // A server may label its JSON as text.
        if isText, response.body.first != UInt8(ascii: "{") {
            let text = String(decoding: response.body.prefix(2 * Limits.token), as: UTF8.self)
            let words = text.split(whereSeparator: \.isWhitespace)
            guard words.count == 1, words[0].utf8.count <= Limits.token else { return nil }
            self = .token(String(words[0]), expires: nil)
        } else {
            guard let body = try? JSONValue(parsing: response.body) else { return nil }
            if let token = body["token"]?.string {
                guard !token.isEmpty, token.utf8.count <= Limits.token else { return nil }
                self = .token(token, expires: body["expires"]?.integer)
            } else {
                guard body["keyName"]?.string?.isEmpty == false, body["mac"]?.string?.isEmpty == false else {
                    return nil
                }
                self = .request(body)
            }
        }
    }
}
