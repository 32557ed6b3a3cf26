/// A user's subscriptions to topics.
package struct StoredSubscriptions: Sendable, Equatable {
    package struct Category: Sendable, Equatable {
        package var slug: String
        package var reason: String?
        package var isSubscribed = true

        var json: JSON {
            var members: [String: JSON] = [
                "slug": .string(slug), "status": .string(isSubscribed ? "subscribed" : "unsubscribed"),
            ]
            if let reason { members["reason"] = .string(reason) }
            return .object(members)
        }
    }

    /// By topic, in the order of the requests.
    package private(set) var topics: [String: [Category]] = [:]

    package init() {}

    /// Nil: there is no subscription to the topic.
    func subscription(to topic: String) -> JSON? {
        topics[topic].map { ["topic": .string(topic), "categories": .array($0.map(\.json))] }
    }

    var json: JSON { .array(topics.keys.sorted().compactMap(subscription(to:))) }

    mutating func subscribe(to topic: String, _ categories: [Category]) {
        var present = topics[topic] ?? []
        for category in categories {
            if let index = present.firstIndex(where: { $0.slug == category.slug }) {
                present[index] = category
            } else {
                present.append(category)
            }
        }
        topics[topic] = present
    }

    /// Whether one of them was there.
    mutating func unsubscribe(from topic: String, _ slugs: Set<String>) -> Bool {
        guard var present = topics[topic] else { return false }
        let indices = present.indices.filter { slugs.contains("*") || slugs.contains(present[$0].slug) }
        for index in indices { present[index].isSubscribed = false }
        topics[topic] = present
        return !indices.isEmpty
    }

    /// Whether one of them was there; nil: all categories.
    mutating func delete(_ topic: String, _ slugs: Set<String>?) -> Bool {
        guard let present = topics[topic] else { return false }
        let rest = slugs.map { slugs in present.filter { !slugs.contains($0.slug) } } ?? []
        topics[topic] = rest.isEmpty ? nil : rest
        return rest.count < present.count
    }
}
