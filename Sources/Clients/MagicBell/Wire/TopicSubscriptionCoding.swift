import ClientKit

/// `{"topic":"build-812","categories":[{"slug":"ci","reason":"author","status":"subscribed"}]}`, as the service writes
/// it.
extension TopicSubscription: Codable {
    /// Reads a subscription. Only the topic is required; invalid categories are left out, and of two with the same slug
    /// the first one is used.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let topic = try wire.required("topic", wire.whole("topic", Limits.slug))
        guard !topic.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: "topic", in: wire, debugDescription: "empty")
        }
        var slugs: Set<String> = []
        let categories = (wire.elements("categories", of: Category.self) ?? []).prefix(Limits.categories)
            .filter { slugs.insert($0.slug).inserted }
        self.init(topic: topic, categories: categories)
    }

    /// Writes a subscription.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(topic, forKey: "topic")
        try wire.encode(categories, forKey: "categories")
    }
}

extension TopicSubscription.Category: Codable {
    private static let subscribed = "subscribed"
    private static let unsubscribed = "unsubscribed"

    /// Reads one of a subscription's `categories`. Only the slug is required; without a status, the user is subscribed.
    public init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let slug = try wire.required("slug", wire.whole("slug", Limits.slug))
        guard !slug.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: "slug", in: wire, debugDescription: "empty")
        }
        self.init(
            slug: slug,
            reason: wire.text("reason", Limits.name),
            isSubscribed: wire.value("status", as: String.self) != Self.unsubscribed
        )
    }

    /// Writes one of a subscription's `categories`.
    public func encode(to encoder: any Encoder) throws {
        var wire = encoder.container(keyedBy: WireKey.self)
        try wire.encode(slug, forKey: "slug")
        if let reason { try wire.encode(reason, forKey: "reason") }
        try wire.encode(isSubscribed ? Self.subscribed : Self.unsubscribed, forKey: "status")
    }
}

/// `{"subscriptions":[…]}`.
package struct TopicSubscriptionList: Sendable, Equatable, Decodable {
    package var subscriptions: [TopicSubscription]

    package init(from decoder: any Decoder) throws {
        let wire = try decoder.container(keyedBy: WireKey.self)
        let all = try wire.required("subscriptions", wire.elements("subscriptions", of: TopicSubscription.self))
        subscriptions = Array(all.prefix(Limits.subscriptions))
    }
}

/// `{"subscription":{…}}`, or without the wrapper.
package struct SingleSubscription: Sendable, Equatable, Decodable {
    package var subscription: TopicSubscription

    package init(from decoder: any Decoder) throws {
        subscription = try decoder.wrapped(in: "subscription")
    }
}
