extension SandboxService {
    /// `POST /v2/event`: recorded once per `$insert_id`.
    mutating func event(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        guard request.method == "POST", path.isEmpty else { throw Refusal.noRoute(request) }
        try checkHeaders(request)
        try RequestQuery(request.rawQuery).finish()
        guard let event = JSON(parsing: request.body)?.object else {
            throw Refusal(.body, "An event is one JSON object, never a list.")
        }
        let (insertID, name) = try Self.check(event)
        let user = event["distinct_id"]?.string ?? ""
        let identified = event["properties"]?["$identified_id"]?.string
        let subject = user.isEmpty ? (name == "$identify" ? identified : nil) : user
        if name?.hasPrefix("$notification_") != true {
            try authorize(
                request.headers["x-ss-signature"],
                user: subject,
                tenant: event["tenant_id"]?.string ?? "default",
                now: now
            )
        }

        if let known = recordedEvents.first(where: { $0.body["$insert_id"]?.string == insertID }) {
            return Answer(response: Self.accepted(known.messageID))
        }
        if name == "$identify", let identified { users.insert(identified) }
        let messageID = makeID(now: now)
        recordedEvents.append(RecordedEvent(body: .object(event), messageID: messageID))
        if recordedEvents.count > 10_000 { recordedEvents.removeFirst(1_000) }
        return Answer(response: Self.accepted(messageID))
    }

    // MARK: Checks of events

    private static let operators: Set = ["$set", "$set_once", "$add", "$append", "$remove", "$unset"]
    private static let keys: Set = ["event", "properties", "$insert_id", "$time", "distinct_id", "tenant_id"]

    /// The id and the name of a well-formed event; the name is nil for an operation on the profile.
    private static func check(_ event: [String: JSON]) throws(Refusal) -> (insertID: String, name: String?) {
        guard let insertID = event["$insert_id"]?.string, !insertID.isEmpty else {
            throw Refusal(.body, "An event requires '$insert_id'.")
        }
        // Clients are known to send seconds by mistake. 10^11 ms is March 1973.
        guard let time = event["$time"]?.integer, time > 100_000_000_000 else {
            throw Refusal(.body, "'$time' must be an integer in milliseconds.")
        }
        if let key = event.keys.sorted().first(where: { !keys.contains($0) && !operators.contains($0) }) {
            throw Refusal(.body, "An event has no key '\(key)'.")
        }
        for key in ["distinct_id", "tenant_id", "event"] {
            guard let value = event[key], value.string == nil, value != .null || key != "tenant_id" else { continue }
            throw Refusal(.body, "'\(key)' must be a string.")
        }
        let used = event.keys.filter(operators.contains)
        guard let name = event["event"]?.string else {
            guard used.count == 1, let name = used.first, let value = event[name], event["properties"] == nil else {
                throw Refusal(.body, "An event has either a name in 'event' or exactly one operator such as '$set'.")
            }
            try check(value, of: name)
            try checkUser(event, nil)
            return (insertID, nil)
        }
        guard !name.isEmpty, used.isEmpty, let properties = event["properties"]?.object else {
            throw Refusal(.body, "An event needs a name and 'properties', {} when there are none, and no operator.")
        }
        try checkUser(event, name)
        if name == "$identify" { try check(identification: properties, of: event["distinct_id"]?.string) }
        return (insertID, name)
    }

    /// `$unset` takes a list of keys, `$add` an object of numbers, the others an object.
    private static func check(_ value: JSON, of name: String) throws(Refusal) {
        let fits =
            switch name {
            case "$unset": value.strings?.isEmpty == false
            case "$add": value.object?.values.allSatisfy(\.isNumber) == true
            default: value.object?.isEmpty == false
            }
        if !fits { throw Refusal(.body, "'\(name)' does not support this value: \(value.text)") }
    }

    /// Push events may have no user, and `$identify` names its user in `$identified_id`.
    private static func checkUser(_ event: [String: JSON], _ name: String?) throws(Refusal) {
        guard event["distinct_id"]?.string ?? "" == "" else { return }
        guard name == "$identify" || name?.hasPrefix("$notification_") == true else {
            throw Refusal(.body, "'distinct_id' is missing.")
        }
    }

    private static func check(identification properties: [String: JSON], of user: String?) throws(Refusal) {
        guard let identified = properties["$identified_id"]?.string, !identified.isEmpty else {
            throw Refusal(.body, "'$identify' needs the property '$identified_id'.")
        }
        guard user == nil || user == "" || user == identified else {
            throw Refusal(.body, "'$identified_id' and 'distinct_id' are different users.")
        }
    }

    private static func accepted(_ messageID: String) -> ServiceResponse {
        ServiceResponse(json: ["status": "success", "message_id": .string(messageID)])
    }
}
