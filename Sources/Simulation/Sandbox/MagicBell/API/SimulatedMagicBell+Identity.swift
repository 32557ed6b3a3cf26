extension SimulatedMagicBell {
    /// The user that the headers of a request of the REST API (v1) identify: API key, external id, e-mail address and,
    /// when required, HMAC; or a user token instead of all of them.
    mutating func identify(_ request: ServiceRequest, now: Int64) throws(Refusal) -> SimulatedUser {
        if let token = request.bearerToken { return try authorize(token, now: now) }
        guard let key = request.headers["x-magicbell-api-key"] else {
            throw .magicBell(.header, 401, "X-MAGICBELL-API-KEY is missing.", code: "api_key_not_provided")
        }
        guard key == apiKey else {
            throw .magicBell(nil, 401, "The API key is unknown.", code: "incorrect_api_key")
        }
        let externalID = request.headers["x-magicbell-user-external-id"]
        let email = request.headers["x-magicbell-user-email"]
        guard let identifier = externalID ?? email, !identifier.isEmpty else {
            throw .magicBell(
                .header,
                401,
                "Provide a user's external id or e-mail address.",
                code: "user_identifier_not_provided"
            )
        }
        if requireHMAC {
            guard let hmac = request.headers["x-magicbell-user-hmac"] else {
                throw .magicBell(
                    nil,
                    401,
                    "X-MAGICBELL-USER-HMAC is missing.",
                    code: "neither_user_hmac_nor_api_secret_provided"
                )
            }
            guard hmac == self.hmac(of: externalID ?? identifier.lowercased()) else {
                throw .magicBell(nil, 401, "The HMAC does not belong to the user.")
            }
        }
        return users.identified(externalID: externalID, email: email)
    }

    /// The value of `X-MAGICBELL-USER-HMAC` for an external id or an e-mail address in lower case: the base64 text of
    /// the HMAC-SHA256 with the project's secret (MagicBell's documentation, "HMAC authentication").
    package func hmac(of identifier: String) -> String {
        Base64.standard(HMAC.sha256(identifier, key: hmacSecret))
    }

    /// The user of a user token.
    mutating func authorize(_ token: String, now: Int64) throws(Refusal) -> SimulatedUser {
        let claims: [String: JSON]
        do {
            claims = try SignedUserToken.claims(of: token, secret: jwtSecret, now: now)
        } catch {
            let message =
                switch error {
                case .malformed: "The user token is not a JWT with HS256."
                case .signature: "The signature of the user token is wrong."
                case .expired: "The user token has expired."
                }
            throw .magicBell(nil, 401, message)
        }
        guard claims["api_key"]?.string == apiKey else {
            throw .magicBell(nil, 401, "The user token is of another project.", code: "incorrect_api_key")
        }
        let externalID = claims["user_external_id"]?.string
        let email = claims["user_email"]?.string
        guard externalID != nil || email != nil else {
            throw .magicBell(nil, 401, "The user token names no user.", code: "user_identifier_not_provided")
        }
        return users.identified(externalID: externalID, email: email)
    }

    /// A user token that is valid now.
    ///
    /// - Parameter lifetime: in seconds; negative: already expired.
    package func userToken(for user: SimulatedUser, lifetime: Int64, now: Int64) -> String {
        SignedUserToken.make(
            externalID: user.externalID,
            email: user.email,
            apiKey: apiKey,
            issuedAt: now / 1000,
            expiresAt: now / 1000 + lifetime,
            secret: jwtSecret
        )
    }
}

extension ServiceRequest {
    /// The token of `Authorization: Bearer …`.
    var bearerToken: String? {
        guard let value = headers["authorization"], value.lowercased().hasPrefix("bearer ") else { return nil }
        return String(value.dropFirst(7))
    }
}
