import VisibleText

/// The keys of the window and their functions.
package enum PageKeys {
    package struct Group: Sendable {
        package var title: String
        /// The keys as GTK writes accelerators, several of them with spaces between.
        package var keys: [(keys: String, meaning: String)]
    }

    package static var groups: [Group] { [notification, list, window] }

    private static var notification: Group {
        Group(
            // Translators: A heading of the list of keys: those for the notification with the focus.
            title: translated("Notification"),
            keys: [
                ("Return", translated("Open its link")),
                ("r", translated("Mark as read")),
                ("u", translated("Mark as unread")),
                ("e", translated("Archive, or unarchive")),
                ("d Delete", translated("Delete")),
                ("z", translated("Let it pop up again in an hour")),
                ("<Shift>z", translated("Let it pop up again at another time")),
                ("x", translated("Show more of its text")),
                ("<Control>c", translated("Copy its text")),
                ("Menu <Shift>F10", translated("Show the menu of the notification")),
                ("Right", translated("Go to its buttons and links")),
                ("Left Escape", translated("Go back from its buttons and links")),
            ]
        )
    }

    private static var list: Group {
        Group(
            // Translators: A heading of the list of keys: those for the list of notifications.
            title: translated("List"),
            keys: [
                ("Up Down", translated("Go to another notification")),
                ("Home End", translated("Go to the first or the last notification")),
                ("<Shift>Up <Shift>Down", translated("Select several")),
                ("<Control>a", translated("Select all")),
                ("<Shift>a", translated("Mark all as read")),
                ("slash <Control>f", translated("Search")),
                ("F5 <Control>r", translated("Refresh")),
                ("Escape", translated("End the selection, or go back to the whole list")),
            ]
        )
    }

    private static var window: Group {
        Group(
            // Translators: A heading of the list of keys: those for the window.
            title: translated("Window"),
            keys: [
                ("<Control>z", translated("Undo")),
                ("F10", translated("Main menu")),
                ("<Control>comma", translated("Preferences")),
                ("F1 question", translated("Show the keyboard shortcuts")),
                ("<Control>w <Control>q", translated("Close the window")),
            ]
        )
    }
}
