/// Which notifications a view of the inbox contains. All conditions must hold.
package struct InboxPredicate: Hashable, Sendable {
    /// Only read (`true`) or only unread (`false`) ones; nil: both.
    package var read: Bool?
    /// Only seen (`true`) or only unseen (`false`) ones; nil: both.
    package var seen: Bool?
    /// Only archived ones (`true`), or only those that are not.
    package var archived: Bool
    /// At least one of these tags; empty: any.
    package var tags: [String]
    /// One of these categories; empty: any.
    package var categories: [String]
    /// One of these topics; empty: any.
    package var topics: [String]

    package init(
        read: Bool? = nil,
        seen: Bool? = nil,
        archived: Bool = false,
        tags: [String] = [],
        categories: [String] = [],
        topics: [String] = []
    ) {
        self.read = read
        self.seen = seen
        self.archived = archived
        self.tags = tags
        self.categories = categories
        self.topics = topics
    }

    /// The whole inbox: all notifications that are not archived.
    package static let inbox = InboxPredicate()

    package func matches(_ notification: Notification) -> Bool {
        if let read, read != (notification.read != nil) { return false }
        if let seen, seen != (notification.seen != nil) { return false }
        guard archived == notification.isArchived else { return false }
        if !tags.isEmpty, !notification.tags.contains(where: tags.contains) { return false }
        if !topics.isEmpty, !topics.contains(notification.topic) { return false }
        return categories.isEmpty || categories.contains(notification.category)
    }

    /// The notifications of this view that may pass a filter; nil: none.
    package func narrowed(by filter: NotificationFilter) -> InboxPredicate? {
        var narrowed = self
        if let unread = filter.unread {
            guard read ?? !unread == !unread else { return nil }
            narrowed.read = !unread
        }
        if let archived = filter.archived, archived != self.archived {
            guard self == .inbox else { return nil }
            narrowed.archived = archived
        }
        if let category = filter.category {
            guard categories.isEmpty || categories.contains(category) else { return nil }
            narrowed.categories = [category]
        }
        // "One of the tab's tags, and this one" is no predicate; the filter is applied to the result.
        if let tag = filter.tag, tags.isEmpty { narrowed.tags = [tag] }
        return narrowed
    }
}

/// A tab: a view with a name.
package struct InboxTab: Hashable, Sendable, Identifiable {
    package var id: String
    /// The name to display.
    package var label: String
    package var predicate: InboxPredicate

    package init(id: String, label: String, predicate: InboxPredicate) {
        self.id = id
        self.label = label
        self.predicate = predicate
    }
}
