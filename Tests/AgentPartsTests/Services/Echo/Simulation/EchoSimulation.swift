import FoundationEssentials
import Sandbox

/// A simulated Echo with one user.
struct EchoSimulation: SimulatedService {
    /// The valid tokens.
    var tokens: Set<String> = ["echo-1"]
    /// Newest first.
    private(set) var rows: [[String: JSON]] = []
    private(set) var joinedSockets: Set<SocketID> = []
    /// Whether each category is on. The service requires "security".
    private(set) var categories = ["news": true, "security": true]
    /// Why the next changes of preferences are refused; nil: they are not.
    var refusal: String?
    private var lastRow = 0

    // MARK: What a test does at the service

    /// Adds a notification, and announces it to joined sockets.
    mutating func publish(_ fields: [String: JSON], now: Int64) -> [SocketEffect] {
        lastRow += 1
        // No two have the same time.
        let created = max(now, (rows.first?["created"]?.integer ?? 0) + 1)
        let row = fields.merging(["id": .string("n\(lastRow)"), "created": .integer(created)]) { $1 }
        rows.insert(row, at: 0)
        return announce("added", [row])
    }

    /// Ends all connections without a close.
    func cut() -> [SocketEffect] { joinedSockets.map { .hangUp($0, .reset) } }

    /// Switches a category as another client does.
    mutating func switchCategory(_ id: String, on isOn: Bool) -> [SocketEffect] {
        categories[id] = isOn
        return joinedSockets.map { .send($0, JSON.object(["type": "preferences"]).text) }
    }

    // MARK: HTTP

    mutating func handle(_ request: ServiceRequest, now: Int64) -> (response: ServiceResponse, effects: [SocketEffect])
    {
        let token = request.headers["authorization"]?.split(separator: " ").last.map(String.init) ?? ""
        guard tokens.contains(token) else { return Self.refused(401, "The token is unknown.") }
        let body = JSON(parsing: request.body)?.object ?? [:]
        let path = request.segments ?? []
        switch (request.method, path.first, path.count) {
        case ("GET", "notifications"?, 1): return (page(request), [])
        case ("GET", "notifications"?, 2):
            guard let row = rows.first(where: { $0["id"]?.string == path[1] }) else { break }
            return (answer([row]), [])
        case ("PATCH", "notifications"?, 2), ("DELETE", "notifications"?, 2):
            guard let index = rows.firstIndex(where: { $0["id"]?.string == path[1] }) else { break }
            return request.method == "DELETE" ? delete(index) : change(index, body, now: now)
        case ("POST", "read-all"?, 1): return readAll(upTo: body["last"]?.integer ?? 0, now: now)
        case ("GET", "preferences"?, 1): return (preferences(request), [])
        case ("PATCH", "preferences"?, 2): return setPreference(path[1], body, request)
        default: break
        }
        return Self.refused(404, "There is no such thing.")
    }

    private static func refused(_ status: Int, _ reason: String) -> (ServiceResponse, [SocketEffect]) {
        (ServiceResponse(status: status, json: ["error": .string(reason)]), [])
    }

    private func page(_ request: ServiceRequest) -> ServiceResponse {
        let items = URLComponents(string: request.target)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        let categories = items.filter { $0.name == "category" }.compactMap(\.value)
        let last = value("last").flatMap(Int64.init) ?? .max
        let found = rows.filter { row in
            row["created"]?.integer ?? 0 <= last
                && (row["archived"] == true) == (value("archived") == "true")
                && value("read").map { ($0 == "true") == (row["read"] != nil) } ?? true
                && value("seen").map { ($0 == "true") == (row["seen"] != nil) } ?? true
                && (categories.isEmpty || categories.contains(row["category"]?.string ?? ""))
        }
        let size = value("size").flatMap(Int.init) ?? 20
        return answer(Array(found.prefix(size)), hasMore: found.count > size)
    }

    private mutating func change(_ index: Int, _ marks: [String: JSON], now: Int64) -> (ServiceResponse, [SocketEffect])
    {
        for (mark, value) in marks {
            switch (mark, value.bool) {
            case ("archived", let isArchived?): rows[index]["archived"] = .bool(isArchived)
            case ("read", false?): rows[index]["read"] = nil
            case ("followed", true?), ("read", true?), ("seen", true?):
                for implied in ["followed": ["read", "seen"], "read": ["seen"]][mark, default: []] + [mark] {
                    rows[index][implied] = rows[index][implied] ?? .integer(now)
                }
            default: return Self.refused(422, "The mark \"\(mark)\" is unknown.")
            }
        }
        return (answer([rows[index]]), announce("changed", [rows[index]]))
    }

    private mutating func delete(_ index: Int) -> (ServiceResponse, [SocketEffect]) {
        let row = rows.remove(at: index)
        return (answer([row]), announce("removed", [row]))
    }

    private mutating func readAll(upTo last: Int64, now: Int64) -> (ServiceResponse, [SocketEffect]) {
        let changed = rows.indices.filter { rows[$0]["read"] == nil && rows[$0]["created"]?.integer ?? 0 <= last }
        for index in changed { rows[index]["read"] = .integer(now) }
        let read = changed.map { rows[$0] }
        return (answer(read), announce("all-read", read))
    }

    // MARK: Preferences

    private func preferences(_ request: ServiceRequest) -> ServiceResponse {
        let isGerman = request.headers["accept-language"] == "de"
        let list = categories.sorted { $0.key < $1.key }.map { id, isOn -> JSON in
            let name = id == "security" ? (isGerman ? "Sicherheit" : "Security") : (isGerman ? "Neues" : "News")
            return ["id": .string(id), "name": .string(name), "on": .bool(isOn), "required": .bool(id == "security")]
        }
        return ServiceResponse(json: ["categories": .array(list)])
    }

    private mutating func setPreference(
        _ id: String,
        _ members: [String: JSON],
        _ request: ServiceRequest
    ) -> (ServiceResponse, [SocketEffect]) {
        guard categories[id] != nil, let isOn = members["on"]?.bool else { return Self.refused(404, "Unknown.") }
        if let refusal { return Self.refused(422, refusal) }
        categories[id] = isOn
        return (preferences(request), [])
    }

    // MARK: Events

    func grantsUpgrade(_ request: ServiceRequest) -> Bool { request.rawPath == "/socket" }

    mutating func received(_ text: String, on id: SocketID, now: Int64) -> [SocketEffect] {
        guard let token = JSON(parsing: text)?["token"]?.string, !joinedSockets.contains(id) else {
            return [.violation(Violation(kind: .realtime, message: "Not a token, or a second one.", context: text))]
        }
        guard tokens.contains(token) else {
            let refusal: JSON = ["type": "refused", "error": "The token is unknown."]
            return [.send(id, refusal.text), .hangUp(id, .close(code: 4401))]
        }
        joinedSockets.insert(id)
        return [.send(id, JSON.object(["type": "ready"]).text)]
    }

    mutating func closed(_ id: SocketID) { joinedSockets.remove(id) }

    private func announce(_ type: String, _ rows: [[String: JSON]]) -> [SocketEffect] {
        var frame = contents(rows)
        frame["type"] = .string(type)
        return joinedSockets.sorted().map { .send($0, JSON.object(frame).text) }
    }

    private func answer(_ rows: [[String: JSON]], hasMore: Bool = false) -> ServiceResponse {
        ServiceResponse(json: .object(contents(rows).merging(["more": .bool(hasMore)]) { $1 }))
    }

    /// Notifications and the present counts.
    private func contents(_ rows: [[String: JSON]]) -> [String: JSON] {
        let inbox = self.rows.filter { $0["archived"] != true }
        func count(without mark: String) -> JSON { .integer(Int64(inbox.count { $0[mark] == nil })) }
        return [
            "notifications": .array(rows.map(JSON.object)), "unread": count(without: "read"),
            "unseen": count(without: "seen"), "total": .integer(Int64(inbox.count)),
        ]
    }
}
