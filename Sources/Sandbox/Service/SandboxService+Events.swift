extension SandboxService {
    private static let operators: Set = ["$set", "$set_once", "$add", "$append", "$remove", "$unset"]

    /// `POST /v2/event` (suprsend.md §2.3): recorded once per `$insert_id`.
    mutating func event(_ request: ServiceRequest, _ path: [String], now: Int64) throws(Refusal) -> Answer {
        guard request.method == "POST", path.isEmpty else { throw Refusal.noRoute(request) }
        try checkHeaders(request)
        try Query(request.rawQuery).finish()
        guard let event = JSON(parsing: request.body)?.object else {
            throw Refusal(.body, "An event is one JSON object, never a list.")
        }
        guard let insertID = event["$insert_id"]?.string, !insertID.isEmpty else {
            throw Refusal(.body, "An event needs an '$insert_id'.")
        }
        // Seconds, or seconds with a fraction, are the known mistake: anything before 1973 in milliseconds.
        guard let time = event["$time"]?.integer, time > 100_000_000_000 else {
            throw Refusal(.body, "'$time' must be an integer in milliseconds.")
        }
        let name = event["event"]?.string
        let user = event["distinct_id"]?.string ?? ""
        if let name {
            guard !name.isEmpty, event["properties"]?.object != nil else {
                throw Refusal(.body, "An event needs a name and 'properties', {} when there are none.")
            }
        } else {
            guard event.keys.filter(Self.operators.contains).count == 1 else {
                throw Refusal(.body, "An event has either a name in 'event' or exactly one operator such as '$set'.")
            }
        }
        guard !user.isEmpty || name == "$identify" || name?.hasPrefix("$notification_") == true else {
            throw Refusal(.body, "'distinct_id' is missing.")
        }
        let identified = event["properties"]?["$identified_id"]?.string
        let subject = user.isEmpty ? (name == "$identify" ? identified : nil) : user
        if name?.hasPrefix("$notification_") != true {
            try authorize(
                request.headers["x-ss-signature"],
                user: subject,
                tenant: event["tenant_id"]?.string,
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

    private static func accepted(_ messageID: String) -> ServiceResponse {
        ServiceResponse(json: ["status": "success", "message_id": .string(messageID)])
    }
}
