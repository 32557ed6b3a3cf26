extension SandboxService {
    /// The API key of programs that send.
    package static let apiKey = "SS.sandbox"

    /// `POST /trigger/`: a program of the sender starts a workflow
    /// (https://docs.suprsend.com/reference/trigger-workflow-api). Every workflow of the sandbox has one step, an inbox
    /// template with the header `{{title}}`, the text `{{text}}` and the action URL `{{url}}`.
    ///
    /// A recipient that does not exist is created, as by the service.
    mutating func trigger(_ request: ServiceRequest, now: Int64) throws(Refusal) -> Answer {
        guard request.method == "POST" else { throw Refusal.noRoute(request) }
        guard request.bearerToken == Self.apiKey else {
            throw Refusal(nil, status: 401, type: "authentication_error", "The API key is not valid.")
        }
        try RequestQuery(request.rawQuery).finish()
        let body = try body(of: request)
        guard let workflow = body["workflow"]?.string, !workflow.isEmpty else {
            throw Refusal(.body, "A trigger needs 'workflow', the slug of a workflow.")
        }
        guard let recipients = body["recipients"]?.array, (1...100).contains(recipients.count) else {
            throw Refusal(.body, "'recipients' is a list of 1 to 100 recipients.")
        }
        let tenant = body["tenant_id"]?.string ?? "default"
        guard tenants.contains(tenant) else { throw Refusal(.body, "There is no tenant '\(tenant)'.") }
        var fields: [String: JSON] = [:]
        for (variable, field) in [("title", "header"), ("text", "text"), ("url", "url")] {
            if let value = body["data"]?[variable] { fields[field] = value }
        }
        var answer = Answer(response: ServiceResponse(status: 202, json: ["status": "success"]))
        for recipient in recipients {
            guard let user = recipient.string ?? recipient["distinct_id"]?.string, !user.isEmpty else {
                throw Refusal(.body, "A recipient is a distinct_id, or an object with one.")
            }
            users.insert(user)
            let key = InboxKey(user: user, tenant: tenant)
            let row = StoredRow.complete(fields, id: makeID(now: now), tenant: tenant, now: now)
            self[key].insert(row)
            answer.events.append(Event(user: key, name: "new_notification", payload: ["n_id": .string(row.id)]))
        }
        return answer
    }
}
