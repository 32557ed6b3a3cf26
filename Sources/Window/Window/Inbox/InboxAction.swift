package import AgentInterface
import VisibleText

/// An action on the selected notifications, or on all.
package enum InboxAction: Hashable, Sendable {
    case open, read, unread, archive, unarchive, delete, unsnooze
    case snooze(SnoozeChoice)
    /// Ask until when, and snooze.
    case snoozeUntil
    /// Mute what has the same category or topic, of its account.
    case mute(MuteSubject, MuteChoice)
    case unmute
    /// Receive nothing more of its topic.
    case leaveTopic
    /// Show its category in the preferences.
    case categoryPreferences
    /// Show the next part of the text; after the last one, only its beginning again.
    case expand
    /// Copy its title and its text.
    case copy
    /// Open what the sender's picture links to.
    case openPictureLink
    /// Show which rule applies to it.
    case testRules
    case selectAll
    case markAllRead
    /// Archive what is read of the list.
    case archiveRead
    case refresh
    /// Show words for days above their first rows, or none.
    case headings
}

/// A key that the page understands.
package enum PageKey: Hashable, Sendable {
    case character(Character)
    case escape, delete
    case function(Int)
    /// Control and a letter, in lower case.
    case control(Character)

    /// Whether `InboxPage.press(_:)` does something with it.
    package var isUsed: Bool {
        switch self {
        case .character(let character): "ruedzZxA/?".contains(character)
        case .control(let character): "aczfrwq,".contains(character)
        case .escape, .delete, .function: true
        }
    }

    /// Whether the key means something else in an entry.
    package var editsText: Bool {
        if case .control(let character) = self { "acz".contains(character) } else { false }
    }

    /// Whether the key is about the selected notifications.
    package var concernsSelection: Bool {
        switch self {
        case .character(let character): "ruedzZx".contains(character)
        case .control(let character): character == "c"
        case .delete: true
        case .escape, .function: false
        }
    }
}
