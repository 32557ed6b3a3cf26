import AgentInterface
import Basics
import DBus
import Inbox

extension Notification {
    /// The notification in the form of `dbus/org.feedbell.Agent1.xml`.
    ///
    /// - Parameter text: The notification's texts without markup.
    func dictionary(account: String, _ text: PlainText) -> [String: Value] {
        let keys = NotificationKeys.all
        var record = NotificationRecord(minimumCapacity: NotificationKeys.count)
        record[keys.id] = id.rawValue
        record[keys.account] = account
        record[keys.title] = text.title
        record[keys.body] = text.body
        record[keys.subtext] = text.subtext
        record[keys.url] = url
        record[keys.category] = category
        record[keys.topic] = topic
        record[keys.tags] = tags
        record[keys.created] = created.milliseconds
        record[keys.seen] = seen?.milliseconds ?? 0
        record[keys.read] = read?.milliseconds ?? 0
        record[keys.interacted] = interacted?.milliseconds ?? 0
        record[keys.expires] = expires?.milliseconds ?? 0
        record[keys.isArchived] = isArchived
        record[keys.isPinned] = isPinned
        record[keys.avatar] = avatar
        record[keys.actions] = actions.map { action in
            let keys = NotificationActionKeys.all
            var record = NotificationActionRecord(minimumCapacity: NotificationActionKeys.count)
            record[keys.id] = action.id
            record[keys.label] = action.name
            record[keys.url] = action.url
            record[keys.isPrimary] = action.isPrimary
            return record.values
        }
        record[keys.extra] = extra
        return record.values
    }
}

extension NotificationFilter {
    private static let optionNames = ListOptionKeys.descriptions.map(\.name)

    /// Reads the options of `List`. Throws `InvalidArgs` for an unknown one, so that a misspelled filter is not
    /// ignored.
    init(options: [String: Value]) throws(DBusError) {
        if let unknown = options.keys.sorted().first(where: { !Self.optionNames.contains($0) }) {
            let names = Self.optionNames.joined(separator: ", ")
            throw DBusError(.invalidArgs, "\"\(unknown)\" is not an option of List. The options are \(names).")
        }
        let (options, keys) = (ListOptions(options), ListOptionKeys.all)
        self.init(
            tab: try options.checked(keys.tab) ?? "",
            limit: try options.checked(keys.limit).map { Int($0) },
            offset: Int(try options.checked(keys.offset)),
            unread: try options.checked(keys.unread),
            archived: try options.checked(keys.archived),
            category: try options.checked(keys.category),
            tag: try options.checked(keys.tag),
            since: try options.checked(keys.since).map(Timestamp.init(milliseconds:))
        )
    }
}
