extension SandboxService {
    /// `/v1/feed/…`: list, count, details and the actions on notifications.
    mutating func feed(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        if path.last == "" { throw Refusal(.route, status: 404, type: "NOT_FOUND", "Feed paths never end in a slash.") }
        try checkHeaders(request)
        var query = try RequestQuery(request.rawQuery)
        let user = try query.require("distinct_id")
        let tenant = try query.require("tenant_id")
        let body = try body(of: request)
        try authorize(request.headers["x-ss-signature"], user: user, tenant: tenant, now: now)
        guard users.contains(user) else {
            throw Refusal(.route, status: 404, type: "NOT_FOUND", "There is no user '\(user)'.")
        }
        guard tenants.contains(tenant) else {
            throw Refusal(.route, status: 404, type: "NOT_FOUND", "There is no tenant '\(tenant)'.")
        }
        let key = InboxKey(user: user, tenant: tenant)

        switch (request.method, path.count, path.first, path.last) {
        case ("GET", 1, "notifications", _):
            return Answer(response: try list(key, &query, now: now))
        case ("GET", 1, "notifications_count", _):
            return Answer(response: try count(key, &query, now: now))
        default:
            try query.finish()
        }
        switch (request.method, path.count, path.first, path.last) {
        case ("GET", 2, "notifications", let id?):
            guard let row = self[key].row(id) else { throw Self.noRow(id) }
            return Answer(response: ServiceResponse(json: row.archivedIfExpired(at: now).json))
        case ("PATCH", 3, "notifications", let name?):
            guard let action = StoredInbox.Action(rawValue: name) else { throw Refusal.noRoute(request) }
            try Self.requireEmpty(body)
            guard let event = act(action, on: path[1], of: key, now: now) else { throw Self.noRow(path[1]) }
            return Answer(response: .success, events: [event])
        case ("POST", 3, "bulk", "seen") where path[1] == "notifications":
            guard body.object?.count == 1, let ids = body["notification_ids"]?.strings else {
                throw Refusal(.body, "The body must be {\"notification_ids\":[strings]}.")
            }
            return Answer(response: .success, events: [bulkSeen(ids, of: key, now: now)])
        case ("PATCH", 1, "mark_all_read", _):
            try Self.requireEmpty(body)
            return Answer(response: .success, events: [markAllRead(key, now: now)])
        case ("PATCH", 1, "reset_bell_count", _):
            try Self.requireEmpty(body)
            return Answer(response: .success, events: [resetBadge(key, now: now)])
        default:
            throw Refusal.noRoute(request)
        }
    }

    // MARK: Actions, also for the control surface. Each returns the realtime event that echoes it.

    /// Applies an action to a row; nil when the row does not exist.
    mutating func act(_ action: StoredInbox.Action, on id: String, of key: InboxKey, now: Int64) -> Event? {
        guard self[key].apply(action, to: id, now: now) else { return nil }
        return .updated(id, action: action.rawValue, of: key)
    }

    mutating func bulkSeen(_ ids: [String], of key: InboxKey, now: Int64) -> Event {
        for id in ids { _ = self[key].apply(.seen, to: id, now: now) }
        return Event(
            user: key,
            name: "bulk_notification_update",
            payload: ["action": "seen", "notification_ids": .array(ids.map(JSON.string))]
        )
    }

    mutating func markAllRead(_ key: InboxKey, now: Int64) -> Event {
        self[key].markAllRead(now: now)
        return Event(
            user: key,
            name: "bulk_notification_update",
            payload: ["action": "read", "notification_ids": "all"]
        )
    }

    mutating func resetBadge(_ key: InboxKey, now: Int64) -> Event {
        self[key].resetBell(now: now)
        return Event(user: key, name: "reset_badge", payload: [:])
    }

    // MARK: Reading

    /// `GET /v1/feed/notifications`: one page of a store.
    private func list(_ key: InboxKey, _ query: inout RequestQuery, now: Int64) throws(Refusal) -> ServiceResponse {
        let pageSize = try query.takeInteger("page_size", in: 1...100) ?? 20
        let written = query.peek("search_after") ?? ""
        guard let position = try query.takeJSON("search_after") else {
            throw Refusal(.query, "'search_after' is missing; the first page sends [].")
        }
        // The service is known to reject numbers with an exponent or a fraction, such as 1.7e12 and 1754346745613.0.
        if !written.contains("true"), !written.contains("false"), written.contains(where: { "eE.".contains($0) }) {
            throw Refusal(.query, "'search_after' must have integers without fraction and exponent, not \(written).")
        }
        let cursor = try Cursor(position)
        let store: StoreQuery?
        if let json = try query.takeJSON("store") { store = try StoreQuery(json) } else { store = nil }
        try query.finish()

        let all = self[key].rows(of: store, now: now)
        let rest = all.filter(cursor.isBefore)
        let page = rest.prefix(pageSize)
        let consumed = all.count - rest.count + page.count
        return ServiceResponse(
            json: [
                "results": .array(page.map(\.json)),
                "meta": [
                    "total_count": .integer(Int64(all.count)),
                    "has_more": .bool(page.count < rest.count),
                    "current_page": .integer(Int64(max(1, (consumed + pageSize - 1) / pageSize))),
                    "total_pages": .integer(Int64(max(1, (all.count + pageSize - 1) / pageSize))),
                ],
            ]
        )
    }

    /// `GET /v1/feed/notifications_count`: the badge and the unread rows of each store.
    private func count(_ key: InboxKey, _ query: inout RequestQuery, now: Int64) throws(Refusal) -> ServiceResponse {
        var counts: [String: JSON] = ["badge": .integer(Int64(self[key].badge(now: now)))]
        if let json = try query.takeJSON("stores") {
            guard let list = json.array else { throw Refusal(.query, "'stores' is not a list of stores.") }
            for element in list {
                let store = try StoreQuery(element)
                guard counts[store.id] == nil else { throw Refusal(.query, "Two stores are named '\(store.id)'.") }
                counts[store.id] = .integer(Int64(self[key].unread(in: store, now: now)))
            }
        }
        try query.finish()
        return ServiceResponse(json: .object(counts))
    }

    private static func requireEmpty(_ body: JSON) throws(Refusal) {
        guard body == [:] else { throw Refusal(.body, "The body of this request is {}.") }
    }

    private static func noRow(_ id: String) -> Refusal {
        Refusal(nil, status: 404, type: "NOT_FOUND", "There is no notification '\(id)'.")
    }
}

extension SandboxService.Event {
    static func updated(_ id: String, action: String?, of key: InboxKey) -> Self {
        var payload: [String: JSON] = ["n_id": .string(id)]
        if let action { payload["action"] = .string(action) }
        return Self(user: key, name: "notification_update", payload: .object(payload))
    }
}

/// `search_after`: `[]`, or the `is_pinned` (0, 1, true, false) and `created_on` of the last row seen.
private struct Cursor {
    var position: (isPinned: Bool, createdOn: Int64)?

    init(_ json: JSON) throws(Refusal) {
        guard json != [] else { return }
        guard let list = json.array, list.count == 2, let createdOn = list[1].integer else {
            throw Refusal(.query, "'search_after' must be [] or [is_pinned,created_on], not \(json.text).")
        }
        switch list[0] {
        case .bool(let pinned): position = (pinned, createdOn)
        case .integer(0): position = (false, createdOn)
        case .integer(1): position = (true, createdOn)
        default: throw Refusal(.query, "'search_after' must begin with 0, 1, true, or false, not \(list[0].text).")
        }
    }

    func isBefore(_ row: StoredRow) -> Bool {
        guard let position else { return true }
        if row.isPinned != position.isPinned { return position.isPinned }
        return row.createdOn < position.createdOn
    }
}
