extension SimulatedMagicBell {
    /// The subscriptions to topics of the REST API (v1).
    mutating func subscriptions(
        _ request: ServiceRequest,
        _ path: [String],
        _ user: SimulatedUser
    ) throws(Refusal) -> Answer {
        let query = try RequestQuery(request.rawQuery)
        try query.finish()
        if request.method == "GET" { try requireNoBody(request) }
        switch (request.method, path.count, path.last) {
        case ("GET", 0, _):
            return Answer(ServiceResponse(json: ["subscriptions": self[user.id].subscriptions.json]))
        case ("GET", 1, let topic?): return try subscription(to: topic, of: user)
        case ("POST", 0, _):
            let members = try subscriptionBody(request, ["topic", "categories"])
            guard let topic = members["topic"]?.string, !topic.isEmpty else {
                throw .magicBell(.body, 422, "Param 'subscription.topic' is missing")
            }
            self[user.id].subscriptions.subscribe(to: topic, try Self.categories(members["categories"]))
            return try subscription(to: topic, of: user)
        case ("POST", 2, "unsubscribe"?):
            let members = try subscriptionBody(request, ["categories"])
            let slugs = Set(try Self.categories(members["categories"]).map(\.slug))
            guard self[user.id].subscriptions.unsubscribe(from: path[0], slugs) else {
                throw .notFound("such subscription")
            }
            return try subscription(to: path[0], of: user)
        case ("DELETE", 1, let topic?):
            var slugs: Set<String>?
            if !request.body.isEmpty {
                slugs = Set(try Self.categories(try object(of: request)["categories"]).map(\.slug))
            }
            guard self[user.id].subscriptions.delete(topic, slugs) else { throw .notFound("such subscription") }
            return .noContent
        default: throw .noMagicBellRoute(request)
        }
    }

    private func subscription(to topic: String, of user: SimulatedUser) throws(Refusal) -> Answer {
        guard let subscription = self[user.id].subscriptions.subscription(to: topic) else {
            throw .notFound("topic '\(topic)'")
        }
        return Answer(ServiceResponse(json: ["subscription": subscription]))
    }

    private func subscriptionBody(
        _ request: ServiceRequest,
        _ known: Set<String>
    ) throws(Refusal) -> [String: JSON] {
        guard let members = try object(of: request)["subscription"]?.object else {
            throw .magicBell(.body, 422, "The body must have an object 'subscription'.")
        }
        if let key = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw .magicBell(.body, 422, "A subscription has no member '\(key)' here.")
        }
        return members
    }

    private static func categories(_ list: JSON?) throws(Refusal) -> [StoredSubscriptions.Category] {
        guard let list = list?.array, !list.isEmpty else {
            throw .magicBell(.body, 422, "Param 'subscription.categories' is missing")
        }
        var categories: [StoredSubscriptions.Category] = []
        for entry in list {
            guard let slug = entry["slug"]?.string, !slug.isEmpty else {
                throw .magicBell(.body, 422, "A category must have a 'slug'.")
            }
            if let key = entry.object?.keys.sorted().first(where: { !["slug", "reason"].contains($0) }) {
                throw .magicBell(.body, 422, "A category has no member '\(key)'.")
            }
            categories.append(StoredSubscriptions.Category(slug: slug, reason: entry["reason"]?.string))
        }
        return categories
    }
}
