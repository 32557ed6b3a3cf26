import ClientKit

/// Subscriptions to topics.
extension RESTAPI {
    package func subscriptions() async throws(MagicBellError) -> [TopicSubscription] {
        try await service.send(RESTCalls.subscriptions, as: TopicSubscriptionList.self).subscriptions
    }

    package func subscription(to topic: String) async throws(MagicBellError) -> TopicSubscription {
        try ArgumentCheck.checkID(topic, named: "topic")
        return try await service.send(RESTCalls.subscription(to: topic), as: SingleSubscription.self).subscription
    }

    package func subscribe(
        to topic: String,
        categories: [String],
        reason: String?
    ) async throws(MagicBellError) -> TopicSubscription {
        try Self.check(topic, categories)
        let call = RESTCalls.subscribe(to: topic, categories: categories, reason: reason)
        return try await service.send(call, as: SingleSubscription.self).subscription
    }

    package func unsubscribe(
        from topic: String,
        categories: [String]
    ) async throws(MagicBellError) -> TopicSubscription {
        try Self.check(topic, categories)
        let call = RESTCalls.unsubscribe(from: topic, categories: categories)
        return try await service.send(call, as: SingleSubscription.self).subscription
    }

    package func deleteSubscription(to topic: String, categories: [String]?) async throws(MagicBellError) {
        try Self.check(topic, categories)
        try await service.sendRemoval(RESTCalls.deleteSubscription(to: topic, categories: categories))
    }

    private static func check(_ topic: String, _ categories: [String]?) throws(MagicBellError) {
        try ArgumentCheck.checkID(topic, named: "topic")
        guard let categories else { return }
        guard !categories.isEmpty else {
            throw MagicBellError(.invalidArgument, "There is no category; name one, or \"*\" for all.")
        }
        for category in categories { try ArgumentCheck.check(category, named: "category") }
    }
}
