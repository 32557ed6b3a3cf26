/// A user's subscriptions to topics, with the REST API: every call throws `unsupported` for a user with a user token.
///
/// They do not filter stores, and no event reports changes that another client made.
public final class TopicSubscriptions: Sendable {
    private let requests: UserRequests

    init(api: any InboxAPI, scope: CallScope) { requests = UserRequests(api: api, scope: scope) }

    /// Loads all subscriptions, also to topics that the user unsubscribed from.
    public func fetch() async throws(MagicBellError) -> [TopicSubscription] {
        try await requests.send { (api) throws(MagicBellError) in try await api.subscriptions() }
    }

    /// Loads the subscription to one topic.
    ///
    /// - Throws: `notFound` when the service knows none.
    public func fetch(topic: String) async throws(MagicBellError) -> TopicSubscription {
        try await requests.send { (api) throws(MagicBellError) in try await api.subscription(to: topic) }
    }

    /// Subscribes the user to categories of a topic, also after unsubscribing. The service creates the topic if there
    /// is none.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - categories: The categories; one with the slug ``TopicSubscription/Category/all`` stands for all.
    ///   - reason: Why, for the sender.
    /// - Returns: The subscription afterwards.
    @discardableResult
    public func subscribe(
        to topic: String,
        categories: [String] = [TopicSubscription.Category.all],
        reason: String? = nil
    ) async throws(MagicBellError) -> TopicSubscription {
        try await requests.change { (api) throws(MagicBellError) in
            try await api.subscribe(to: topic, categories: categories, reason: reason)
        }
    }

    /// Unsubscribes the user from categories of a topic: nothing of it is delivered any more, also not to a recipient.
    ///
    /// - Returns: The subscription afterwards.
    /// - Throws: `notFound` when the service knows no such subscription.
    @discardableResult
    public func unsubscribe(
        from topic: String,
        categories: [String] = [TopicSubscription.Category.all]
    ) async throws(MagicBellError) -> TopicSubscription {
        try await requests.change { (api) throws(MagicBellError) in
            try await api.unsubscribe(from: topic, categories: categories)
        }
    }

    /// Deletes the subscription to a topic, as if the user had never subscribed nor unsubscribed. One that the service
    /// does not know is deleted.
    ///
    /// - Parameters:
    ///   - topic: The topic's name.
    ///   - categories: Only these; nil: all.
    public func delete(topic: String, categories: [String]? = nil) async throws(MagicBellError) {
        try await requests.change { (api) throws(MagicBellError) in
            try await api.deleteSubscription(to: topic, categories: categories)
        }
    }
}
