/// What identifies a notification within one account, as the service gave it.
package struct ItemID: Hashable, Sendable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The service's own identifier.
    package let rawValue: String

    /// Wraps the service's identifier unchanged.
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { self.init(value) }
    package var description: String { rawValue }
}

/// A moment of wall-clock time in whole milliseconds since the Unix epoch, the unit of our D-Bus interface (design.md §3).
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package let milliseconds: Int64

    /// Wraps milliseconds since the Unix epoch.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// How long it is from this moment to another one.
    package func duration(to other: Timestamp) -> Duration {
        .milliseconds(other.milliseconds) - .milliseconds(milliseconds)
    }

    /// So many milliseconds later; the ends of the range are not passed.
    package func advanced(milliseconds difference: Int64) -> Timestamp {
        let (sum, isTooMuch) = milliseconds.addingReportingOverflow(difference)
        return Timestamp(milliseconds: isTooMuch ? (difference < 0 ? .min : .max) : sum)
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// One notification of an inbox, in the words of the domain: the union of what the services know, with `nil` for what one
/// of them does not say. Texts are as the service sent them; `RichText` makes them fit to be shown.
package struct Item: Hashable, Sendable, Identifiable {
    /// A button of a notification.
    package struct Action: Hashable, Sendable {
        /// The button's label.
        package var name: String
        /// What the button opens; empty when it opens nothing.
        package var url: String

        package init(name: String, url: String) {
            self.name = name
            self.url = url
        }
    }

    package var id: ItemID
    /// The headline; empty when the service sent none.
    package var title: String
    /// The text in the service's markup, markdown or HTML.
    package var body: String
    /// A secondary line below the text, in the service's markup.
    package var subtext: String
    /// What a click opens; empty for none.
    package var url: String
    package var category: String
    package var topic: String
    package var tags: [String]
    package var created: Timestamp
    package var seen: Timestamp?
    package var read: Timestamp?
    package var interacted: Timestamp?
    /// From this moment on the notification is no longer to be shown; `nil` for never.
    package var expires: Timestamp?
    package var isArchived: Bool
    package var isPinned: Bool
    /// Address of a picture; empty for none.
    package var avatar: String
    package var actions: [Action]
    /// The sender's own data, JSON text; empty for none.
    package var extra: String

    package init(
        id: ItemID,
        title: String = "",
        body: String = "",
        subtext: String = "",
        url: String = "",
        category: String = "",
        topic: String = "",
        tags: [String] = [],
        created: Timestamp,
        seen: Timestamp? = nil,
        read: Timestamp? = nil,
        interacted: Timestamp? = nil,
        expires: Timestamp? = nil,
        isArchived: Bool = false,
        isPinned: Bool = false,
        avatar: String = "",
        actions: [Action] = [],
        extra: String = ""
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.subtext = subtext
        self.url = url
        self.category = category
        self.topic = topic
        self.tags = tags
        self.created = created
        self.seen = seen
        self.read = read
        self.interacted = interacted
        self.expires = expires
        self.isArchived = isArchived
        self.isPinned = isPinned
        self.avatar = avatar
        self.actions = actions
        self.extra = extra
    }

    /// Whether the notification's time was over at `now`.
    package func isExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// Whether somebody has dealt with it, or its time is over.
    package func needsNoPopup(at now: Timestamp) -> Bool { read != nil || isArchived || isExpired(at: now) }
}
