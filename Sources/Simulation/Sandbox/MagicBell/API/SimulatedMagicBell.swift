/// The API behind the HTTP surface: users, their inboxes, preferences and tokens, and the rules of the requests.
///
/// A value without clock and I/O: its input is a request and the time, its output an answer and events. Served are the
/// REST API with an API key (v1), the user API with a user token and the sender's broadcasts (v2, below `/v2`), and
/// Ably's token endpoint.
package struct SimulatedMagicBell: Sendable, Equatable {
    /// An event for every connection of a user.
    package struct Event: Sendable, Equatable {
        /// The project's own id of the user.
        package var user: String
        package var name: String
        package var data: JSON
    }

    package struct Answer: Sendable, Equatable {
        package var response: ServiceResponse
        package var events: [Event] = []
        package var violations: [Violation] = []

        init(_ response: ServiceResponse, events: [Event] = []) {
            self.response = response
            self.events = events
        }

        static let noContent = Answer(ServiceResponse(status: 204, headers: [:], body: []))
    }

    package var apiKey: String
    package var hmacSecret: String
    package var requireHMAC: Bool
    /// Signs user tokens; the command `rotate-tokens` changes it.
    package var jwtSecret: String
    package internal(set) var users = MagicBellUsers()
    package internal(set) var ably: SimulatedAblyTokens
    /// Inbox tokens of the own socket that were registered and have not expired, and their users.
    package internal(set) var inboxTokens: [String: String] = [:]
    /// Whether `/notification_preferences` has the shape that `accept-version: v2` selects.
    var hasNewerPreferences = true
    /// Whether lists select by several categories or topics; otherwise such a filter has no effect.
    var hasSeveralFilters = true
    /// After a page is listed, this many of its newest notifications disappear; one element per list request.
    var pageShrinkage: [Int] = []
    private var inboxes: [String: SimulatedInbox] = [:]
    private var savedAnswers: [String: SavedAnswer] = [:]
    private var idCounter: UInt64 = 0

    package init(options: MagicBellOptions = MagicBellOptions()) {
        apiKey = options.apiKey
        hmacSecret = options.hmacSecret
        requireHMAC = options.requireHMAC
        jwtSecret = options.jwtSecret
        ably = SimulatedAblyTokens(lifetime: options.ablyTokenLifetime)
        for name in options.users { users.add(name) }
    }

    /// The inbox of a user by the project's own id.
    package subscript(user: String) -> SimulatedInbox {
        get { inboxes[user] ?? SimulatedInbox() }
        // In place: to set a changed copy would copy all notifications.
        _modify { yield &inboxes[user, default: SimulatedInbox()] }
    }

    mutating func makeID(now: Int64) -> String {
        idCounter += 1
        return TimedUUID.make(milliseconds: now, counter: idCounter)
    }

    /// The answer to a request with an idempotency key, which is sent again for the same key.
    private struct SavedAnswer: Sendable, Equatable {
        var request: String
        var response: ServiceResponse
        var time: Int64
    }

    /// Serves one request. A request with the idempotency key of an earlier one has no effect; its answer is that of
    /// the earlier one, for a day (MagicBell's documentation, "Idempotency keys").
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    package mutating func handle(_ request: ServiceRequest, now: Int64) -> Answer {
        do throws(Refusal) {
            guard let key = request.headers["idempotency-key"] else { return try route(request, now: now) }
            savedAnswers = savedAnswers.filter { now - $0.value.time < 86_400_000 }
            let line = "\(request.method) \(request.target)"
            if let saved = savedAnswers[key] {
                guard saved.request == line else {
                    throw .magicBell(.header, 422, "The idempotency key was used for another request.")
                }
                return Answer(saved.response)
            }
            let answer = try route(request, now: now)
            savedAnswers[key] = SavedAnswer(request: line, response: answer.response, time: now)
            return answer
        } catch {
            // `Query` refuses in the envelope of another service.
            let isOfQuery = error.violation == .query
            var answer = Answer(isOfQuery ? .magicBellError(422, nil, error.message) : error.response)
            if let kind = error.violation {
                answer.violations = [
                    Violation(kind: kind, message: error.message, context: "\(request.method) \(request.target)")
                ]
            }
            return answer
        }
    }

    private mutating func route(_ request: ServiceRequest, now: Int64) throws(Refusal) -> Answer {
        guard let path = request.segments else {
            throw .magicBell(.route, 404, "The path \(request.rawPath) has a malformed escape.")
        }
        if request.headers["x-magicbell-api-secret"] != nil {
            throw .magicBell(.header, 403, "X-MAGICBELL-API-SECRET must never be in a client.", code: "forbidden")
        }
        switch path.first {
        case "keys": return try requestAblyToken(request, path, now: now)
        case "v2" where path == ["v2", "broadcasts"]: return try createBroadcast(request, now: now)
        case "v2": return try userAPI(request, Array(path.dropFirst()), now: now)
        default: return try restAPI(request, path, now: now)
        }
    }

    /// The body of a request as a JSON object.
    func object(of request: ServiceRequest) throws(Refusal) -> [String: JSON] {
        let type = request.mediaType
        guard type == "application/json" else {
            throw .magicBell(.header, 415, "Content-Type must be application/json, not '\(type ?? "")'.")
        }
        guard let body = JSON(parsing: request.body)?.object else {
            throw .magicBell(.body, 422, "The body must be a JSON object.")
        }
        return body
    }

    /// Rejects a body where the endpoint has none.
    func requireNoBody(_ request: ServiceRequest) throws(Refusal) {
        guard request.body.isEmpty || request.body == Array("{}".utf8) else {
            throw .magicBell(.body, 422, "\(request.method) \(request.rawPath) has no body.")
        }
    }
}

extension ServiceRequest {
    /// The media type of `Content-Type`, in lower case and without parameters.
    var mediaType: String? {
        guard let type = headers["content-type"]?.split(separator: ";").first else { return nil }
        return String(type).lowercased().split(separator: " ").first.map(String.init)
    }
}

extension ServiceResponse {
    /// An error of MagicBell's API: `{"errors":[{"code":…,"message":…}]}`; the code is often absent.
    package static func magicBellError(_ status: Int, _ code: String? = nil, _ message: String) -> ServiceResponse {
        var entry: [String: JSON] = ["message": .string(message)]
        if let code { entry["code"] = .string(code) }
        return ServiceResponse(status: status, json: ["errors": [.object(entry)]])
    }
}

extension Refusal {
    static func magicBell(_ violation: Violation.Kind?, _ status: Int, _ message: String, code: String? = nil)
        -> Refusal
    {
        Refusal(violation, .magicBellError(status, code, message), message)
    }

    static func noMagicBellRoute(_ request: ServiceRequest) -> Refusal {
        .magicBell(.route, 404, "There is no \(request.method) \(request.rawPath).")
    }

    /// For an id that does not exist, which is no mistake of the client.
    static func notFound(_ what: String) -> Refusal { .magicBell(nil, 404, "There is no \(what).") }
}
