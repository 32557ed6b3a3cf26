/// Ably's error object (Ably's documentation, "Error codes").
package struct AblyError: Error, Sendable, Equatable {
    package var code: Int
    package var status: Int
    package var message: String

    package init(_ code: Int, _ status: Int, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    static let expired = AblyError(40142, 401, "Token expired")

    var json: JSON {
        [
            "code": .integer(Int64(code)), "statusCode": .integer(Int64(status)), "message": .string(message),
            "href": .string("https://help.ably.io/error/\(code)"),
        ]
    }
}

extension Refusal {
    /// An error of Ably's REST API: `{"error":{…}}`.
    static func ably(_ violation: Violation.Kind?, _ error: AblyError) -> Refusal {
        Refusal(violation, ServiceResponse(status: error.status, json: ["error": error.json]), error.message)
    }
}

/// The tokens of the Ably application that MagicBell uses: TokenRequests are signed, exchanged once and become tokens
/// (Ably feature specification, RSA8 and TE).
package struct SimulatedAblyTokens: Sendable, Equatable {
    package struct Token: Sendable, Equatable {
        package var text: String
        /// The project's own id of the user, whose channel the token allows.
        package var user: String
        /// Milliseconds since the Unix epoch.
        package var expiresAt: Int64
    }

    static let keyName = "sandbox.key-1"
    private static let keySecret = "sandbox-ably-secret"

    /// The lifetime of new tokens, in milliseconds.
    package var lifetime: Int64
    /// Part of every token, so that tokens differ between runs of the server.
    var incarnation = ""
    private var tokens: [String: Token] = [:]
    /// The nonces of TokenRequests that were made and not exchanged, and their users.
    private var openNonces: [String: String] = [:]
    private var usedNonces: Set<String> = []
    private var lastNonce = 0
    private var lastToken = 0

    package init(lifetime: Int64) { self.lifetime = lifetime }

    /// The channel of a user. It has characters that a URL escapes.
    package static func channel(of user: String) -> String {
        "project:11:channel:\(Base64.standard(Array(user.utf8)))"
    }

    /// A signed TokenRequest for the channel of a user.
    mutating func makeTokenRequest(for user: String, now: Int64) -> JSON {
        lastNonce += 1
        let nonce = "nonce-\(lastNonce)-0123456789abcdef"
        openNonces[nonce] = user
        let channel = Self.channel(of: user)
        let capability = JSON.object([channel: ["*"], channel + ":*": ["*"]]).text
        let mac = Self.mac(
            ttl: String(lifetime),
            capability: capability,
            clientID: "",
            timestamp: String(now),
            nonce: nonce
        )
        return [
            "keyName": .string(Self.keyName), "timestamp": .integer(now), "nonce": .string(nonce),
            "ttl": .integer(lifetime), "capability": .string(capability), "mac": .string(mac),
        ]
    }

    /// The TokenDetails for a TokenRequest.
    mutating func exchange(_ request: [String: JSON], keyName: String, now: Int64) throws(AblyError) -> JSON {
        guard keyName == Self.keyName, request["keyName"]?.string == keyName else {
            throw AblyError(40400, 404, "There is no key '\(keyName)'.")
        }
        guard let nonce = request["nonce"]?.string, let timestamp = request["timestamp"]?.integer,
            let mac = request["mac"]?.string
        else { throw AblyError(40101, 401, "The TokenRequest lacks nonce, timestamp or mac.") }
        let ttl = request["ttl"]?.integer
        let capability = request["capability"]?.string
        let expected = Self.mac(
            ttl: ttl.map { String($0) } ?? "",
            capability: capability ?? "",
            clientID: request["clientId"]?.string ?? "",
            timestamp: String(timestamp),
            nonce: nonce
        )
        guard mac == expected, let ttl, let capability else { throw AblyError(40101, 401, "mac does not match") }
        guard abs(now - timestamp) <= 15 * 60_000 else { throw AblyError(40104, 401, "Timestamp not current") }
        guard usedNonces.insert(nonce).inserted, let user = openNonces.removeValue(forKey: nonce) else {
            throw AblyError(40105, 401, "Nonce value replayed")
        }
        lastToken += 1
        let token = Token(text: "sandbox.token-\(lastToken)\(incarnation)", user: user, expiresAt: now + ttl)
        tokens[token.text] = token
        return [
            "token": .string(token.text), "keyName": .string(keyName), "issued": .integer(now),
            "expires": .integer(token.expiresAt), "capability": .string(capability),
        ]
    }

    /// A token that is valid now.
    func check(_ text: String, now: Int64) throws(AblyError) -> Token {
        guard let token = tokens[text] else { throw AblyError(40140, 401, "The token is unknown") }
        guard token.expiresAt > now else { throw .expired }
        return token
    }

    /// Makes all tokens expire.
    mutating func expireAll(now: Int64) {
        tokens = tokens.mapValues { token in
            var token = token
            token.expiresAt = min(token.expiresAt, now)
            return token
        }
    }

    /// The signed text is every member followed by a newline (Ably feature specification, "TokenRequest").
    private static func mac(ttl: String, capability: String, clientID: String, timestamp: String, nonce: String)
        -> String
    {
        let text = [keyName, ttl, capability, clientID, timestamp, nonce].map { $0 + "\n" }.joined()
        return Base64.standard(HMAC.sha256(text, key: keySecret))
    }
}
