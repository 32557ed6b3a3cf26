package import Basics

/// The id of a notification, unique within one account. Another one has other bytes.
package struct NotificationID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The service's identifier.
    package let rawValue: String

    /// Wraps the service's identifier unchanged.
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { self.init(value) }

    package static func == (left: NotificationID, right: NotificationID) -> Bool {
        ExactText(left.rawValue) == ExactText(right.rawValue)
    }
    package func hash(into hasher: inout Hasher) { ExactText(rawValue).hash(into: &hasher) }

    package var description: String { rawValue }
}

/// A notification of one of the accounts.
package struct NotificationReference: Hashable, Sendable {
    /// The account's key.
    package var account: String
    package var id: NotificationID

    package init(account: String, id: NotificationID) {
        self.account = account
        self.id = id
    }
}

/// A part of a notification that may have a link of its own, beside its buttons.
package enum LinkedPart: String, CaseIterable, Sendable {
    case subtext
    case avatar
}

/// One notification of an inbox: the union of the fields of all services, with `nil` for unknown values. Texts are
/// unchanged; `RichText` converts them for display.
package struct Notification: Hashable, Sendable, Identifiable {
    /// A button of a notification.
    package struct Action: Hashable, Sendable {
        /// Unique within the notification; the key of the popup's button.
        package var id: String
        /// The label.
        package var name: String
        /// The URL that the button opens; empty if there is none.
        package var url: String
        /// Whether the sender emphasizes it.
        package var isPrimary: Bool

        package init(id: String, name: String, url: String, isPrimary: Bool = false) {
            self.id = id
            self.name = name
            self.url = url
            self.isPrimary = isPrimary
        }
    }

    package var id: NotificationID
    /// The title; empty if there is none.
    package var title: String
    /// The text in the service's markup, Markdown or HTML.
    package var body: String
    /// A secondary line below the text, in the service's markup.
    package var subtext: String
    /// The URL that a click on ``subtext`` opens; empty if there is none.
    package var subtextURL: String
    /// The URL that a click opens; empty if there is none.
    package var url: String
    package var category: String
    package var topic: String
    package var tags: [String]
    package var created: Timestamp
    /// The time by which the service sorts; usually ``created``.
    package var sortTime: Timestamp
    package var seen: Timestamp?
    package var read: Timestamp?
    package var interacted: Timestamp?
    /// When the notification expires and is no longer shown; `nil` for never.
    package var expires: Timestamp?
    /// Whether the sender wants the time until it expires to be shown.
    package var isExpiryVisible: Bool
    package var isArchived: Bool
    package var isPinned: Bool
    /// When it pops up again, as the user wants; nil: it is not snoozed. The service does not know it.
    package var snoozed: Timestamp?
    /// Whether a rule mutes it: it has no popup. The service does not know it.
    package var isMuted = false
    /// The URL of a picture; empty if there is none.
    package var avatar: String
    /// The URL that a click on the picture opens; empty if there is none.
    package var avatarURL: String
    package var actions: [Action]
    /// The sender's data as JSON text; empty if there is none.
    package var extra: String

    package init(
        id: NotificationID,
        title: String = "",
        body: String = "",
        subtext: String = "",
        subtextURL: String = "",
        url: String = "",
        category: String = "",
        topic: String = "",
        tags: [String] = [],
        created: Timestamp,
        sortTime: Timestamp? = nil,
        seen: Timestamp? = nil,
        read: Timestamp? = nil,
        interacted: Timestamp? = nil,
        expires: Timestamp? = nil,
        isExpiryVisible: Bool = false,
        isArchived: Bool = false,
        isPinned: Bool = false,
        avatar: String = "",
        avatarURL: String = "",
        actions: [Action] = [],
        extra: String = ""
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.subtext = subtext
        self.subtextURL = subtextURL
        self.url = url
        self.category = category
        self.topic = topic
        self.tags = tags
        self.created = created
        self.sortTime = sortTime ?? created
        self.seen = seen
        self.read = read
        self.interacted = interacted
        self.expires = expires
        self.isExpiryVisible = isExpiryVisible
        self.isArchived = isArchived
        self.isPinned = isPinned
        self.avatar = avatar
        self.avatarURL = avatarURL
        self.actions = actions
        self.extra = extra
    }

    /// The address of a button or a part, empty if it has none; nil: the notification has no such one.
    ///
    /// - Parameter action: The id of a button, a ``LinkedPart``, or one of ``textLinks(_:)``.
    package func link(of action: String, _ reader: LinkReader) -> String? {
        if let button = actions.first(where: { $0.id == action }) { return button.url }
        if let part = linkedParts.first(where: { $0.part.rawValue == action }) { return part.url }
        guard action.hasPrefix(Self.textLinkPrefix) else { return nil }
        return textLinks(reader).first { $0.action == action }?.url
    }

    private static let textLinkPrefix = "text-"

    /// The links in its text, numbered from 1.
    package func textLinks(_ reader: LinkReader) -> [(action: String, url: String)] {
        RichText(markup: body).linkAddresses(reader).enumerated().map { ("\(Self.textLinkPrefix)\($0 + 1)", $1) }
    }

    /// The parts that the notification has, and their addresses, empty if they have none.
    package var linkedParts: [(part: LinkedPart, url: String)] {
        [(.subtext, subtext, subtextURL), (.avatar, avatar, avatarURL)].compactMap { part, content, url in
            content.isEmpty && url.isEmpty ? nil : (part, url)
        }
    }

    /// Whether the notification has expired at `now`.
    package func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}
