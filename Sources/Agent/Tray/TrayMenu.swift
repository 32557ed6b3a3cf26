import Desktop
import Inbox
import VisibleText

/// An entry of the tray icon's menu, and what a click on it does.
enum TrayMenuKey: Hashable, Sendable {
    /// The number of unread notifications; without an effect.
    case heading
    case separator(Int)
    /// An unread notification, with a submenu.
    case notification(account: String, NotificationID)
    case open(account: String, NotificationID)
    case markRead(account: String, NotificationID)
    case inbox
    case markAllRead
    /// Its submenu has the times.
    case pause
    case pauseFor(minutes: Int)
    case pauseUntilTomorrow
    case resume
    /// Its submenu has the categories.
    case preferences
    /// Why there are no categories; without an effect.
    case preferencesNote
    case category(account: String, id: String)
    case reconnect
    case diagnose
}

/// The contents of the tray icon's menu.
struct TrayMenu: Equatable, Sendable {
    typealias Entry = MenuEntry<TrayMenuKey>

    struct Notification: Equatable, Sendable {
        var account: String
        var place: ListPlace
        /// The title without markup.
        var title: String
    }

    struct Category: Equatable, Sendable {
        var account: String
        var id: String
        var name: String
        var isOn: Bool
        var isEditable: Bool
    }

    enum Preferences: Equatable, Sendable {
        /// No account has preferences of categories.
        case unsupported
        case unknown
        case known([Category])
    }

    /// The maximum number of notifications.
    static let notificationLimit = 10
    static let categoryLimit = 20
    private static let pauses = [(minutes: 30, "For 30 minutes"), (minutes: 60, "For 1 hour")]

    var unread = 0
    /// Unread notifications, in any order.
    var notifications: [Notification] = []
    /// Whether entries name their accounts.
    var hasSeveralAccounts = false
    /// nil: popups are not paused.
    var pause: PauseWords?
    var preferences = Preferences.unsupported
    /// Whether an account is not connected.
    var isOffline = false

    var entries: [Entry] {
        var entries = [Entry(.heading, TrayContents.heading(unread: unread), isEnabled: false)]
        if !notifications.isEmpty { entries += notificationEntries + [Entry(.separator(0), "", .separator)] }
        entries += [
            Entry(.inbox, "Open inbox"),
            Entry(.markAllRead, "Mark all as read", isEnabled: unread > 0),
            Entry(.separator(1), "", .separator),
            pauseEntry,
        ]
        if let preferencesEntry { entries.append(preferencesEntry) }
        entries.append(Entry(.separator(2), "", .separator))
        if isOffline { entries.append(Entry(.reconnect, "Reconnect")) }
        entries.append(Entry(.diagnose, "Diagnose…"))
        return entries
    }

    /// The newest ones.
    private var notificationEntries: [Entry] {
        notifications.sorted { $0.place < $1.place }.prefix(Self.notificationLimit).map { notification in
            let (account, id) = (notification.account, notification.place.id)
            return Entry(
                .notification(account: account, id),
                label(notification.title, account),
                .submenu([
                    Entry(.open(account: account, id), "Open"),
                    Entry(.markRead(account: account, id), "Mark as read"),
                ])
            )
        }
    }

    private var pauseEntry: Entry {
        if let pause {
            return Entry(.resume, pause.end.map { "Resume popups (paused until \($0))" } ?? "Resume popups")
        }
        let times = Self.pauses.map { Entry(.pauseFor(minutes: $0.minutes), $0.1) }
        return Entry(.pause, "Pause popups", .submenu(times + [Entry(.pauseUntilTomorrow, "Until tomorrow")]))
    }

    private var preferencesEntry: Entry? {
        let children: [Entry]
        switch preferences {
        case .unsupported: return nil
        case .unknown: children = [Entry(.preferencesNote, "Loading…", isEnabled: false)]
        case .known([]): children = [Entry(.preferencesNote, "No categories", isEnabled: false)]
        case .known(let categories):
            children = categories.prefix(Self.categoryLimit).map { category in
                Entry(
                    .category(account: category.account, id: category.id),
                    label(category.name, category.account),
                    .check(isOn: category.isOn),
                    isEnabled: category.isEditable
                )
            }
        }
        return Entry(.preferences, "Notify me about", .submenu(children))
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
    /// FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (Unicode Standard Annex 9): the text does not change the order
    /// of what follows it.
    private static let isolate = ("\u{2068}", "\u{2069}")

    /// The text on one line, truncated.
    ///
    /// - Parameter account: The name that is appended; nil: none.
    static func text(_ text: String, account: String?) -> String {
        let words = line(text)
        let title = words.isEmpty ? "(no title)" : words
        guard let account else { return title }
        let isolated = title.utf8.allSatisfy { $0 < 0x80 } ? title : isolate.0 + title + isolate.1
        return "\(isolated) (\(line(account)))"
    }

    private static func line(_ text: String) -> String {
        let visible = VisibleText.line(String(String.UnicodeScalarView(text.unicodeScalars.prefix(scalarLimit))))
        return visible.split(whereSeparator: \.isWhitespace).joined(separator: " ").cut(toColumns: width)
    }
}
