import AgentInterface
import InboxPresentation

/// The screen's events, effects and requests.
extension InboxScreen {
    /// Whether popups are paused.
    struct Pause: Equatable, Sendable {
        var isOn = false
        /// In milliseconds since the Unix epoch; 0: until resumed.
        var until: Int64 = 0
    }

    /// The agent's reply for a ``Place``.
    struct Contents: Equatable, Sendable {
        var accounts: [AccountState]
        var place: Place
        /// nil: they were not requested.
        var notifications: [NotificationRecord]?
        /// Why nothing is known about the inbox, in a sentence; nil: it is loaded.
        var notLoaded: String?
        /// Milliseconds since the Unix epoch.
        var now: Int64
        var pause = Pause()
        var keys = InboxKeys()
    }

    /// The list on the screen: an account, a tab, and its filters.
    struct Place: Equatable, Sendable {
        /// nil: all accounts.
        var account: String?
        var tab = ""
        /// Only notifications with all of these words; empty: all.
        var search = ""
        var isUnreadOnly = false
        /// Only what is snoozed, instead of what is not.
        var isSnoozed = false
        /// The only notification that is listed, wherever it is; nil: all are.
        var id: String?
        /// nil: all categories.
        var category: String?
        /// The maximum number of notifications, which grows with the way down; nil: all that are loaded. A long list
        /// takes time to transfer.
        var limit: Int? = defaultLimit

        static let defaultLimit = 500

        /// Whether neither words, filters nor a tab choose among the notifications.
        var isWhole: Bool { tab.isEmpty && !isFiltered }

        /// Whether words or filters choose among the notifications.
        var isFiltered: Bool { !search.isEmpty || isUnreadOnly || isSnoozed || id != nil || category != nil }
    }

    /// A request to the agent.
    enum Request: Equatable, Sendable {
        case inbox(InboxCall)
        /// Take the last action back; the reply is ``Event/tookBack(_:)``.
        case undo
        /// Pause popups until resumed.
        case pause
        case resume
        /// Switch a category or one of its channels.
        case setPreference(category: String, channel: String?, isOn: Bool)
        /// Load the next page of a tab.
        case more(tab: String)

        enum Kind: Sendable {
            /// The user's change. Changes are performed in order, also if the user quits meanwhile.
            case change
            /// It opens something, which may take time, also if the user quits meanwhile.
            case opening
            /// It shows more of the same.
            case reading
        }

        var kind: Kind {
            switch self {
            case .inbox(.refresh), .more: .reading
            case .inbox(.open), .inbox(.invoke): .opening
            default: .change
            }
        }
    }

    enum Event: Equatable, Sendable {
        case key(TerminalKey)
        case mouse(TerminalMouse)
        case pasted(String)
        case resized(columns: Int, rows: Int)
        case loaded(Contents)
        /// The agent's reply to ``Effect/loadPreferences(account:)``; `failure`: in a sentence.
        case preferencesLoaded(account: String, [CategoryRecord], failure: String?)
        /// The agent has changed notifications, or anything else; nil: and any notification.
        case changed([RowChange]? = nil)
        /// The time of ``Effect/loadSoon`` has passed.
        case waited
        /// The time of ``Effect/watchRows`` has passed.
        case watched
        /// The time of ``Effect/runCountdown(number:milliseconds:)`` has passed.
        case countdownPassed(number: Int)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(Request, account: String = "", failure: String?)
        /// The reply to ``Request/undo``.
        case tookBack(Undone)
        /// Local times are others than before.
        case timeZoneChanged
        /// The terminal was closed, or a signal ends the program.
        case ended
        /// Nothing can be loaded, in a sentence.
        case unavailable(String)
        /// The agent has not answered a ping in time.
        case agentSilent
        /// The agent answers again.
        case agentAnswered
    }

    enum Effect: Equatable, Sendable {
        case load(Place)
        /// Load what the agent says about accounts and pause, and no notifications.
        case loadAccounts(Place)
        case loadPreferences(account: String)
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

        /// Whether the agent has to answer.
        var needsAgent: Bool {
            switch self {
            case .load, .loadAccounts, .loadPreferences, .perform: true
            case .loadSoon, .watchRows, .runCountdown, .suspend, .quit: false
            }
        }
    }

    enum Mode: Equatable {
        case list
        /// The text of the selected notification, from this line on.
        case text(from: Int)
        /// The keys, from this line on.
        case help(from: Int = 0)
        case preferences(PreferenceTable)
        /// The words that the user types.
        case search(String)
        /// The time that the user types, for notifications.
        case snooze(String, ids: [String])
    }
}
