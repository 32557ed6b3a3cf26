extension SimulatedMagicBell {
    /// The REST API with an API key (v1).
    mutating func restAPI(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        let user = try identify(request, now: now)
        switch path.first {
        case "notifications": return try notifications(request, Array(path.dropFirst()), user, now: now)
        case "config", "ws": return try realtimeConfiguration(request, path, user, now: now)
        case "notification_preferences": return try preferences(request, path, user)
        case "subscriptions": return try subscriptions(request, Array(path.dropFirst()), user)
        default: return try pushTokens(request, path, user, now: now)
        }
    }

    private mutating func notifications(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        try requireNoBody(request)
        var query = try RequestQuery(request.rawQuery)
        let client = request.headers["x-magicbell-client-id"]
        switch (request.method, path.count, path.first, path.last) {
        case ("GET", 0, _, _): return try list(user, &query)
        case ("POST", 1, "read", _):
            return try actOnAll(.read, &query, user, event: "notifications/read/all", client, now: now)
        case ("POST", 1, "seen", _):
            return try actOnAll(.seen, &query, user, event: "notifications/seen/all", client, now: now)
        case ("GET", 1, let id?, _):
            try query.finish()
            guard let notification = self[user.id][id] else { throw .notFound("notification '\(id)'") }
            return Answer(ServiceResponse(json: ["notification": notification.json(for: user)]))
        case ("DELETE", 1, let id?, _):
            try query.finish()
            guard self[user.id].remove(id) else { throw .notFound("notification '\(id)'") }
            return noContent(Self.event("notifications/delete", id, of: user.id, client))
        default:
            guard path.count == 2, let action = Self.action(request.method, path[1]) else {
                throw .noMagicBellRoute(request)
            }
            try query.finish()
            guard let event = act(action, on: path[0], of: user.id, client: client, now: now) else {
                throw .notFound("notification '\(path[0])'")
            }
            return noContent(event)
        }
    }

    private static func action(_ method: String, _ name: String) -> StoredNotification.Action? {
        switch (method, name) {
        case ("POST", "read"): .read
        case ("POST", "unread"): .unread
        case ("POST", "archive"): .archive
        case ("DELETE", "archive"), ("POST", "unarchive"): .unarchive
        default: nil
        }
    }

    private mutating func list(_ user: SimulatedUser, _ query: inout RequestQuery) throws(Refusal) -> Answer {
        let page = try query.takeInteger("page", in: 1...1_000_000) ?? 1
        let size = try query.takeInteger("per_page", in: 1...100) ?? 15
        let filter = try StatusFilter(restQuery: &query, hasSeveral: hasSeveralFilters)
        try query.finish()
        let inbox = self[user.id]
        let matching = inbox.notifications(matching: filter)
        let rows = matching.dropFirst((page - 1) * size).prefix(size)
        let answer: JSON = [
            "project_id": 11, "total": .integer(Int64(matching.count)),
            "total_pages": .integer(Int64((matching.count + size - 1) / size)),
            "per_page": .integer(Int64(size)), "current_page": .integer(Int64(page)),
            "unread_count": .integer(Int64(matching.count { $0.readAt == nil })),
            "unseen_count": .integer(Int64(matching.count { $0.seenAt == nil })),
            "notifications": .array(rows.map { $0.json(for: user) }),
        ]
        shrink(rows, of: user.id)
        return Answer(ServiceResponse(json: answer))
    }

    /// Removes the newest notifications of a listed page, as the command `shrink-pages` demands.
    mutating func shrink(_ rows: some Sequence<StoredNotification>, of user: String) {
        guard !pageShrinkage.isEmpty else { return }
        for row in rows.prefix(pageShrinkage.removeFirst()) { self[user].remove(row.id) }
    }

    private mutating func actOnAll(
        _ action: StoredNotification.Action,
        _ query: inout RequestQuery,
        _ user: SimulatedUser,
        event: String,
        _ client: String?,
        now: Int64
    ) throws(Refusal) -> Answer {
        let filter = try StatusFilter(restQuery: &query, hasSeveral: hasSeveralFilters)
        try query.finish()
        self[user.id].apply(action, toAll: filter, now: now)
        return noContent(Self.event(event, nil, of: user.id, client))
    }

    func noContent(_ event: Event?) -> Answer {
        var answer = Answer.noContent
        if let event, !event.name.isEmpty { answer.events = [event] }
        return answer
    }

    // MARK: Actions, also as from another device

    /// Performs an action; nil when there is no such notification. The event has an empty name when none is documented.
    mutating func act(
        _ action: StoredNotification.Action,
        on id: String,
        of user: String,
        client: String?,
        now: Int64
    ) -> Event? {
        guard self[user].change(id, { $0.apply(action, now: now) }) else { return nil }
        return Self.event(action.eventName ?? "", id, of: user, client)
    }

    /// An event; `client` is the id that the originator sent in `X-MAGICBELL-CLIENT-ID`.
    static func event(_ name: String, _ id: String?, of user: String, _ client: String?) -> Event {
        var data: [String: JSON] = [:]
        if let id { data["id"] = .string(id) }
        if name != "notifications/new" { data["client_id"] = client.map(JSON.string) ?? .null }
        return Event(user: user, name: name, data: .object(data))
    }
}
