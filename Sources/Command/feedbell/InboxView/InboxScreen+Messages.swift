import AgentInterface

/// What the screen receives, and what it asks for.
extension InboxScreen {
    struct Tab: Equatable, Sendable {
        /// Empty: the whole inbox.
        var id: String
        var label: String
        var unread: UInt32
    }

    struct Account: Equatable, Sendable {
        var name: String
        /// nil: the service has not reported it.
        var unread: UInt32?
        /// The account's state, if it is not online; empty: it is.
        var state: String = ""
        /// Not including the whole inbox.
        var tabs: [Tab] = []
        /// When the inbox was last what the service has, in words; empty: it is.
        var age: String = ""
        /// Whether the service records which notifications were seen.
        var recordsSeen = false
        /// The number since the inbox was last opened; 0 also if opening the inbox does not change it.
        var badge: UInt32 = 0

        var isOnline: Bool { state.isEmpty }
    }

    /// The agent's reply for a ``Place``.
    struct Contents: Equatable, Sendable {
        var accounts: [Account]
        var place: Place
        var notifications: [NotificationRecord]
        /// Why nothing is known about the inbox, in a sentence; nil: it is loaded.
        var notLoaded: String?
        /// Milliseconds since the Unix epoch.
        var now: Int64
    }

    /// What is listed.
    struct Place: Equatable, Sendable {
        /// nil: all accounts.
        var account: String?
        var tab = ""
        /// Only notifications with all of these words; empty: all.
        var search = ""
    }

    /// A request to the agent.
    enum Request: Equatable, Sendable {
        case open(String)
        /// Open what a button or a link of a notification opens, see ``NotificationLink``.
        case invoke(String, action: String)
        case markRead(String)
        case markUnread(String)
        case archive(String)
        case unarchive(String)
        case delete(String)
        /// Until a time in milliseconds since the Unix epoch.
        case snooze(String, Int64)
        case markAllRead
        case markSeen([String])
        case resetBadge
        case refresh
        /// Load the next page of a tab.
        case more(tab: String)

        /// Whether it is the user's action, which is performed also if the user quits meanwhile.
        var isAction: Bool {
            switch self {
            case .refresh, .more: false
            default: true
            }
        }

        /// Whether it is made by looking at the inbox, so that its result is no news.
        var isSilent: Bool {
            switch self {
            case .markSeen, .resetBadge: true
            default: false
            }
        }
    }

    enum Event: Equatable, Sendable {
        case key(TerminalKey)
        case resized(columns: Int, rows: Int)
        case loaded(Contents)
        /// The agent has changed something.
        case changed
        /// The time of ``Effect/loadSoon`` has passed.
        case waited
        /// The time of ``Effect/watchRows`` has passed.
        case watched
        /// The time of ``Effect/runCountdown(number:milliseconds:)`` has passed.
        case countdownPassed(number: Int)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(Request, failure: String?)
        /// Nothing can be loaded, in a sentence.
        case unavailable(String)
    }

    enum Effect: Equatable, Sendable {
        case load(Place)
        /// Receive ``Event/waited`` in a second.
        case loadSoon
        /// Receive ``Event/watched`` in a second.
        case watchRows
        /// Receive ``Event/countdownPassed(number:)`` after this time.
        case runCountdown(number: Int, milliseconds: Int64)
        case perform(Request, account: String)
        /// Control-Z: return to the shell until it continues this program.
        case suspend
        case quit
    }

    enum Mode: Equatable {
        case list
        /// The text of the selected notification, from this line on.
        case text(from: Int)
        case help
        case question(Question)
        /// The words that the user types.
        case search(String)
        /// The time that the user types, for a notification.
        case snooze(String, id: String)
    }
}
