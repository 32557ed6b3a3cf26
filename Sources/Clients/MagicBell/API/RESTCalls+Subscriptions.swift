import ClientKit

/// Subscriptions to topics (MagicBell's OpenAPI description, "Subscription API").
extension RESTCalls {
    package static let subscriptions = APICall(.get, ["subscriptions"])

    package static func subscription(to topic: String) -> APICall { APICall(.get, ["subscriptions", topic]) }

    package static func subscribe(to topic: String, categories: [String], reason: String?) -> APICall {
        let list = entries(categories, reason: reason)
        return APICall(.post, ["subscriptions"], body: ["subscription": ["topic": .string(topic), "categories": list]])
    }

    package static func unsubscribe(from topic: String, categories: [String]) -> APICall {
        APICall(
            .post,
            ["subscriptions", topic, "unsubscribe"],
            body: ["subscription": ["categories": entries(categories, reason: nil)]]
        )
    }

    /// Without a body, the subscriptions to all categories are deleted.
    package static func deleteSubscription(to topic: String, categories: [String]?) -> APICall {
        APICall(
            .delete,
            ["subscriptions", topic],
            body: categories.map { ["categories": entries($0, reason: nil)] }
        )
    }

    private static func entries(_ categories: [String], reason: String?) -> JSONValue {
        .array(
            categories.map { slug in
                var members: [String: JSONValue] = ["slug": .string(slug)]
                if let reason { members["reason"] = .string(reason) }
                return .object(members)
            }
        )
    }
}
