import AgentInterface

/// The screen's events, effects and requests.
extension InboxScreen {
    /// A request to the agent.
    enum Request: Equatable, Sendable {
        case inbox(InboxCall)
        /// Take the last action back; the reply is ``Event/tookBack(_:)``.
        case undo
        case mute(Mute)
        /// End the mute of a notification.
        case unmute(RowID)
        /// Pause popups until resumed.
        case pause
        case resume
        /// Switch a category or one of its channels.
        case setPreference(category: String, channel: String?, isOn: Bool)

        enum Kind: Sendable {
            /// The user's change. Changes are performed in order, also if the user quits meanwhile.
            case change
            /// The request opens something, which may take time, also if the user quits meanwhile.
            case opening
            /// The request shows more of the same.
            case reading
        }

        var kind: Kind {
            switch self {
            case .inbox(.refresh): .reading
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
        case agent([AgentReport])
        case listed(ListRequest, ListReply)
        /// The agent's reply to ``Effect/loadPreferences(account:)``; `failure`: in a sentence.
        case preferencesLoaded(account: String, [CategoryRecord], failure: String?)
        /// The time of ``Effect/watchRows`` has passed.
        case watched
        /// The time of ``Effect/runClock(number:milliseconds:)`` has passed.
        case clock(Int)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(Request, account: String = "", failure: String?)
        /// The reply to ``Request/undo``.
        case tookBack(Undone)
        /// Local times are others than before.
        case timeZoneChanged
        /// The terminal was closed, or a signal ends the program.
        case ended
        /// Nothing can be requested any more, in a sentence.
        case unavailable(String)
        /// The agent has not answered a ping in time.
        case agentSilent
        /// The agent answers again.
        case agentAnswered
    }

    enum Effect: Equatable, Sendable {
        case list(ListRequest)
        case loadPreferences(account: String)
        /// Receive ``Event/watched`` in a second.
        case watchRows
        /// Receive ``Event/clock(_:)`` after this time.
        case runClock(number: Int, milliseconds: Int64)
        case send(Request, account: String)
        /// Control-Z: return to the shell until it continues this program.
        case suspend
        case quit

        /// Whether the agent has to answer.
        var needsAgent: Bool {
            switch self {
            case .list, .loadPreferences, .send: true
            case .watchRows, .runClock, .suspend, .quit: false
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
        /// The time that the user types, for an action.
        case until(String, TimedAction)
    }
}
