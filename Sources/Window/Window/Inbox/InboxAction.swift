import Translation

/// An action on the selected notifications, or on all.
package enum InboxAction: Hashable, Sendable {
    case open, read, unread, archive, unarchive, delete, unsnooze
    case snooze(SnoozeChoice)
    /// Show the next part of the text; after the last one, only its beginning again.
    case expand
    /// Show which rule applies to it.
    case testRules
    case selectAll
    case markAllRead
    case refresh
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
        case .character(let character): "ruedzxA/?".contains(character)
        case .control(let character): "azfrwq,".contains(character)
        case .escape, .delete, .function: true
        }
    }

    /// Whether it is about the selected notifications.
    package var concernsSelection: Bool {
        switch self {
        case .character(let character): "ruedzx".contains(character)
        case .delete: true
        case .escape, .function, .control: false
        }
    }
}

/// The keys, as GTK writes accelerators, and their functions.
package enum PageKeys {
    package static var all: [(keys: String, meaning: String)] {
        [
            ("Return", translated("Open its link")),
            ("r", translated("Mark as read")),
            ("u", translated("Mark as unread")),
            ("e", translated("Archive, or unarchive")),
            ("d Delete", translated("Delete")),
            ("<Control>z", translated("Undo")),
            ("z", translated("Let it pop up again in an hour")),
            ("x", translated("Show more of its text")),
            ("<Shift>a", translated("Mark all as read")),
            ("slash <Control>f", translated("Search")),
            ("<Control>a", translated("Select all")),
            ("F5 <Control>r", translated("Refresh")),
            ("<Control>comma", translated("Preferences")),
            ("F1 question", translated("Show the keys")),
            ("Escape", translated("Back to the whole list")),
            ("<Control>w", translated("Close the window")),
        ]
    }
}
