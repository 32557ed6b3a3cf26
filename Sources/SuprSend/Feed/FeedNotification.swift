import ClientKit
public import FoundationEssentials

/// One row of the inbox (suprsend.md §2.1).
public struct FeedNotification: Sendable, Hashable, Identifiable {
    /// The service's `n_id`, a ULID.
    public var id: String
    /// The category's slug.
    public var category: String
    /// The tenant, when the service says it.
    public var tenantID: String?
    /// The importance, when the service says it, such as `default`.
    public var importance: String?
    /// Tags, used by stores.
    public var tags: [String]
    /// Put into the archive.
    public var isArchived: Bool
    /// Kept on top.
    public var isPinned: Bool
    /// Whether the person may unpin it; nil: not said.
    public var canUserUnpin: Bool?
    /// Whether a countdown to the expiry is to be shown.
    public var isExpiryVisible: Bool
    /// What it says.
    public var message: Message

    // On the wire and in here: integer milliseconds since the Unix epoch. The public side is `Date`.
    /// Nothing that orders or marks may trust that it is not in the future.
    package var created: Milliseconds
    /// `created_on` as the service wrote it, by which it orders and pages.
    package var sortKey: Milliseconds
    package var seen: Milliseconds?
    package var read: Milliseconds?
    package var interacted: Milliseconds?
    package var expiry: Milliseconds?

    package init(
        id: String,
        category: String,
        tenantID: String? = nil,
        importance: String? = nil,
        tags: [String] = [],
        isArchived: Bool = false,
        isPinned: Bool = false,
        canUserUnpin: Bool? = nil,
        isExpiryVisible: Bool = false,
        message: Message = Message(),
        created: Milliseconds,
        sortKey: Milliseconds? = nil,
        seen: Milliseconds? = nil,
        read: Milliseconds? = nil,
        interacted: Milliseconds? = nil,
        expiry: Milliseconds? = nil
    ) {
        self.id = id
        self.category = category
        self.tenantID = tenantID
        self.importance = importance
        self.tags = tags
        self.isArchived = isArchived
        self.isPinned = isPinned
        self.canUserUnpin = canUserUnpin
        self.isExpiryVisible = isExpiryVisible
        self.message = message
        self.created = created
        self.sortKey = sortKey ?? created
        self.seen = seen
        self.read = read
        self.interacted = interacted
        self.expiry = expiry
    }

    /// When it was made.
    public var createdOn: Date { created.date }
    /// When it was first shown; nil: not yet.
    public var seenOn: Date? { seen?.date }
    /// When it was read; nil: unread.
    public var readOn: Date? { read?.date }
    /// When its link was followed; nil: not yet.
    public var interactedOn: Date? { interacted?.date }
    /// When it disappears; nil: never.
    public var expiresOn: Date? { expiry?.date }

    /// Whether it was shown.
    public var isSeen: Bool { seen != nil }
    /// Whether it was read.
    public var isRead: Bool { read != nil }

    func isExpired(at now: Milliseconds) -> Bool { expiry.map { $0 < now } ?? false }
}

extension FeedNotification {
    /// The words and links of a notification. URLs are text as the service sent it; nothing about them is checked.
    public struct Message: Sendable, Hashable {
        /// The template schema, `"1"` or `"1.0"`.
        public var schema: String?
        /// The title.
        public var header: String?
        /// The body: Markdown or HTML.
        public var text: String
        /// The line below the body.
        public var subtext: Subtext?
        /// The picture.
        public var avatar: Avatar?
        /// Where a click leads; nil: nowhere.
        public var url: String?
        /// Whether ``url`` wants a tab of its own; nil: not said.
        public var opensInNewTab: Bool?
        /// The sender's own data: JSON text.
        public var extraData: String?
        /// Buttons.
        public var actions: [Action]

        package init(
            schema: String? = nil,
            header: String? = nil,
            text: String = "",
            subtext: Subtext? = nil,
            avatar: Avatar? = nil,
            url: String? = nil,
            opensInNewTab: Bool? = nil,
            extraData: String? = nil,
            actions: [Action] = []
        ) {
            self.schema = schema
            self.header = header
            self.text = text
            self.subtext = subtext
            self.avatar = avatar
            self.url = url
            self.opensInNewTab = opensInNewTab
            self.extraData = extraData
            self.actions = actions
        }
    }

    /// The line below the body.
    public struct Subtext: Sendable, Hashable {
        /// The line.
        public var text: String
        /// Where a click on it leads; nil: nowhere.
        public var actionURL: String?
    }

    /// The picture of a notification.
    public struct Avatar: Sendable, Hashable {
        /// The picture.
        public var url: String
        /// Where a click on it leads; nil: nowhere.
        public var actionURL: String?
    }

    /// A button of a notification.
    public struct Action: Sendable, Hashable {
        /// The words on it.
        public var name: String
        /// Where it leads; may be empty.
        public var url: String
        /// Whether it wants a tab of its own; nil: not said.
        public var opensInNewTab: Bool?
    }
}

extension FeedNotification {
    /// The service's order: pinned first, then newest, then by id so that two rows of one millisecond keep their places.
    func precedes(_ other: FeedNotification) -> Bool {
        if isPinned != other.isPinned { return isPinned }
        if sortKey != other.sortKey { return sortKey > other.sortKey }
        return id > other.id
    }
}
