/// The service behind the HTTP surface: users, their inboxes and preferences, and the rules of the requests.
///
/// A value without clock and I/O: its input is a request and the time, its output an answer and realtime events.
package struct SandboxService: Sendable, Equatable {
    /// An event for every socket of a user.
    package struct Event: Sendable, Equatable {
        package var user: InboxKey
        package var name: String
        package var payload: JSON

        package init(user: InboxKey, name: String, payload: JSON) {
            self.user = user
            self.name = name
            self.payload = payload
        }
    }

    package struct Answer: Sendable, Equatable {
        package var response: ServiceResponse
        package var events: [Event] = []
        package var violations: [Violation] = []
    }

    /// One `/v2/event` body and the id in its answer.
    package struct RecordedEvent: Sendable, Equatable {
        package var body: JSON
        package var messageID: String
    }

    package var publicKey: String
    package var users: Set<String>
    package var tenants: Set<String>
    package var requireToken: Bool
    /// Tokens of another generation are rejected.
    package var tokenGeneration = 1
    package internal(set) var recordedEvents: [RecordedEvent] = []
    private var inboxesByKey: [InboxKey: StoredInbox] = [:]
    private var idCounter: UInt64 = 0

    package init(options: SandboxOptions = SandboxOptions()) {
        publicKey = options.publicKey
        users = Set(options.users)
        tenants = Set(options.tenants)
        requireToken = options.requireToken
        for user in users {
            for tenant in tenants { inboxesByKey[InboxKey(user: user, tenant: tenant)] = StoredInbox() }
        }
    }

    /// The inbox of a user, empty when it does not exist yet.
    package subscript(key: InboxKey) -> StoredInbox {
        get { inboxesByKey[key] ?? StoredInbox() }
        // In place: to set a changed copy would copy all rows.
        _modify { yield &inboxesByKey[key, default: StoredInbox()] }
    }

    /// All inboxes in order of their keys.
    package var inboxes: [(key: InboxKey, inbox: StoredInbox)] {
        inboxesByKey.map { ($0.key, $0.value) }.sorted { ($0.0.tenant, $0.0.user) < ($1.0.tenant, $1.0.user) }
    }

    mutating func makeID(now: Int64) -> String {
        idCounter += 1
        return ULID.make(milliseconds: now, counter: idCounter)
    }

    /// Serves one request.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    package mutating func handle(_ request: ServiceRequest, now: Int64) -> Answer {
        do throws(Refusal) {
            return try route(request, now: now)
        } catch {
            var answer = Answer(response: error.response)
            if let kind = error.violation {
                answer.violations = [
                    Violation(kind: kind, message: error.message, context: "\(request.method) \(request.target)")
                ]
            }
            return answer
        }
    }

    private mutating func route(_ request: ServiceRequest, now: Int64) throws(Refusal) -> Answer {
        guard let segments = request.segments else {
            throw Refusal(.route, "The path \(request.rawPath) has a malformed escape.")
        }
        switch (segments.first, segments.dropFirst().first) {
        case ("v1", "feed"): return try feed(request, Array(segments.dropFirst(2)), now: now)
        case ("v2", "event"): return try event(request, Array(segments.dropFirst(2)), now: now)
        case ("v2", "subscriber"), ("v1", "user"): return try preferences(request, segments, now: now)
        case ("trigger", ""): return try trigger(request, now: now)
        default: throw Refusal.noRoute(request)
        }
    }

    // MARK: Common checks of requests

    /// Checks the headers that every request carries. ``authorize(_:user:tenant:now:)`` checks the user token.
    func checkHeaders(_ request: ServiceRequest) throws(Refusal) {
        let type = request.headers["content-type"] ?? ""
        guard type.split(separator: ";").first.map(String.init)?.lowercased() == "application/json" else {
            throw Refusal(.header, "Content-Type must be application/json, not '\(type)'.")
        }
        guard let key = request.headers["authorization"], key == publicKey else {
            throw Refusal(.header, status: 401, type: "permission_denied", "Authorization is not a known public key.")
        }
        for name in ["x-suprsend-user-agent", "x-suprsend-client-user-agent"] {
            guard let value = request.headers[name], !value.isEmpty else {
                throw Refusal(.header, "The header \(name) is missing.")
            }
        }
        guard JSON(parsing: request.headers["x-suprsend-client-user-agent"] ?? "")?.object != nil else {
            throw Refusal(.header, "X-Suprsend-Client-User-Agent is not a JSON object.")
        }
    }

    /// The body of a request: none for GET, a JSON object for PATCH and POST, `{}` at least.
    func body(of request: ServiceRequest) throws(Refusal) -> JSON {
        if request.method == "GET" {
            guard request.body.isEmpty else { throw Refusal(.body, "A GET request has a body.") }
            return [:]
        }
        guard let body = JSON(parsing: request.body), body.object != nil else {
            throw Refusal(.body, "The body must be a JSON object, at least {}.")
        }
        return body
    }

    /// Checks the user token.
    ///
    /// - Throws: 401 `token_expired`, 401 `token_invalid`, or 403 `permission_denied` for a tenant outside the scope.
    func authorize(_ token: String?, user: String?, tenant: String?, now: Int64) throws(Refusal) {
        guard requireToken else { return }
        guard let token, !token.isEmpty else {
            throw Refusal(
                .header,
                status: 401,
                type: "token_invalid",
                "x-ss-signature is missing; tokens are enforced."
            )
        }
        guard let token = SandboxToken(parsing: token), token.generation == tokenGeneration else {
            throw Refusal(nil, status: 401, type: "token_invalid", "Token invalid")
        }
        guard let expiry = token.expiresAt, expiry * 1000 > now else {
            throw Refusal(nil, status: 401, type: "token_expired", "Token expired")
        }
        if let user, token.entityID != user {
            throw Refusal(.header, status: 401, type: "token_invalid", "The token belongs to another user.")
        }
        if let tenant, !token.tenants.contains(tenant) {
            throw Refusal(nil, status: 403, type: "permission_denied", "Scope mismatch")
        }
    }

    /// Checks the credentials of a Socket.IO CONNECT: the inbox to join, or the refusal.
    func admit(_ credentials: JSON, now: Int64) -> (result: Result<InboxKey, ConnectRefusal>, violation: String?) {
        func text(_ key: String) -> String? { credentials[key]?.string }
        let wrong = ConnectRefusal(message: "Authentication Error: wrong auth token")
        let known: Set = ["authorization", "x-ss-signature", "distinct_id", "tenant_id", "schema", "pid", "offset"]
        for (key, value) in credentials.object ?? [:] where !known.contains(key) || value.string == nil {
            return (.failure(wrong), "CONNECT has an unknown key or a value that is no string: '\(key)'.")
        }
        guard text("authorization") == publicKey else {
            return (.failure(wrong), "CONNECT does not carry a known public key as 'authorization'.")
        }
        guard text("schema") == "1" else { return (.failure(wrong), "CONNECT must have \"schema\":\"1\".") }
        guard let user = text("distinct_id"), users.contains(user) else {
            return (.failure(wrong), "CONNECT names no known user as 'distinct_id'.")
        }
        guard let tenant = text("tenant_id"), tenants.contains(tenant) else {
            return (.failure(wrong), "CONNECT names no known tenant as 'tenant_id'.")
        }
        do {
            try authorize(text("x-ss-signature"), user: user, tenant: tenant, now: now)
        } catch {
            return (.failure(wrong), error.violation == nil ? nil : error.message)
        }
        return (.success(InboxKey(user: user, tenant: tenant)), nil)
    }
}

/// The `message` of a CONNECT_ERROR.
package struct ConnectRefusal: Error, Sendable, Equatable {
    package var message: String
    package var data: JSON?

    package init(message: String, data: JSON? = nil) {
        self.message = message
        self.data = data
    }
}

extension Refusal {
    static func noRoute(_ request: ServiceRequest) -> Refusal {
        Refusal(.route, status: 404, type: "NOT_FOUND", "There is no \(request.method) \(request.rawPath).")
    }
}
