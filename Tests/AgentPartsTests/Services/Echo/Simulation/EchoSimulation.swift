import Sandbox

/// A simulated Echo with one user and one category: what `EchoAccountTests` needs of it.
struct EchoSimulation: SimulatedService {
    static let token = "echo-1"
    /// Newest first.
    private(set) var rows: [[String: JSON]] = []
    private(set) var hasNews = true
    private(set) var joinedSockets: Set<SocketID> = []

    /// Adds a notification, and announces it to joined sockets.
    mutating func publish(_ title: String, now: Int64) -> [SocketEffect] {
        let id = JSON.string("n\(rows.count + 1)")
        // No two have the same time.
        let created = max(now, (rows.first?["created"]?.integer ?? 0) + 1)
        rows.insert(["id": id, "title": .string(title), "text": "x", "created": .integer(created)], at: 0)
        return announce("added", rows[0])
    }

    mutating func handle(_ request: ServiceRequest, now: Int64) -> (response: ServiceResponse, effects: [SocketEffect])
    {
        guard request.headers["authorization"] == "Bearer \(Self.token)" else { return (Self.error(401), []) }
        let body = JSON(parsing: request.body)?.object ?? [:]
        let path = request.segments ?? []
        switch (request.method, path.first, path.count) {
        case ("GET", "notifications"?, 1): return (ServiceResponse(json: .object(contents(rows))), [])
        case ("PATCH", "notifications"?, 2):
            guard let index = rows.firstIndex(where: { $0["id"]?.string == path[1] }) else { break }
            for mark in body.keys {
                for implied in ["followed": ["read", "seen"], "read": ["seen"]][mark, default: []] + [mark] {
                    rows[index][implied] = rows[index][implied] ?? .integer(now)
                }
            }
            return (ServiceResponse(json: .object(contents([rows[index]]))), announce("changed", rows[index]))
        case ("GET", "preferences"?, 1): return (preferences, [])
        case ("PATCH", "preferences"?, 2):
            hasNews = body["on"]?.bool ?? hasNews
            return (preferences, [])
        default: break
        }
        return (Self.error(404), [])
    }

    func grantsUpgrade(_ request: ServiceRequest) -> Bool { request.rawPath == "/socket" }

    mutating func received(_ text: String, on id: SocketID, now: Int64) -> [SocketEffect] {
        guard JSON(parsing: text)?["token"]?.string == Self.token, joinedSockets.insert(id).inserted else {
            return [.violation(Violation(kind: .realtime, message: "Not the token, or twice.", context: text))]
        }
        return [.send(id, JSON.object(["type": "ready"]).text)]
    }

    mutating func closed(_ id: SocketID) { joinedSockets.remove(id) }

    private static func error(_ status: Int) -> ServiceResponse {
        ServiceResponse(status: status, json: ["error": "The sandbox does not know this."])
    }

    private var preferences: ServiceResponse {
        ServiceResponse(json: ["categories": [["id": "news", "name": "News", "on": .bool(hasNews)]]])
    }

    private func announce(_ type: String, _ row: [String: JSON]) -> [SocketEffect] {
        let frame = JSON.object(contents([row]).merging(["type": .string(type)]) { $1 })
        return joinedSockets.map { .send($0, frame.text) }
    }

    /// Notifications and the present counts.
    private func contents(_ rows: [[String: JSON]]) -> [String: JSON] {
        func count(without mark: String) -> JSON { .integer(Int64(self.rows.count { $0[mark] == nil })) }
        return [
            "notifications": .array(rows.map(JSON.object)), "unread": count(without: "read"),
            "unseen": count(without: "seen"), "total": .integer(Int64(self.rows.count)),
        ]
    }
}
