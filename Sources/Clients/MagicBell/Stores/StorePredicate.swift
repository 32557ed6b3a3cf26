/// Which notifications a store contains: those that match all of it.
///
/// Two predicates are equal if they select the same: order and repetition in the lists do not matter.
public struct StorePredicate: Sendable, Hashable {
    /// Read or unread ones only; nil: both.
    public var read: Bool?
    /// Seen or unseen ones only; nil: both.
    public var seen: Bool?
    /// Archived ones only, or ones that are not archived.
    public var archived: Bool
    /// One of these categories, sorted; empty: any, also none.
    public private(set) var categories: [String]
    /// One of these topics, sorted; empty: any, also none.
    public private(set) var topics: [String]

    /// By default, selects all notifications that are not archived.
    public init(
        read: Bool? = nil,
        seen: Bool? = nil,
        archived: Bool = false,
        categories: [String] = [],
        topics: [String] = []
    ) {
        self.read = read
        self.seen = seen
        self.archived = archived
        self.categories = Array(Set(categories)).sorted()
        self.topics = Array(Set(topics)).sorted()
    }

    /// Whether `notification` belongs to a store of this predicate.
    public func matches(_ notification: InboxNotification) -> Bool {
        if notification.isDiscarded { return false }
        if let read, read != notification.isRead { return false }
        if let seen, seen != notification.isSeen { return false }
        guard archived == notification.isArchived else { return false }
        return matchesFixedFields(of: notification)
    }

    /// Whether `notification` has the category and the topic, which never change.
    func matchesFixedFields(of notification: InboxNotification) -> Bool {
        if !categories.isEmpty {
            guard let category = notification.category, categories.contains(category) else { return false }
        }
        if !topics.isEmpty {
            guard let topic = notification.topic, topics.contains(topic) else { return false }
        }
        return true
    }
}

extension StorePredicate: Codable {
    private enum CodingKeys: String, CodingKey {
        case read, seen, archived, categories, topics
    }

    /// Decodes a predicate. An absent member has the default of the initializer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            read: try container.decodeIfPresent(Bool.self, forKey: .read),
            seen: try container.decodeIfPresent(Bool.self, forKey: .seen),
            archived: try container.decodeIfPresent(Bool.self, forKey: .archived) ?? false,
            categories: try container.decodeIfPresent([String].self, forKey: .categories) ?? [],
            topics: try container.decodeIfPresent([String].self, forKey: .topics) ?? []
        )
    }
}
