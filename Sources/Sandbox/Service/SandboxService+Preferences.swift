extension SandboxService {
    /// Both URL families, each with and without the slash at the end (suprsend.md §1.2, §2.5).
    ///
    /// `show_opt_out_channels`, `tags`, and `locale` are checked and change nothing: what the real server leaves out
    /// for them is not documented.
    mutating func preferences(_ request: ServiceRequest, _ segments: [String], now: Int64) throws(Refusal) -> Answer {
        var path = segments
        if path.last == "" { path.removeLast() }
        guard path.count >= 4 else { throw Refusal.noRoute(request) }
        let user = path[2]
        let isBare = path[0] == "v1"
        var route = Array(path.dropFirst(3))
        if isBare {
            guard route.removeFirst() == "preference" else { throw Refusal.noRoute(request) }
        } else if route == ["full_preference"] {
            route = []
        } else if route.isEmpty {
            throw Refusal.noRoute(request)
        }

        try checkHeaders(request)
        var query = try Query(request.rawQuery)
        let tenant = query.take("tenant_id") ?? "default"
        let body = try body(of: request)
        try authorize(request.headers["x-ss-signature"], user: user, tenant: tenant, now: now)
        guard users.contains(user) else {
            let message = "user [distinct_id: '\(user)'] not found"
            throw Refusal(.route, isBare ? .bare(404, message) : .error(404, "NOT_FOUND", message), message)
        }
        guard tenants.contains(tenant) else {
            let message = "tenant '\(tenant)' not found"
            throw Refusal(.route, isBare ? .bare(404, message) : .error(404, "NOT_FOUND", message), message)
        }
        let key = InboxKey(user: user, tenant: tenant)

        switch (request.method, route.count, route.first) {
        case ("GET", 0, _):
            try Self.checkView(&query, tags: true)
            try query.finish()
            return Answer(response: ServiceResponse(json: self[key].preferences.full))
        case ("GET", 1, "category"):
            try Self.checkView(&query, tags: true)
            let limit = try query.takeInteger("limit", in: 1...1000) ?? 10
            let offset = try query.takeInteger("offset", in: 0...1_000_000) ?? 0
            try query.finish()
            return Answer(response: categories(of: key, limit: limit, offset: offset))
        case ("GET", 2, "category"):
            try Self.checkView(&query, tags: false)
            try query.finish()
            guard let category = self[key].preferences.category(route[1]) else {
                let message = "category '\(route[1])' not found"
                throw Refusal(nil, isBare ? .bare(404, message) : .error(404, "NOT_FOUND", message), message)
            }
            return Answer(response: ServiceResponse(json: category))
        case ("PATCH", 2, "category"):
            try Self.checkView(&query, tags: true)
            try query.finish()
            return Answer(
                response: ServiceResponse(status: 202, json: try self[key].preferences.patchCategory(route[1], body))
            )
        case ("GET", 1, "channel_preference"):
            try query.finish()
            return Answer(response: ServiceResponse(json: ["channel_preferences": self[key].preferences.channels]))
        case ("PATCH", 1, "channel_preference"):
            try query.finish()
            return Answer(response: ServiceResponse(status: 202, json: try self[key].preferences.patchChannels(body)))
        default:
            throw Refusal.noRoute(request)
        }
    }

    private func categories(of key: InboxKey, limit: Int, offset: Int) -> ServiceResponse {
        let all = self[key].preferences.categories
        return ServiceResponse(
            json: [
                "meta": [
                    "count": .integer(Int64(all.count)), "limit": .integer(Int64(limit)),
                    "offset": .integer(Int64(offset)),
                ],
                "results": .array(Array(all.dropFirst(offset).prefix(limit))),
            ]
        )
    }

    /// `tags` is a bare word or one operator object (suprsend.md §1.4).
    private static func checkView(_ query: inout Query, tags: Bool) throws(Refusal) {
        _ = try query.takeBool("show_opt_out_channels")
        if let locale = query.take("locale"), locale.isEmpty { throw Refusal(.query, "'locale' is empty.") }
        guard tags, let text = query.take("tags") else { return }
        guard text.hasPrefix("{") || text.hasPrefix("[") else { return }
        guard let object = JSON(parsing: text)?.object, object.count == 1, let (name, value) = object.first,
            name == "exists" ? value.bool != nil : ["or", "and", "not"].contains(name) && value.strings != nil
        else { throw Refusal(.query, "'tags' must be a word or one of or, and, not, exists, not \(text).") }
    }
}
