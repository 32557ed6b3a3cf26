extension SimulatedMagicBell {
    /// `/config` and `/ws/auth`.
    mutating func realtimeConfiguration(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        var query = try RequestQuery(request.rawQuery)
        switch (request.method, path) {
        case ("GET", ["config"]):
            try query.finish()
            try requireNoBody(request)
            return Answer(
                ServiceResponse(
                    json: [
                        "ws": [
                            "region": "eu", "channel": .string(SimulatedAblyTokens.channel(of: user.id)),
                            "auth_url": "/ws/auth",
                        ],
                        "inbox": ["features": ["no_magicbell_branding": ["enabled": true]]],
                        "channels": [
                            "webPush": [
                                "enabled": false,
                                "config": [
                                    "subscribeUrl": "https://push.example.com/subscribe",
                                    "vapidAuthentication": ["publicKey": "BEx4-sandbox-public-key"],
                                ],
                            ]
                        ],
                    ]
                )
            )
        case ("POST", ["ws", "auth"]):
            if let format = query.take("format"), !["json", "msgpack"].contains(format) {
                throw Refusal(.query, "'format' must be json or msgpack, not '\(format)'.")
            }
            try query.finish()
            // Ably's libraries send token parameters as a form; MagicBell's clients have none to send.
            guard request.body.isEmpty || request.mediaType == "application/x-www-form-urlencoded" else {
                throw .magicBell(.header, 415, "The body of /ws/auth must be a form.")
            }
            return Answer(ServiceResponse(json: ably.makeTokenRequest(for: user.id, now: now)))
        default: throw .noMagicBellRoute(request)
        }
    }

    /// Ably's `POST /keys/{keyName}/requestToken`.
    mutating func requestAblyToken(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        guard path.count == 3, path[2] == "requestToken", request.method == "POST" else {
            throw Refusal.ably(.route, AblyError(40400, 404, "There is no \(request.method) \(request.rawPath)."))
        }
        guard let type = request.mediaType, type == "application/json" else {
            throw Refusal.ably(.header, AblyError(40000, 415, "Content-Type must be application/json."))
        }
        guard let body = JSON(parsing: request.body)?.object else {
            throw Refusal.ably(.body, AblyError(40001, 400, "The body must be a TokenRequest."))
        }
        let details: JSON
        do {
            details = try ably.exchange(body, keyName: path[1], now: now)
        } catch {
            throw Refusal.ably(nil, error)
        }
        return Answer(ServiceResponse(status: 201, json: details))
    }
}
