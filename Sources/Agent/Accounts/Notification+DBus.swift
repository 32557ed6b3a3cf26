import Basics
import DBus
import Inbox

extension Notification {
    /// The notification in the form of `dbus/org.feedbell.Agent1.xml`.
    ///
    /// - Parameter text: The notification's texts without markup.
    func dictionary(account: String, _ text: PlainText) -> [String: Value] {
        [
            "id": .string(id.rawValue),
            "account": .string(account),
            "title": .string(text.title),
            "body": .string(text.body),
            "subtext": .string(text.subtext),
            "url": .string(url),
            "category": .string(category),
            "topic": .string(topic),
            "tags": Value(tags),
            "created": .int64(created.milliseconds),
            "seen": .int64(seen?.milliseconds ?? 0),
            "read": .int64(read?.milliseconds ?? 0),
            "interacted": .int64(interacted?.milliseconds ?? 0),
            "expires": .int64(expires?.milliseconds ?? 0),
            "archived": .bool(isArchived),
            "pinned": .bool(isPinned),
            "avatar": .string(avatar),
            "actions": Value(actions.map { Structure($0.name, $0.url) }),
            "extra": .string(extra),
        ]
    }
}

extension NotificationFilter {
    private static let optionNames = ["limit", "offset", "unread", "archived", "category"]

    /// Reads the options of `List`. Throws `InvalidArgs` for an unknown one, so that a misspelled filter is not
    /// ignored.
    init(options: [String: Value]) throws(DBusError) {
        if let unknown = options.keys.sorted().first(where: { !Self.optionNames.contains($0) }) {
            let names = Self.optionNames.joined(separator: ", ")
            throw DBusError(.invalidArgs, "\"\(unknown)\" is not an option of List. The options are \(names).")
        }
        self.init(
            limit: try options.value("limit", as: UInt32.self).map { Int($0) },
            offset: Int(try options.value("offset", as: UInt32.self) ?? 0),
            unread: try options.value("unread", as: Bool.self),
            archived: try options.value("archived", as: Bool.self),
            category: try options.value("category", as: String.self)
        )
    }
}
