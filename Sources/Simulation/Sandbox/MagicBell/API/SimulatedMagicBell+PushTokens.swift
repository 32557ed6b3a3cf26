extension SimulatedMagicBell {
    /// The push and inbox tokens of the REST API (v1).
    mutating func pushTokens(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        let query = try RequestQuery(request.rawQuery)
        try query.finish()
        if request.method != "POST" { try requireNoBody(request) }
        switch path.first {
        case "integrations": return try integrations(request, Array(path.dropFirst()), wrapped: true)
        case "push_subscriptions": return try pushSubscriptions(request, path, user, now: now)
        case "web_push_subscriptions" where path.count == 1 && request.method == "POST":
            let data = try member("web_push_subscription", of: request)["data"]?.object
            return try register(data ?? [:], as: .webPush, of: user.id, now: now) { _ in [:] }
        case "channels": break
        default: throw .noMagicBellRoute(request)
        }
        let (kind, rest) = try Self.collection(path, request)
        switch (request.method, kind, rest) {
        case ("POST", .apns, nil), ("POST", .fcm, nil), ("POST", .webPush, nil):
            let payload = try member(kind.rawValue, of: request)
            return try register(payload, as: kind, of: user.id, now: now) { token in
                kind == .webPush ? .object(token.payload.merging(["id": .string(token.id)]) { $1 }) : .object(payload)
            }
        case ("POST", .inbox, nil):
            return try register(try member("inbox", of: request), as: kind, of: user.id, now: now) { token in
                ["in_app/inbox": ["token": token.payload["token"] ?? .null]]
            }
        case ("GET", .webPush, nil):
            return Answer(
                ServiceResponse(json: ["web_push": .array(self[user.id].tokens.registered(kind).map(\.json))])
            )
        case ("GET", .webPush, let id?):
            guard let token = self[user.id].tokens.registered(kind).first(where: { $0.id == id }) else {
                throw .notFound("token '\(id)'")
            }
            return Answer(ServiceResponse(json: ["web_push": token.json]))
        case ("DELETE", .webPush, let id?): return try discard(kind, user.id, now: now) { $0.id == id }
        // The token itself names it, unlike in the user API.
        case ("DELETE", .apns, let token?), ("DELETE", .fcm, let token?):
            return try discard(kind, user.id, now: now) { $0.payload["device_token"]?.string == token }
        default: throw .noMagicBellRoute(request)
        }
    }

    private mutating func pushSubscriptions(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        switch (request.method, path.count) {
        case ("GET", 1):
            let list = self[user.id].tokens.registered(.pushSubscription).map { token in
                JSON.object((token.json.object ?? [:]).merging(["user_id": .string(user.id)]) { $1 })
            }
            return Answer(
                ServiceResponse(json: ["per_page": 20, "current_page": 1, "push_subscriptions": .array(list)])
            )
        case ("POST", 1):
            let payload = try member("push_subscription", of: request)
            return try register(payload, as: .pushSubscription, of: user.id, now: now) { token in
                ["push_subscription": .object(payload.merging(["id": .string(token.id)]) { $1 })]
            }
        case ("DELETE", 2):
            return try discard(.pushSubscription, user.id, now: now) { $0.payload["device_token"]?.string == path[1] }
        default: throw .noMagicBellRoute(request)
        }
    }

    /// The tokens of the user API (v2), which are deleted by the service's id.
    mutating func userTokens(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        let (kind, id) = try Self.collection(path, request)
        var query = try RequestQuery(request.rawQuery)
        switch (request.method, id) {
        case ("PUT", nil):
            try query.finish()
            let payload = try object(of: request)
            return try register(payload, as: kind, of: user.id, now: now, status: 200) { _ in
                kind == .inbox
                    ? .object(payload.merging(["connection_id": nil]) { given, _ in given }) : .object(payload)
            }
        case ("GET", nil):
            try requireNoBody(request)
            let page = try CursorPage(&query, defaultSize: 50)
            try query.finish()
            let tokens = self[user.id].tokens.all.filter { $0.kind == kind }
            let position = tokens.firstIndex { $0.id == page.cursor }
            let rest: ArraySlice<StoredTokens.Token> =
                switch page.position {
                case .start: tokens[...]
                case .after: tokens[((position ?? tokens.endIndex - 1) + 1)...]
                case .before: tokens[..<(position ?? 0)]
                }
            let rows = page.position == .before ? rest.suffix(page.size) : rest.prefix(page.size)
            return Answer(ServiceResponse(json: ["data": .array(rows.map(\.json)), "links": [:]]))
        case ("GET", let id?):
            try requireNoBody(request)
            try query.finish()
            guard let token = self[user.id].tokens.all.first(where: { $0.kind == kind && $0.id == id }) else {
                throw .notFound("token '\(id)'")
            }
            return Answer(ServiceResponse(json: token.json))
        case ("DELETE", let id?):
            try requireNoBody(request)
            try query.finish()
            let token = self[user.id].tokens.discard(kind, now: now) { $0.id == id }
            guard let token else { throw .notFound("token '\(id)'") }
            unregister(token)
            return Answer(
                ServiceResponse(json: ["id": .string(token.id), "discarded_at": .string(ISODate.text(now))])
            )
        default: throw .noMagicBellRoute(request)
        }
    }

    /// Web push keys and inbox settings; v1 has answered with and without a wrapper.
    func integrations(_ request: ServiceRequest, _ path: [String], wrapped: Bool = false) throws(Refusal) -> Answer {
        switch (request.method, path) {
        case ("POST", ["web_push", "installations", "start"]):
            let keys: JSON = ["auth_token": "sandbox-auth-token", "public_key": "BEx4-sandbox-public-key"]
            return Answer(ServiceResponse(json: wrapped ? ["web_push": keys] : keys))
        case ("PUT", ["inbox", "installations"]), ("POST", ["inbox", "installations", "start"]):
            guard !wrapped else { throw .noMagicBellRoute(request) }
            return Answer(ServiceResponse(json: .object(try object(of: request))))
        default: throw .noMagicBellRoute(request)
        }
    }

    // MARK: Parts

    /// `channels/mobile_push/apns/tokens[/ID]` and its like.
    private static func collection(_ path: [String], _ request: ServiceRequest) throws(Refusal)
        -> (StoredTokens.Kind, String?)
    {
        let kinds: [[String]: StoredTokens.Kind] = [
            ["mobile_push", "apns", "tokens"]: .apns, ["mobile_push", "fcm", "tokens"]: .fcm,
            ["mobile_push", "expo", "tokens"]: .expo, ["web_push", "tokens"]: .webPush,
            ["in_app", "inbox", "tokens"]: .inbox, ["slack", "tokens"]: .slack, ["teams", "tokens"]: .teams,
        ]
        let below = Array(path.dropFirst())
        if let kind = kinds[below] { return (kind, nil) }
        guard let kind = kinds[Array(below.dropLast())], let id = below.last, !id.isEmpty else {
            throw .noMagicBellRoute(request)
        }
        return (kind, id)
    }

    private func member(_ name: String, of request: ServiceRequest) throws(Refusal) -> [String: JSON] {
        guard let payload = try object(of: request)[name]?.object else {
            throw .magicBell(.body, 422, "The body must have an object '\(name)'.")
        }
        return payload
    }

    private mutating func register(
        _ payload: [String: JSON],
        as kind: StoredTokens.Kind,
        of user: String,
        now: Int64,
        status: Int = 201,
        answer: (StoredTokens.Token) -> JSON
    ) throws(Refusal) -> Answer {
        if let problem = kind.problem(with: payload) { throw .magicBell(.body, 422, problem) }
        let token = self[user].tokens.register(payload, as: kind, now: now)
        if kind == .inbox, let text = payload["token"]?.string { inboxTokens[text] = user }
        return Answer(ServiceResponse(status: status, json: answer(token)))
    }

    private mutating func discard(
        _ kind: StoredTokens.Kind,
        _ user: String,
        now: Int64,
        where matches: (StoredTokens.Token) -> Bool
    ) throws(Refusal) -> Answer {
        guard self[user].tokens.discard(kind, now: now, where: matches) != nil else { throw .notFound("such token") }
        return .noContent
    }

    private mutating func unregister(_ token: StoredTokens.Token) {
        if token.kind == .inbox, let text = token.payload["token"]?.string { inboxTokens[text] = nil }
    }
}
