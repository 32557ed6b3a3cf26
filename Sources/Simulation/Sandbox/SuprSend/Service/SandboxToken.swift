/// A user token of the sandbox: a JWT whose signature is the text "sig".
///
/// The claims are those of SuprSend plus `generation`. The sandbox accepts only its current generation; raising it
/// simulates a rotation of the signing key.
package struct SandboxToken: Sendable, Equatable {
    /// The user (`distinct_id`) that the token was issued to.
    package var entityID: String
    /// The tenants in the scope of the token; without a scope, `default`.
    package var tenants: [String]
    /// Unix time in seconds; nil for a token without `exp`.
    package var expiresAt: Int64?
    package var generation: Int

    /// The text of a token.
    ///
    /// - Parameters:
    ///   - tenant: nil omits the scope, which means `default`.
    ///   - expiresAt: Unix time in **seconds**.
    package static func make(entityID: String, tenant: String? = "default", expiresAt: Int64, generation: Int = 1)
        -> String
    {
        var claims: [String: JSON] = [
            "entity_type": "subscriber",
            "entity_id": .string(entityID),
            "iat": .integer(expiresAt - 3600),
            "exp": .integer(expiresAt),
            "generation": .integer(Int64(generation)),
        ]
        if let tenant { claims["scope"] = ["tenant_id": .string(tenant)] }
        let header: JSON = ["alg": "ES256", "typ": "JWT"]
        return [header.bytes, JSON.object(claims).bytes, Array("sig".utf8)].map(Base64.url).joined(separator: ".")
    }

    /// Parses a token; nil when it is not a JWT of this form.
    package init?(parsing text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let payload = Base64.decodeURL(parts[1]),
            let claims = JSON(parsing: payload),
            let entityID = claims["entity_id"]?.string
        else { return nil }
        self.entityID = entityID
        self.expiresAt = claims["exp"]?.integer
        // The sample token in SuprSend's documentation has no generation; it counts as the first.
        self.generation = Int(claims["generation"]?.integer ?? 1)
        switch claims["scope"]?["tenant_id"] {
        case .string(let tenant)?: self.tenants = [tenant]
        case let list?: self.tenants = list.strings ?? []
        case nil: self.tenants = ["default"]
        }
    }
}
