/// A user token: a JWT signed with HS256 (MagicBell's documentation, "User authentication").
enum SignedUserToken {
    /// Why a token is refused.
    enum Problem: Error, Equatable { case malformed, signature, expired }

    /// The text of a token.
    ///
    /// - Parameters:
    ///   - issuedAt, expiresAt: Unix time in seconds.
    static func make(
        externalID: String?,
        email: String?,
        apiKey: String,
        issuedAt: Int64,
        expiresAt: Int64,
        secret: String
    ) -> String {
        var claims: [String: JSON] = [
            "api_key": .string(apiKey), "iat": .integer(issuedAt), "exp": .integer(expiresAt),
        ]
        if let externalID { claims["user_external_id"] = .string(externalID) }
        if let email { claims["user_email"] = .string(email) }
        let header: JSON = ["alg": "HS256", "typ": "JWT"]
        let signed = Base64.url(header.bytes) + "." + Base64.url(JSON.object(claims).bytes)
        return signed + "." + Base64.url(HMAC.sha256(signed, key: secret))
    }

    /// The claims of a valid token.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    static func claims(of text: String, secret: String, now: Int64) throws(Problem) -> [String: JSON] {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decodeURL(parts[0]), let payload = Base64.decodeURL(parts[1]),
            JSON(parsing: header)?["alg"] == "HS256", let claims = JSON(parsing: payload)?.object
        else { throw .malformed }
        guard Base64.url(HMAC.sha256("\(parts[0]).\(parts[1])", key: secret)) == parts[2] else { throw .signature }
        if let expiry = claims["exp"]?.integer, expiry <= now / 1000 { throw .expired }
        return claims
    }
}
