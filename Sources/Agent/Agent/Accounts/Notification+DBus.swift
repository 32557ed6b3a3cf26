import AgentInterface
import Basics
import DBus
import Inbox

extension Notification {
    /// The notification in the form of `dbus/org.feedbell.Agent1.xml`.
    ///
    /// - Parameters:
    ///   - text: The notification's texts without markup.
    ///   - reader: Reads its addresses.
    func dictionary(account: String, _ text: PlainText, _ reader: LinkReader) -> [String: Value] {
        let keys = NotificationKeys.all
        var entries = [
            keys.id.entry(id.rawValue), keys.account.entry(account), keys.title.entry(text.title),
            keys.body.entry(text.body), keys.subtext.entry(text.subtext),
            keys.subtextURL.entry(reader.stated(subtextURL)),
            keys.url.entry(reader.stated(url)), keys.category.entry(category), keys.topic.entry(topic),
            keys.tags.entry(tags),
            keys.created.entry(created.milliseconds), keys.seen.entry(seen?.milliseconds ?? 0),
            keys.read.entry(read?.milliseconds ?? 0), keys.interacted.entry(interacted?.milliseconds ?? 0),
            keys.expires.entry(expires?.milliseconds ?? 0), keys.isExpiryVisible.entry(isExpiryVisible),
            keys.isArchived.entry(isArchived), keys.isPinned.entry(isPinned), keys.avatar.entry(reader.stated(avatar)),
            keys.avatarURL.entry(reader.stated(avatarURL)), keys.snoozed.entry(snoozed?.milliseconds ?? 0),
            keys.isMuted.entry(isMuted),
            keys.actions.entry(actions.map { $0.dictionary(reader) }), keys.extra.entry(extra),
        ]
        if !text.markup.isEmpty { entries.append(keys.markup.entry(text.markup)) }
        return Dictionary(uniqueKeysWithValues: entries)
    }
}

extension Notification.Action {
    fileprivate func dictionary(_ reader: LinkReader) -> [String: Value] {
        let keys = NotificationActionKeys.all
        return Dictionary(uniqueKeysWithValues: [
            keys.id.entry(id), keys.label.entry(RichText(title: name).plain), keys.url.entry(reader.stated(url)),
            keys.isPrimary.entry(isPrimary),
        ])
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
            since: try options.checked(keys.since).map(Timestamp.init(milliseconds:)),
            before: try options.checked(keys.before).map(Timestamp.init(milliseconds:)),
            ids: try options.checked(keys.ids).map { (ids) throws(DBusError) in try Self.checked(ids) },
            text: try options.checked(keys.text),
            snoozed: try options.checked(keys.snoozed),
            takesLoaded: try options.checked(keys.takesLoaded) ?? false,
            takesKept: try options.checked(keys.takesKept) ?? false
        )
    }

    private static func checked(_ ids: [String]) throws(DBusError) -> [String] {
        let limit = AgentInbox.maximumIDs
        guard ids.count <= limit else {
            throw DBusError(
                .invalidArgs,
                "\(ids.count) ids are too many for one call. Pass at most \(limit), and call List again for the others."
            )
        }
        return ids
    }
}
