/// A user's notification preferences, or a part of them.
///
/// A channel that is absent is not offered for the category.
public struct NotificationPreferences: Sendable, Hashable {
    /// The categories, sorted by slug.
    public var categories: [Category]

    /// Creates preferences of `categories`.
    public init(categories: [Category] = []) {
        self.categories = categories.sorted { $0.slug < $1.slug }
    }

    /// A category and its channels.
    public struct Category: Sendable, Hashable, Identifiable {
        /// The id.
        public var slug: String
        /// The name for the user; the slug if the service has none.
        public var label: String
        /// The channels, sorted by slug.
        public var channels: [Channel]

        /// ``slug``.
        public var id: String { slug }

        /// Creates a category.
        public init(slug: String, label: String? = nil, channels: [Channel] = []) {
            self.slug = slug
            self.label = label ?? slug
            self.channels = channels.sorted { $0.slug < $1.slug }
        }
    }

    /// A channel of a category.
    public struct Channel: Sendable, Hashable, Identifiable {
        /// The id, such as `in_app`, `email`, `mobile_push`, `web_push`, `sms` or `slack`.
        public var slug: String
        /// The name for the user; the slug if the service has none.
        public var label: String
        /// Whether notifications of the category are sent through it.
        public var isEnabled: Bool

        /// ``slug``.
        public var id: String { slug }

        /// Creates a channel.
        public init(slug: String, label: String? = nil, isEnabled: Bool) {
            self.slug = slug
            self.label = label ?? slug
            self.isEnabled = isEnabled
        }
    }
}
