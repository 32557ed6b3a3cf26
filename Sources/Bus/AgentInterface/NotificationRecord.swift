package import DBus

/// A notification as a dictionary: the argument `item` of methods and signals of ``AgentInbox``.
package typealias NotificationRecord = Record<NotificationKeys>

/// The keys of a notification. Times are milliseconds since the Unix epoch, 0 for not yet or never.
package struct NotificationKeys: RecordKeys {
    package static let all = NotificationKeys()

    package let id = RecordKey("id", default: "")
    package let account = RecordKey("account", default: "")
    package let title = RecordKey("title", default: "")
    /// Plain text.
    package let body = RecordKey("body", default: "")
    /// The body with styles and links; empty: it has none.
    package let markup = RecordKey("markup", default: "")
    package let subtext = RecordKey("subtext", default: "")
    /// The URL of a click on the subtext.
    package let subtextURL = RecordKey("subtext-url", default: "")
    package let url = RecordKey("url", default: "")
    package let category = RecordKey("category", default: "")
    package let topic = RecordKey("topic", default: "")
    package let tags = RecordKey("tags", default: [String]())
    package let created = RecordKey("created", default: Int64(0))
    package let seen = RecordKey("seen", default: Int64(0))
    package let read = RecordKey("read", default: Int64(0))
    package let interacted = RecordKey("interacted", default: Int64(0))
    package let expires = RecordKey("expires", default: Int64(0))
    /// Whether the sender wants the time until it expires to be shown.
    package let isExpiryVisible = RecordKey("expiry-visible", default: false)
    package let isArchived = RecordKey("archived", default: false)
    package let isPinned = RecordKey("pinned", default: false)
    /// When it pops up again; 0: it is not snoozed.
    package let snoozed = RecordKey("snoozed", default: Int64(0))
    /// Whether a rule mutes it: it has no popup.
    package let isMuted = RecordKey("muted", default: false)
    /// The URL of a picture.
    package let avatar = RecordKey("avatar", default: "")
    /// The URL of a click on the picture.
    package let avatarURL = RecordKey("avatar-url", default: "")
    /// The buttons, see ``NotificationActionRecord``.
    package let actions = RecordKey("actions", default: [[String: Value]]())
    /// The sender's data as JSON.
    package let extra = RecordKey("extra", default: "")
}

/// A button of a notification as a dictionary.
package typealias NotificationActionRecord = Record<NotificationActionKeys>

package struct NotificationActionKeys: RecordKeys {
    package static let all = NotificationActionKeys()

    /// The argument `action` of ``AgentInbox/invoke``.
    package let id = RecordKey("id", default: "")
    package let label = RecordKey("label", default: "")
    package let url = RecordKey("url", default: "")
    /// Whether the sender emphasizes it.
    package let isPrimary = RecordKey("primary", default: false)
}

/// The options of ``AgentInbox/list``.
package typealias ListOptions = Record<ListOptionKeys>

package struct ListOptionKeys: RecordKeys {
    package static let all = ListOptionKeys()

    /// The id of a tab; without it, or empty: the whole inbox.
    package let tab = OptionKey<String>("tab")
    /// The maximum number of notifications; without it: all that are loaded.
    package let limit = OptionKey<UInt32>("limit")
    /// The number of notifications to skip.
    package let offset = RecordKey("offset", default: UInt32(0))
    /// True: only unread notifications; false: only read ones.
    package let unread = OptionKey<Bool>("unread")
    package let archived = OptionKey<Bool>("archived")
    package let category = OptionKey<String>("category")
    package let tag = OptionKey<String>("tag")
    /// Only notifications created at this time or later, in milliseconds since the Unix epoch.
    package let since = OptionKey<Int64>("since")
    /// Only notifications created before this time, in milliseconds since the Unix epoch.
    package let before = OptionKey<Int64>("before")
    /// Only notifications whose id is one of these, or begins with one of them.
    package let ids = OptionKey<[String]>("ids")
    /// Only notifications with all of these words or beginnings of words, of all that the agent keeps.
    package let text = OptionKey<String>("text")
    /// True: only snoozed notifications; false: only those that are not.
    package let snoozed = OptionKey<Bool>("snoozed")
    /// True: the limit loads nothing.
    package let takesLoaded = OptionKey<Bool>("loaded")
    /// Whether those are listed, too, that are kept but not loaded.
    package let takesKept = OptionKey<Bool>("kept")
}

/// The argument `platform_data` of ``AgentInbox/open`` and ``AgentInbox/invoke``, as in the Desktop Entry
/// Specification, "D-Bus Activation".
package typealias PlatformData = Record<PlatformDataKeys>

package struct PlatformDataKeys: RecordKeys {
    package static let all = PlatformDataKeys()

    /// Passes the focus to the program that opens the URL.
    package let activationToken = OptionKey<String>("activation-token")
    /// Whether the reason of an error is for people, in their language: without keys of the configuration.
    package let translated = OptionKey<Bool>("translated")
}
