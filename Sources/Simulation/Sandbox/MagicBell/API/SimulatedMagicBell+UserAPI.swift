extension SimulatedMagicBell {
    /// The user API with a user token (v2); `path` is below `/v2`.
    mutating func userAPI(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        guard let token = request.bearerToken else {
            throw .magicBell(.header, 401, "Authorization with a Bearer token is missing.")
        }
        if let name = request.headers.keys.sorted().first(where: { $0.hasPrefix("x-magicbell-user-") }) {
            throw .magicBell(.header, 401, "The user API identifies the user by its token, not by \(name).")
        }
        let user = try authorize(token, now: now)
        switch path.first {
        case "notifications": return try userNotifications(request, Array(path.dropFirst()), user, now: now)
        case "channels" where path == ["channels", "user_preferences"]: return try userPreferences(request, user)
        case "channels": return try userTokens(request, path, user, now: now)
        case "integrations": return try integrations(request, Array(path.dropFirst()))
        default: throw .noMagicBellRoute(request)
        }
    }

    private mutating func userNotifications(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser,
        now: Int64
    ) throws(Refusal) -> Answer {
        try requireNoBody(request)
        var query = try RequestQuery(request.rawQuery)
        switch (request.method, path.count, path.first, path.last) {
        case ("GET", 0, _, _): return try userList(user, &query)
        case ("GET", 2, "unread", "count"):
            let filter = try StatusFilter(userQuery: &query)
            try query.finish()
            let count = self[user.id].count(of: filter) { $0.readAt == nil && $0.archivedAt == nil }
            return Answer(ServiceResponse(json: ["count": .integer(Int64(count))]))
        case ("GET", 1, let id?, _):
            try query.finish()
            guard let notification = self[user.id][id] else { throw .notFound("notification '\(id)'") }
            return Answer(ServiceResponse(json: notification.userAPIJSON(for: user)))
        case ("POST", 1, let name?, _):
            let filter = try StatusFilter(userQuery: &query)
            try query.finish()
            let action: StoredNotification.Action
            let event: String
            // No event is documented for archiving all.
            switch name {
            case "read": (action, event) = (.read, "notifications/read/all")
            case "seen": (action, event) = (.seen, "notifications/seen/all")
            case "archive": (action, event) = (.archive, "")
            default: throw .noMagicBellRoute(request)
            }
            self[user.id].apply(action, toAll: filter, now: now)
            return noContent(Self.event(event, nil, of: user.id, nil))
        case ("POST", 2, let id?, let name?):
            guard let action = StoredNotification.Action(rawValue: name) else { throw .noMagicBellRoute(request) }
            try query.finish()
            guard let event = act(action, on: id, of: user.id, client: nil, now: now) else {
                throw .notFound("notification '\(id)'")
            }
            return noContent(event)
        default: throw .noMagicBellRoute(request)
        }
    }

    /// A page of a list with cursors, which are the ids of the first or last notification that the client has.
    private mutating func userList(_ user: SimulatedUser, _ query: inout RequestQuery) throws(Refusal) -> Answer {
        let page = try CursorPage(&query, defaultSize: 50)
        var filter = try StatusFilter(userQuery: &query)
        if let text = query.take("status") {
            guard let status = StoredNotification.Status(rawValue: text) else {
                throw Refusal(.query, "'status' must be unseen, unread, read or archived, not '\(text)'.")
            }
            filter.status = status
        }
        try query.finish()
        let matching = self[user.id].notifications(matching: filter)
        // The cursor may have left the filter, such as a notification that was read since: it keeps its position.
        let cursor = page.cursor.flatMap { self[user.id][$0] }
        if let id = page.cursor, cursor == nil { throw .magicBell(nil, 422, "There is no notification '\(id)'.") }
        let rows: ArraySlice<StoredNotification>
        switch page.position {
        case .start: rows = matching.prefix(page.size)
        case .after: rows = matching.filter { Self.isAfter($0, cursor) }.prefix(page.size)
        case .before: rows = matching.filter { Self.isAfter(cursor, $0) }.suffix(page.size)
        }
        func link(_ parameter: String, _ id: String?) -> JSON {
            guard let id else { return .null }
            return .string("/v2/notifications?limit=\(page.size)&\(parameter)=\(id)")
        }
        let hasNext = matching.last.map { $0.id != rows.last?.id } ?? false
        let hasPrevious = matching.first.map { $0.id != rows.first?.id } ?? false
        let answer: JSON = [
            "data": .array(rows.map { $0.userAPIJSON(for: user) }),
            "links": [
                "first": .string("/v2/notifications?limit=\(page.size)"),
                "next": link("starting_after", hasNext ? rows.last?.id : nil),
                "prev": link("ending_before", hasPrevious ? rows.first?.id : nil),
            ],
        ]
        shrink(rows, of: user.id)
        return Answer(ServiceResponse(json: answer))
    }

    private static func isAfter(_ row: StoredNotification?, _ cursor: StoredNotification?) -> Bool {
        guard let row, let cursor else { return false }
        return StoredNotification.precedes(cursor, row)
    }

    private mutating func userPreferences(_ request: ServiceRequest, _ user: SimulatedUser) throws(Refusal) -> Answer {
        let query = try RequestQuery(request.rawQuery)
        try query.finish()
        switch request.method {
        case "GET":
            try requireNoBody(request)
            return Answer(ServiceResponse(json: self[user.id].preferences.userAPIJSON))
        case "PUT":
            let toggles = try PreferenceBody.toggles(
                try object(of: request)["categories"],
                category: "key",
                channel: "name"
            )
            try apply(toggles, of: user.id)
            return .noContent
        default: throw .noMagicBellRoute(request)
        }
    }
}

/// `limit`, `starting_after` and `ending_before` of a list of the user API (v2).
struct CursorPage: Equatable {
    enum Position: Equatable { case start, after, before }

    var size: Int
    var position: Position
    var cursor: String?

    init(_ query: inout RequestQuery, defaultSize: Int) throws(Refusal) {
        size = try query.takeInteger("limit", in: 1...100) ?? defaultSize
        let after = query.take("starting_after")
        let before = query.take("ending_before")
        guard after == nil || before == nil else {
            throw Refusal(.query, "'starting_after' and 'ending_before' are given together.")
        }
        position = after != nil ? .after : before != nil ? .before : .start
        cursor = after ?? before
    }
}
