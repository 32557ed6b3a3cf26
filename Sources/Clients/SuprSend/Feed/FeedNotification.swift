package import Basics
import ClientKit
public import FoundationEssentials

/// One notification of the inbox.
public struct FeedNotification: Sendable, Hashable, Identifiable {
    /// The service's `n_id`, a ULID.
    public var id: String
    /// The category's slug.
    public var category: String
    /// The tenant; nil: unknown.
    public var tenantID: String?
    /// The importance, such as `default`; nil: unknown.
    public var importance: String?
    /// The tags, used by stores.
    public var tags: [String]
    /// Whether the notification is archived: by the user, or because it has expired.
    public var isArchived: Bool
    /// Whether the notification stays at the top of the list.
    public var isPinned: Bool
    /// Whether the user may unpin it; nil: unknown.
    public var canUserUnpin: Bool?
    /// Whether to show a countdown to the expiry.
    public var isExpiryVisible: Bool
    /// The texts and links.
    public var message: Message

    // Internally and in JSON: integer milliseconds since the Unix epoch. The public API uses `Date`.
    /// May be in the future: order and marks must not rely on it.
    package var created: Timestamp
    /// `created_on` as the service wrote it, used for its order and its pages.
    package var sortKey: Timestamp
    package var seen: Timestamp?
    package var read: Timestamp?
    package var interacted: Timestamp?
    package var expiry: Timestamp?

    /// Creates a notification, such as for a preview or a test.
    public init(
        id: String,
        category: String = "",
        tenantID: String? = nil,
        importance: String? = nil,
        tags: [String] = [],
        isArchived: Bool = false,
        isPinned: Bool = false,
        canUserUnpin: Bool? = nil,
        isExpiryVisible: Bool = false,
        message: Message,
        createdOn: Date,
        seenOn: Date? = nil,
        readOn: Date? = nil,
        interactedOn: Date? = nil,
        expiresOn: Date? = nil
    ) {
        self.init(
            id: id,
            category: category,
            tenantID: tenantID,
            importance: importance,
            tags: tags,
            isArchived: isArchived,
            isPinned: isPinned,
            canUserUnpin: canUserUnpin,
            isExpiryVisible: isExpiryVisible,
            message: message,
            created: Timestamp(createdOn),
            seen: seenOn.map(Timestamp.init),
            read: readOn.map(Timestamp.init),
            interacted: interactedOn.map(Timestamp.init),
            expiry: expiresOn.map(Timestamp.init)
        )
    }

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
        created: Timestamp,
        sortKey: Timestamp? = nil,
        seen: Timestamp? = nil,
        read: Timestamp? = nil,
        interacted: Timestamp? = nil,
        expiry: Timestamp? = nil
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

    /// When it was created.
    public var createdOn: Date { created.date }
    /// When it was first seen; nil: unseen.
    public var seenOn: Date? { seen?.date }
    /// When it was read; nil: unread.
    public var readOn: Date? { read?.date }
    /// When its link was opened; nil: not yet.
    public var interactedOn: Date? { interacted?.date }
    /// When it expires; nil: never.
    public var expiresOn: Date? { expiry?.date }

    /// Whether the notification was seen.
    public var isSeen: Bool { seen != nil }
    /// Whether the notification was read.
    public var isRead: Bool { read != nil }

    func isExpired(at now: Timestamp) -> Bool { expiry.map { $0 < now } ?? false }

    /// The row at `now`: the service archives what has expired.
    func archivedIfExpired(at now: Timestamp) -> FeedNotification {
        guard !isArchived, isExpired(at: now) else { return self }
        var row = self
        row.isArchived = true
        return row
    }
}

extension FeedNotification {
    /// The texts and links of a notification. URLs are the service's text, without any check.
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
        /// The URL of a click; nil: none.
        public var url: String?
        /// Whether ``url`` opens in a new tab; nil: unknown.
        public var opensInNewTab: Bool?
        /// The sender's own data, as JSON text.
        public var extraData: String?
        /// Buttons.
        public var actions: [Action]

        /// Creates a message, such as for a preview or a test.
        public init(
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
        /// The text.
        public var text: String
        /// The URL of a click on it; nil: none.
        public var actionURL: String?

        /// Creates a line, such as for a preview or a test.
        public init(text: String, actionURL: String? = nil) {
            self.text = text
            self.actionURL = actionURL
        }
    }

    /// The picture of a notification.
    public struct Avatar: Sendable, Hashable {
        /// The URL of the picture.
        public var url: String
        /// The URL of a click on it; nil: none.
        public var actionURL: String?

        /// Creates an avatar, such as for a preview or a test.
        public init(url: String, actionURL: String? = nil) {
            self.url = url
            self.actionURL = actionURL
        }
    }

    /// A button of a notification.
    public struct Action: Sendable, Hashable {
        /// The label.
        public var name: String
        /// The URL; may be empty.
        public var url: String
        /// Whether the link opens in a new tab; nil: unknown.
        public var opensInNewTab: Bool?

        /// Creates a button, such as for a preview or a test.
        public init(name: String, url: String, opensInNewTab: Bool? = nil) {
            self.name = name
            self.url = url
            self.opensInNewTab = opensInNewTab
        }
    }
}
