extension SimulatedMagicBell {
    /// The project token of programs that send.
    package static let projectToken = "project.sandbox"

    /// `POST /v2/broadcasts`: a program of the sender notifies users
    /// (https://www.magicbell.com/docs/api/reference, "Create a broadcast").
    ///
    /// A recipient that does not exist is created, as by the service.
    mutating func createBroadcast(_ request: ServiceRequest, now: Int64) throws(Refusal) -> Answer {
        guard request.method == "POST" else { throw .noMagicBellRoute(request) }
        guard request.bearerToken == Self.projectToken else {
            throw .magicBell(nil, 401, "Authorization is not the token of this project.")
        }
        try RequestQuery(request.rawQuery).finish()
        var members = try object(of: request)
        guard let title = members["title"]?.string, (1...255).contains(title.count) else {
            throw .magicBell(.body, 422, "'title' has 1 to 255 characters.")
        }
        guard let recipients = members.removeValue(forKey: "recipients")?.array, (1...1000).contains(recipients.count)
        else { throw .magicBell(.body, 422, "'recipients' is a list of 1 to 1000 recipients.") }
        var events: [Event] = []
        for recipient in recipients {
            let (externalID, email) = (recipient["external_id"]?.string, recipient["email"]?.string)
            guard externalID != nil || email != nil else {
                throw .magicBell(.body, 422, "A recipient has an 'external_id' or an 'email'.")
            }
            let user = users.identified(externalID: externalID, email: email).id
            let notification = StoredNotification(members, id: makeID(now: now), now: now)
            self[user].insert(notification)
            events.append(Self.event("notifications/new", notification.id, of: user, nil))
        }
        members["id"] = .string(makeID(now: now))
        members["recipients"] = .array(recipients)
        return Answer(ServiceResponse(status: 201, json: .object(members)), events: events)
    }
}
