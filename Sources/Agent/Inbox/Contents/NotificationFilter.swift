package import Basics

/// The options of `org.feedbell.Agent1.Inbox.List`.
package struct NotificationFilter: Equatable, Sendable {
    /// The id of a tab; empty: the whole inbox.
    package var tab: String
    package var limit: Int?
    package var offset: Int
    /// Only unread (`true`) or only read (`false`) ones.
    package var unread: Bool?
    /// Only archived (`true`) or only not archived (`false`) ones.
    package var archived: Bool?
    package var category: String?
    package var tag: String?
    /// Only notifications created then or later.
    package var since: Timestamp?
    /// Only notifications created before.
    package var before: Timestamp?
    /// Only notifications whose id is one of these, or begins with one of them.
    package var ids: [String]?
    /// Words to search all that is kept for.
    package var text: String?
    /// Only snoozed ones (`true`), or only those that are not.
    package var snoozed: Bool?
    /// Whether nothing is loaded because of the limit.
    package var takesLoaded: Bool
    /// Whether all that is kept is listed. Nothing is loaded but the first page of what is archived.
    package var takesKept: Bool

    package init(
        tab: String = "",
        limit: Int? = nil,
        offset: Int = 0,
        unread: Bool? = nil,
        archived: Bool? = nil,
        category: String? = nil,
        tag: String? = nil,
        since: Timestamp? = nil,
        before: Timestamp? = nil,
        ids: [String]? = nil,
        text: String? = nil,
        snoozed: Bool? = nil,
        takesLoaded: Bool = false,
        takesKept: Bool = false
    ) {
        self.tab = tab
        self.limit = limit
        self.offset = offset
        self.unread = unread
        self.archived = archived
        self.category = category
        self.tag = tag
        self.since = since
        self.before = before
        self.ids = ids
        self.text = text
        self.snoozed = snoozed
        self.takesLoaded = takesLoaded
        self.takesKept = takesKept
    }

    /// The number of matching notifications to load; nil: those that are loaded suffice.
    package func needed(pageSize: Int) -> Int? {
        if takesLoaded || takesKept {
            var unlimited = self
            (unlimited.limit, unlimited.takesLoaded, unlimited.takesKept) = (nil, false, false)
            return unlimited.needed(pageSize: pageSize)
        }
        if let limit { return offset.addingReportingOverflow(limit).overflow ? .max : offset + limit }
        return self == NotificationFilter(offset: offset, ids: ids, snoozed: snoozed) ? nil : offset + pageSize
    }
}
