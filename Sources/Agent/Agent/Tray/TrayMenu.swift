import Inbox
import VisibleText

/// An entry of the tray icon's menu, and what a click on it does.
enum TrayMenuKey: Hashable, Sendable {
    /// Makes an account sign in again.
    case signIn(account: String)
    /// The number of unread notifications; without an effect.
    case heading
    /// How many more there are that do not count; without an effect.
    case hidden
    case separator(Int)
    /// An unread notification, with a submenu.
    case notification(account: String, NotificationID)
    case open(account: String, NotificationID)
    case markRead(account: String, NotificationID)
    /// The submenu has the times.
    case mute(account: String, NotificationID)
    case muteCategory(account: String, NotificationID, category: String, TrayMuteEnd)
    case inbox
    case markAllRead
    /// The submenu has the times.
    case pause
    case pauseFor(minutes: Int)
    case pauseUntilTomorrow
    case resume
    case hideText
    /// The submenu has the categories.
    case preferences
    /// Why there are no categories; without an effect.
    case preferencesNote
    case category(account: String, id: String)
    /// A category without a switch of its own. Its submenu has its channels.
    case categoryChannels(account: String, id: String)
    case channel(account: String, category: String, name: String)
    case reconnect
    case diagnose
}

/// How long a category is muted.
enum TrayMuteEnd: Hashable, Sendable, CaseIterable {
    case hour, tomorrow, never
}

/// The contents of the tray icon's menu.
struct TrayMenu: Equatable, Sendable {
    typealias Entry = MenuEntry<TrayMenuKey>

    struct Notification: Equatable, Sendable {
        var account: String
        var place: SortKey
        /// The title without markup.
        var title: String
        /// Empty: it has none.
        var category = ""
    }

    struct Category: Equatable, Sendable {
        var account: String
        var id: String
        var name: String
        var isOn: Bool
        var isEditable: Bool
        /// The switches instead of its own; empty: it has its own.
        var channels: [Channel] = []
    }

    struct Channel: Equatable, Sendable {
        var name: String
        var isOn: Bool
        var isEditable: Bool
    }

    enum Preferences: Equatable, Sendable {
        /// No account has preferences.
        case unsupported
        case unknown
        case known([Category])
    }

    /// The maximum number of notifications.
    static let notificationLimit = 10
    static let categoryLimit = 20
    /// Of a category.
    static let channelLimit = 10
    /// In minutes.
    private static let pauses = [30, 60]

    /// The accounts that need their user to sign in again.
    var unauthorized: [String] = []
    /// The accounts of ``unauthorized`` whose users have never signed in.
    var new: Set<String> = []
    var unread = 0
    /// The number of unread notifications that do not count, because they are snoozed or muted.
    var hidden = 0
    /// Unread notifications, in any order.
    var notifications: [Notification] = []
    /// Whether entries name their accounts.
    var hasSeveralAccounts = false
    /// nil: popups are not paused.
    var pause: PauseText?
    var isTextHidden = false
    var isTextFixed = false
    var preferences = Preferences.unsupported
    /// Whether an account is not connected.
    var isOffline = false

    var entries: [Entry] {
        var entries = unauthorized.map { Entry(.signIn(account: $0), Self.signIn($0, isNew: new.contains($0))) }
        entries.append(Entry(.heading, TrayContents.heading(unread: unread), isEnabled: false))
        if hidden > 0 { entries.append(Entry(.hidden, Self.hidden(hidden), isEnabled: false)) }
        if !notifications.isEmpty { entries += notificationEntries + [Entry(.separator(0), "", .separator)] }
        entries += [
            Entry(.inbox, translated("Open inbox")),
            Entry(.markAllRead, translated("Mark all as read"), isEnabled: unread > 0),
            Entry(.separator(1), "", .separator),
            pauseEntry,
            Entry(.hideText, translated("Hide texts of popups"), .check(isOn: isTextHidden), isEnabled: !isTextFixed),
        ]
        if let preferencesEntry { entries.append(preferencesEntry) }
        entries.append(Entry(.separator(2), "", .separator))
        if isOffline { entries.append(Entry(.reconnect, translated("Reconnect"))) }
        entries.append(Entry(.diagnose, translated("Diagnose…")))
        return entries
    }

    private static func hidden(_ count: Int) -> String {
        // Translators: Below the number of unread notifications.
        translated("{count} more is snoozed or muted", plural: "{count} more are snoozed or muted", count: count)
    }

    /// The cause that the user has to end, with the account's name.
    ///
    /// - Parameter isNew: Whether the user has never signed in.
    static func signIn(_ account: String, isNew: Bool = false) -> String {
        let name = ["account": account.onOneLine]
        // Translators: The title of a popup and of an entry of a menu. The user has not signed in yet.
        if isNew { return translated("Sign in: {account}", name) }
        // Translators: The title of a popup and of an entry of a menu. A service no longer accepts the user's token.
        return translated("Sign in again: {account}", name)
    }

    /// The newest ones.
    private var notificationEntries: [Entry] {
        notifications.sorted { $0.place < $1.place }.prefix(Self.notificationLimit).map { notification in
            let (account, id) = (notification.account, notification.place.id)
            return Entry(
                .notification(account: account, id),
                label(notification.title, account),
                .submenu(
                    [
                        Entry(.open(account: account, id), translated("Open")),
                        Entry(.markRead(account: account, id), translated("Mark as read")),
                    ] + muteEntries(notification)
                )
            )
        }
    }

    private func muteEntries(_ notification: Notification) -> [Entry] {
        let (account, id, category) = (notification.account, notification.place.id, notification.category)
        if category.isEmpty { return [] }
        let name = MenuLabel.text(category, account: nil)
        let ends = TrayMuteEnd.allCases.map { end in
            Entry(.muteCategory(account: account, id, category: category, end), Self.label(end))
        }
        return [Entry(.mute(account: account, id), translated("Mute \"{name}\"", ["name": name]), .submenu(ends))]
    }

    private static func label(_ end: TrayMuteEnd) -> String {
        switch end {
        case .hour: label(ofPauseFor: 60)
        case .tomorrow: translated("Until tomorrow")
        case .never: translated("Until I unmute it")
        }
    }

    private var pauseEntry: Entry {
        if let pause {
            let label = pause.end.map { translated("Resume popups (paused until {time})", ["time": $0]) }
            return Entry(.resume, label ?? translated("Resume popups"))
        }
        let times = Self.pauses.map { Entry(.pauseFor(minutes: $0), Self.label(ofPauseFor: $0)) }
        let tomorrow = Entry(.pauseUntilTomorrow, translated("Until tomorrow"))
        return Entry(.pause, translated("Pause popups"), .submenu(times + [tomorrow]))
    }

    private static func label(ofPauseFor minutes: Int) -> String {
        minutes % 60 == 0
            ? translated("For {count} hour", plural: "For {count} hours", count: minutes / 60)
            : translated("For {count} minute", plural: "For {count} minutes", count: minutes)
    }

    private var preferencesEntry: Entry? {
        let children: [Entry]
        switch preferences {
        case .unsupported: return nil
        case .unknown: children = [Entry(.preferencesNote, translated("Loading…"), isEnabled: false)]
        case .known([]): children = [Entry(.preferencesNote, translated("No categories"), isEnabled: false)]
        case .known(let categories):
            children = categories.prefix(Self.categoryLimit).map(entry)
        }
        // Translators: The title of a menu of categories, such as "News".
        return Entry(.preferences, translated("Notify me about"), .submenu(children))
    }

    private func entry(_ category: Category) -> Entry {
        let (account, id) = (category.account, category.id)
        let name = label(category.name, account)
        guard !category.channels.isEmpty else {
            let kind = Entry.Kind.check(isOn: category.isOn)
            return Entry(.category(account: account, id: id), name, kind, isEnabled: category.isEditable)
        }
        let channels = category.channels.prefix(Self.channelLimit).map { channel in
            Entry(
                .channel(account: account, category: id, name: channel.name),
                MenuLabel.text(channel.name, account: nil),
                .check(isOn: channel.isOn),
                isEnabled: channel.isEditable
            )
        }
        return Entry(.categoryChannels(account: account, id: id), name, .submenu(Array(channels)))
    }

    private func label(_ text: String, _ account: String) -> String {
        MenuLabel.text(text, account: hasSeveralAccounts ? account : nil)
    }
}

/// A text of a service as the label of a menu entry.
enum MenuLabel {
    /// In columns.
    static let width = 60
    /// A character may have any number of combining marks.
    private static let scalarLimit = 300

    /// The text on one line, truncated.
    ///
    /// - Parameter account: The name that is appended; nil: none.
    static func text(_ text: String, account: String?) -> String {
        let words = line(text)
        let title = words.isEmpty ? translated("(no title)") : words
        guard let account else { return title }
        // Translators: A notification or a category, and the account that it belongs to.
        return translated("{title} ({account})", ["title": title, "account": line(account)])
    }

    private static func line(_ text: String) -> String {
        let visible = VisibleText.line(String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit))))
        return visible.split(whereSeparator: \.isWhitespace).joined(separator: " ").cut(toColumns: width)
    }
}
