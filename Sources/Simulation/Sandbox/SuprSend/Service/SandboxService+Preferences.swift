extension SandboxService {
    /// Serves both URL families, `/v2/subscriber/…` and `/v1/user/…`, each with and without a slash at the end.
    ///
    /// According to the service's documentation, categories omit opted-out channels unless a request includes them;
    /// the full preferences include them by default.
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
        var query = try RequestQuery(request.rawQuery)
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
            let view = try PreferencesSelection(&query, showsByDefault: true, takesTags: true)
            try query.finish()
            return Answer(response: ServiceResponse(json: self[key].preferences.full(view)))
        case ("GET", 1, "category"):
            let view = try PreferencesSelection(&query, showsByDefault: false, takesTags: true)
            let limit = try query.takeInteger("limit", in: 1...1000) ?? 10
            let offset = try query.takeInteger("offset", in: 0...1_000_000) ?? 0
            try query.finish()
            return Answer(response: categories(of: key, view, limit: limit, offset: offset))
        case ("GET", 2, "category"):
            let view = try PreferencesSelection(&query, showsByDefault: false, takesTags: false)
            try query.finish()
            guard let category = self[key].preferences.category(route[1]) else {
                let message = "category '\(route[1])' not found"
                throw Refusal(nil, isBare ? .bare(404, message) : .error(404, "NOT_FOUND", message), message)
            }
            return Answer(response: ServiceResponse(json: view.category(category)))
        case ("PATCH", 2, "category"):
            let view = try PreferencesSelection(&query, showsByDefault: false, takesTags: true)
            try query.finish()
            let category = try self[key].preferences.patchCategory(route[1], body)
            return Answer(response: ServiceResponse(status: 202, json: view.category(category)))
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

    private func categories(of key: InboxKey, _ view: PreferencesSelection, limit: Int, offset: Int) -> ServiceResponse
    {
        let all = (self[key].preferences.sections.array ?? []).flatMap(view.categories)
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
}
