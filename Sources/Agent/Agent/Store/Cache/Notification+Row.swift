import Basics
import Inbox

/// The row of a notification in the copy of an inbox.
extension Notification {
    private static let names = [
        "id", "pinned", "time", "created", "seen", "read", "interacted", "archived", "content",
    ]

    static func columns(_ prefix: String = "") -> String { names.map { prefix + $0 }.joined(separator: ", ") }

    /// A row of ``columns(_:)``; nil: it has another form.
    ///
    /// - Parameter now: If it has expired by then, it is archived.
    init?(_ row: [Database.Value], now: Timestamp) {
        self.init(
            id: NotificationID(row[0].text),
            created: Timestamp(milliseconds: row[3].integer),
            sortTime: Timestamp(milliseconds: row[2].integer),
            seen: Timestamp(known: row[4].integer),
            read: Timestamp(known: row[5].integer),
            interacted: Timestamp(known: row[6].integer),
            isArchived: row[7].integer > 0,
            isPinned: row[1].integer > 0
        )
        guard readContent(row[8].text) else { return nil }
        if isExpired(at: now) { isArchived = true }
    }

    /// The column `content`: what marks do not change. What ``readContent(_:)`` reads, in the same order.
    fileprivate var content: String {
        var list = TextList()
        for text in [title, body, subtext, url, category, topic, avatar, extra] { list.append(text) }
        list.append(expires?.milliseconds ?? 0)
        list.append(isExpiryVisible ? "1" : "")
        list.append(subtextURL)
        list.append(avatarURL)
        list.append(Int64(tags.count))
        for tag in tags { list.append(tag) }
        for action in actions {
            for text in [action.id, action.name, action.url, action.isPrimary ? "1" : ""] { list.append(text) }
        }
        return list.text
    }

    /// - Returns: Whether it has the form of ``content``.
    private mutating func readContent(_ content: String) -> Bool {
        var rest = TextList.decode(content)[...]
        func next() -> String { rest.popFirst() ?? "" }
        (title, body, subtext, url) = (next(), next(), next(), next())
        (category, topic, avatar, extra) = (next(), next(), next(), next())
        expires = Timestamp(known: Int64(next()) ?? 0)
        isExpiryVisible = !next().isEmpty
        (subtextURL, avatarURL) = (next(), next())
        guard let tagCount = Int(next()), 0...rest.count ~= tagCount else { return false }
        tags = Array(rest.prefix(tagCount))
        rest = rest.dropFirst(tagCount)
        while rest.count >= 4 {
            actions.append(Action(id: next(), name: next(), url: next(), isPrimary: !next().isEmpty))
        }
        return true
    }
}

extension CachedNotification {
    static let columns = Notification.columns() + ", text"
    static let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")

    /// The values of ``columns``.
    ///
    /// - Parameter known: What the copy has; nil: this notification is complete.
    func row(_ known: (content: String, text: String)?) -> [Database.Value] {
        let (content, text) = known ?? (notification.content, self.text)
        return [
            .text(notification.id.rawValue), .integer(notification.isPinned ? 1 : 0),
            .integer(notification.sortTime.milliseconds), .integer(notification.created.milliseconds),
            .integer(notification.seen?.milliseconds ?? 0), .integer(notification.read?.milliseconds ?? 0),
            .integer(notification.interacted?.milliseconds ?? 0), .integer(notification.isArchived ? 1 : 0),
            .text(content), .text(text),
        ]
    }

    /// The first of the numbers of its time.
    var firstNumber: Int64 { min(max(notification.sortTime.milliseconds, 0), 1 << 42) << 20 }
}

extension SortKey {
    /// A row of ``Notification/columns(_:)``.
    init(_ row: [Database.Value]) {
        self.init(
            isPinned: row[1].integer > 0,
            time: Timestamp(milliseconds: row[2].integer),
            id: NotificationID(row[0].text)
        )
    }
}

extension Timestamp {
    /// nil for 0.
    init?(known milliseconds: Int64) {
        guard milliseconds != 0 else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
