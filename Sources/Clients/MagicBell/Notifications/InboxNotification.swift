package import Basics
import ClientKit
public import FoundationEssentials

/// One notification of a user's inbox.
///
/// Texts and URLs are the service's, without any check.
public struct InboxNotification: Sendable, Hashable, Identifiable {
    /// The service's id, a UUID.
    public var id: String
    /// The title.
    public var title: String
    /// The body; may contain HTML.
    public var content: String?
    /// The URL of a click.
    public var actionURL: String?
    /// The category's slug.
    public var category: String?
    /// The topic: what notifications of one thread share.
    public var topic: String?
    /// The sender's own data.
    public var customAttributes: JSONValue?
    /// The user to whom it was sent; nil from the user API (v2), which does not return it.
    public var recipient: Recipient?

    // Internally: integer milliseconds since the Unix epoch. The public API uses `Date`.
    package var sent: Timestamp
    package var seen: Timestamp?
    package var read: Timestamp?
    package var archived: Timestamp?
    package var discarded: Timestamp?

    /// Creates a notification, such as for a preview or a test.
    public init(
        id: String,
        title: String,
        content: String? = nil,
        actionURL: String? = nil,
        category: String? = nil,
        topic: String? = nil,
        customAttributes: JSONValue? = nil,
        recipient: Recipient? = nil,
        sentAt: Date,
        seenAt: Date? = nil,
        readAt: Date? = nil,
        archivedAt: Date? = nil,
        discardedAt: Date? = nil
    ) {
        self.init(
            id: id,
            title: title,
            content: content,
            actionURL: actionURL,
            category: category,
            topic: topic,
            customAttributes: customAttributes,
            recipient: recipient,
            sent: Timestamp(sentAt),
            seen: seenAt.map(Timestamp.init),
            read: readAt.map(Timestamp.init),
            archived: archivedAt.map(Timestamp.init),
            discarded: discardedAt.map(Timestamp.init)
        )
    }

    package init(
        id: String,
        title: String,
        content: String? = nil,
        actionURL: String? = nil,
        category: String? = nil,
        topic: String? = nil,
        customAttributes: JSONValue? = nil,
        recipient: Recipient? = nil,
        sent: Timestamp,
        seen: Timestamp? = nil,
        read: Timestamp? = nil,
        archived: Timestamp? = nil,
        discarded: Timestamp? = nil
    ) {
        self.id = id
        self.title = title
        self.content = content
        self.actionURL = actionURL
        self.category = category
        self.topic = topic
        self.customAttributes = customAttributes
        self.recipient = recipient
        self.sent = sent
        self.seen = seen
        self.read = read
        self.archived = archived
        self.discarded = discarded
    }

    /// When it was sent; the order of lists, newest first.
    public var sentAt: Date { sent.date }
    /// When it was first seen; nil: unseen.
    public var seenAt: Date? { seen?.date }
    /// When it was read; nil: unread.
    public var readAt: Date? { read?.date }
    /// When it was archived; nil: not archived.
    public var archivedAt: Date? { archived?.date }
    /// When the service discarded it; nil: not discarded. A discarded notification belongs to no store.
    public var discardedAt: Date? { discarded?.date }

    /// Whether the notification was seen.
    public var isSeen: Bool { seen != nil }
    /// Whether the notification was read.
    public var isRead: Bool { read != nil }
    /// Whether the notification is archived.
    public var isArchived: Bool { archived != nil }
    /// Whether the service discarded it.
    public var isDiscarded: Bool { discarded != nil }
}

extension InboxNotification {
    /// The user to whom a notification was sent.
    public struct Recipient: Sendable, Hashable {
        /// The service's id of the user.
        public var id: String?
        /// The id that the sender uses for the user.
        public var externalID: String?
        /// The e-mail address.
        public var email: String?
        /// The first name.
        public var firstName: String?
        /// The last name.
        public var lastName: String?

        /// Creates a recipient, such as for a preview or a test.
        public init(
            id: String? = nil,
            externalID: String? = nil,
            email: String? = nil,
            firstName: String? = nil,
            lastName: String? = nil
        ) {
            self.id = id
            self.externalID = externalID
            self.email = email
            self.firstName = firstName
            self.lastName = lastName
        }
    }
}

/// A change of one notification's state, as an action or as the service's event.
package enum StateChange: Sendable, Hashable, CaseIterable {
    case seen, read, unread, archived, unarchived
}

extension InboxNotification {
    /// Whether both are read, seen and archived or not; their times may differ.
    func hasSameState(as other: InboxNotification?) -> Bool {
        isSeen == other?.isSeen && isRead == other?.isRead && isArchived == other?.isArchived
    }

    /// Applies a change made at `time`. A state that it already has keeps its time; reading also marks as seen.
    package mutating func apply(_ change: StateChange, at time: Timestamp) {
        switch change {
        case .seen: seen = seen ?? time
        case .read:
            seen = seen ?? time
            read = read ?? time
        case .unread: read = nil
        case .archived: archived = archived ?? time
        case .unarchived: archived = nil
        }
    }
}
