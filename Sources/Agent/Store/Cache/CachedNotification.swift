/// A notification of the copy of an inbox.
package struct CachedNotification: Equatable, Sendable {
    package var id: String
    /// The place in the list: pinned first, then by time, newest first, then by id. Times are in milliseconds since the
    /// Unix epoch, 0 for not yet.
    package var isPinned: Bool
    package var time: Int64
    package var created: Int64
    package var seen: Int64
    package var read: Int64
    package var interacted: Int64
    package var isArchived: Bool
    /// All else, unchanged by ``CacheChange/mark(_:ids:upTo:time:)``.
    package var content: [String]
    /// The text that is searched.
    package var text: String
    /// Whether a part of its content is known to the copy only: there, content and text stay as they are.
    package var isPart = false

    package init(
        id: String,
        isPinned: Bool,
        time: Int64,
        created: Int64,
        seen: Int64,
        read: Int64,
        interacted: Int64,
        isArchived: Bool,
        content: [String],
        text: String
    ) {
        self.id = id
        self.isPinned = isPinned
        self.time = time
        self.created = created
        self.seen = seen
        self.read = read
        self.interacted = interacted
        self.isArchived = isArchived
        self.content = content
        self.text = text
    }

    /// A place in the list.
    package struct Place: Equatable, Sendable {
        package var isPinned: Bool
        package var time: Int64
        package var id: String

        package init(isPinned: Bool, time: Int64, id: String) {
            self.isPinned = isPinned
            self.time = time
            self.id = id
        }
    }

    package var place: Place { Place(isPinned: isPinned, time: time, id: id) }

    /// Approximate, in bytes.
    var size: Int { content.reduce(id.utf8.count + text.utf8.count + 256) { $0 + $1.utf8.count } }
}

/// The state of an inbox as a whole.
package struct CachedInbox: Equatable, Sendable {
    /// When the copy was last known to be what the service has, in milliseconds since the Unix epoch; 0: it is now.
    package var asOf: Int64
    /// When the last event arrived, in milliseconds since the Unix epoch.
    package var lastEvent: Int64
    /// Whether the service has more notifications than the copy.
    package var hasMore: Bool
    /// The service's counts, by name.
    package var counts: [String: Int]

    package init(asOf: Int64, lastEvent: Int64, hasMore: Bool, counts: [String: Int]) {
        self.asOf = asOf
        self.lastEvent = lastEvent
        self.hasMore = hasMore
        self.counts = counts
    }
}

/// A change of the copy of an inbox: what the service has said.
package enum CacheChange: Equatable, Sendable {
    /// Notifications as they are now.
    case put([CachedNotification])
    /// These notifications no longer exist.
    case remove([String])
    /// A mark of notifications.
    case mark(Mark, ids: [String], time: Int64)
    /// A mark of all notifications that were created until `time` and do not have it.
    case markAll(Mark, time: Int64)
    /// A part of the list without gaps: what the copy has between its ends, and this part lacks, no longer exists.
    case list([CachedNotification], Range)

    package enum Mark: String, Sendable {
        case seen, read, interacted, archived
        /// Removes ``read``.
        case unread
        /// Removes ``archived``.
        case unarchived
    }

    /// The ends of a part of the list.
    package struct Range: Equatable, Sendable {
        package var isArchived: Bool
        /// The place before it; nil: it begins at the top.
        package var first: CachedNotification.Place?
        /// Its last place; nil: it ends at the bottom.
        package var last: CachedNotification.Place?

        package init(isArchived: Bool, first: CachedNotification.Place?, last: CachedNotification.Place?) {
            self.isArchived = isArchived
            self.first = first
            self.last = last
        }
    }

    /// The approximate size of the notifications that it carries, in bytes.
    var size: Int {
        switch self {
        case .put(let notifications), .list(let notifications, _): notifications.reduce(0) { $0 + $1.size }
        case .remove, .mark, .markAll: 0
        }
    }

    /// The number of notifications that it carries.
    var count: Int {
        switch self {
        case .put(let notifications), .list(let notifications, _): notifications.count
        case .remove(let ids), .mark(_, let ids, _): ids.count
        case .markAll: 1
        }
    }
}
