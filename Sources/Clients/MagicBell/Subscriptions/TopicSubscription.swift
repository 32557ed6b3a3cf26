/// Whether a user receives what is sent to the subscribers of a topic, by category (MagicBell's documentation,
/// "Subscriptions"). The service subscribes the recipients of a notification to its topic by itself.
public struct TopicSubscription: Sendable, Hashable {
    /// The topic. A notification's topic that contains it matches as well.
    public var topic: String
    /// The categories that the user subscribed to or unsubscribed from.
    public var categories: [Category]

    /// A category of a subscription.
    public struct Category: Sendable, Hashable {
        /// Every category.
        public static let all = "*"

        /// The category, or ``all``.
        public var slug: String
        /// Why the user is subscribed, as given with the subscription; nil: unknown.
        public var reason: String?
        /// Whether the user is subscribed; false: unsubscribed, and receives nothing of it, also as a recipient.
        public var isSubscribed: Bool

        /// Creates a category of a subscription.
        public init(slug: String, reason: String? = nil, isSubscribed: Bool = true) {
            self.slug = slug
            self.reason = reason
            self.isSubscribed = isSubscribed
        }
    }

    /// Creates a subscription.
    public init(topic: String, categories: [Category]) {
        self.topic = topic
        self.categories = categories
    }
}
