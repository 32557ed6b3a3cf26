@testable import Sandbox

/// Requests of a correct client of MagicBell; a test changes one part of them.
enum MagicBellRequests {
    static let now: Int64 = 1_767_225_600_000
    static let headers = ["x-magicbell-api-key": "pk_sandbox", "x-magicbell-user-external-id": "user-1"]

    /// Four notifications of an inbox, which lists them as D, C, B, A.
    static let rows: [JSON] = [
        ["id": "A", "title": "1", "sent_at": 1_767_000_000, "category": "ci", "seen_at": 1, "read_at": 2],
        ["id": "B", "title": "2", "sent_at": 1_767_000_001, "category": "ops", "topic": "t", "seen_at": 1],
        ["id": "C", "title": "3", "sent_at": 1_767_000_002, "category": "ci", "archived_at": 9],
        ["id": "D", "title": "4", "sent_at": 1_767_000_003],
    ]

    /// A request of the REST API (v1).
    static func rest(_ method: String, _ target: String, _ body: JSON? = nil, _ more: [String: String] = [:])
        -> ServiceRequest
    {
        var headers = headers.merging(more) { $1 }
        if body != nil, headers["content-type"] == nil { headers["content-type"] = "application/json" }
        return ServiceRequest(method: method, target: target, headers: headers, body: body?.bytes ?? [])
    }

    /// A request of the user API (v2); `target` is below `/v2`.
    static func user(_ method: String, _ target: String, _ body: JSON? = nil) -> ServiceRequest {
        let token = SignedUserToken.make(
            externalID: "user-1",
            email: nil,
            apiKey: "pk_sandbox",
            issuedAt: now / 1000,
            expiresAt: now / 1000 + 60,
            secret: "sandbox-secret"
        )
        var headers = ["authorization": "Bearer \(token)"]
        if body != nil { headers["content-type"] = "application/json" }
        return ServiceRequest(method: method, target: "/v2" + target, headers: headers, body: body?.bytes ?? [])
    }
}

extension SandboxState {
    /// A simulated MagicBell whose only user has these notifications, in this order of arrival.
    static func magicBell(_ notifications: [JSON] = [], _ options: MagicBellOptions = MagicBellOptions()) throws
        -> SandboxState
    {
        var state = SandboxState(options: .magicBell(options))
        _ = try state.execute(
            "publish",
            ["notifications": .array(notifications), "announce": false],
            wall: MagicBellRequests.now
        )
        return state
    }

    mutating func answer(_ request: ServiceRequest, wall: Int64 = MagicBellRequests.now) -> (status: Int, json: JSON?) {
        let response = handle(request, wall: wall).response
        return (response.status, JSON(parsing: response.body))
    }

    mutating func command(_ name: String, _ arguments: JSON = [:], wall: Int64 = MagicBellRequests.now)
        throws(CommandMistake) -> [SocketEffect]
    { try execute(name, arguments, wall: wall).effects }

    /// The frames that the server sends for a command or a frame.
    static func frames(_ effects: [SocketEffect]) -> [JSON] {
        effects.compactMap { effect in
            if case .send(_, let text) = effect { JSON(parsing: text) ?? .string(text) } else { nil }
        }
    }
}

extension JSON {
    /// The members `id` of a list of objects.
    var ids: [String] { array?.compactMap { $0["id"]?.string } ?? [] }
    /// The first of MagicBell's errors.
    var errorCode: String? { self["errors"]?.array?.first?["code"]?.string }
}
