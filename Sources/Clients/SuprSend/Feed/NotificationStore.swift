/// A saved query over the inbox, shown as a tab, with a count of its own.
public struct NotificationStore: Sendable, Hashable, Identifiable {
    /// The conditions of a store; all must hold.
    public struct Query: Sendable, Hashable {
        /// Only read (`true`) or only unread (`false`) ones; nil: both.
        public var read: Bool?
        /// Only archived (`true`) ones; nil and `false`: only those that are not.
        public var archived: Bool?
        /// At least one of these tags; empty: any.
        public var tags: [String]
        /// One of these categories; empty: any.
        public var categories: [String]

        /// Creates a query with these conditions.
        public init(read: Bool? = nil, archived: Bool? = nil, tags: [String] = [], categories: [String] = []) {
            self.read = read
            self.archived = archived
            self.tags = tags
            self.categories = categories
        }

        /// Whether `notification` belongs to the store. Its seen state has no influence.
        public func matches(_ notification: FeedNotification) -> Bool {
            if let read, read != notification.isRead { return false }
            if (archived ?? false) != notification.isArchived { return false }
            if !tags.isEmpty, !notification.tags.contains(where: tags.contains) { return false }
            return categories.isEmpty || categories.contains(notification.category)
        }
    }

    /// The id, also the name of its count at the service.
    public var id: String
    /// The label for the user.
    public var label: String
    /// The conditions.
    public var query: Query

    /// Creates a store; an empty label becomes the id.
    public init(id: String, label: String = "", query: Query = Query()) {
        self.id = id
        self.label = label.isEmpty ? id : label
        self.query = query
    }

    /// The store of a feed without stores: all notifications that are not archived.
    public static let `default` = NotificationStore(id: "$suprsend_default_store")

    /// All notifications that are unread and not archived: used to count and list, never shown as a tab.
    package static let unread = NotificationStore(id: "$feedbell_unread", query: Query(read: false))

    /// Whether requests omit the store.
    var isDefault: Bool { id == Self.default.id }
}
