/// How a notification server differs from others where the Desktop Notifications Specification leaves it to the server,
/// or where it ignores the specification. The popups of all servers depend only on this table and on the capabilities.
package struct ServerQuirks: Equatable, Sendable {
    /// The maximum length of a title, in characters. A longer one makes MATE's popup wider than the screen and leaves
    /// no room for the text on mako.
    package var titleLimit = 80
    /// The maximum length of a text, in characters. A longer one pushes the title and the close button of LXQt's popup
    /// off the screen.
    package var bodyLimit = 400
    /// The separator of the titles in a summary.
    package var titleSeparator = "\n"
    /// The number of popups that it keeps of one program. It closes the oldest beyond that. nil: many.
    package var keptPopups: Int?
    /// In milliseconds: the timeout to request if the configuration leaves it to the server. nil: none.
    package var timeout: Int32?
    /// Whether it reports a popup that the user closed as expired.
    package var reportsDismissalAsExpiry = false
    /// Whether an expired popup counts as open, and without any signal, unless it was transient.
    package var keepsExpired = false
    /// Whether it may show a closed popup again, under the same id and without a signal.
    package var restoresClosed = false
    /// Whether only the connection that showed a popup may replace it or close it.
    package var replacesOnlyOwn = false
    /// Whether it removes the actions from a history entry unless the popup is resident.
    package var needsResident = false
    /// Whether its do-not-disturb discards popups, so that they must be sent later. Other servers keep them.
    package var discardsWhenQuiet = false
    /// Whether a replaced popup stays where it is, without sound or animation, so that it can be completed later.
    package var replacesInPlace = false
    /// Whether it shows no picture that is given as a path, so that it needs the pixels.
    package var needsPixels = false
    /// Whether it shows a picture only if it is given as the program's icon.
    package var showsOnlyIcon = false
    /// Whether it shows the tags of a text with links instead of the links, although it claims the capability.
    package var showsLinksAsTags = false
    /// Whether it reserves too little room for a text with bold or italic words and cuts its last line.
    package var cutsLastLine = false
    /// Whether it ignores the names of icons in the icon theme.
    package var needsIconPath = false

    package init() {}

    /// The quirks of a server.
    ///
    /// - Parameters: The results of `GetServerInformation`.
    package init(name: String, vendor: String, version: String) {
        let version = version.split(separator: ".").map { Int($0) ?? 0 }
        let (major, minor) = (version.first ?? 0, version.dropFirst().first ?? 0)
        switch (name, vendor) {
        case ("Notification Daemon", "MATE"):
            // Its own default. With an explicit timeout, an earlier end is known to be the user's.
            timeout = 7_000
            reportsDismissalAsExpiry = true
            discardsWhenQuiet = true
            replacesInPlace = true
        case ("Notification Daemon", _):
            keepsExpired = true
            showsLinksAsTags = true
            replacesInPlace = true
        case ("Xfce Notify Daemon", _):
            discardsWhenQuiet = true
            replacesInPlace = true
        case ("lxqt-notificationd", _):
            discardsWhenQuiet = true
            needsPixels = (major, minor) < (2, 1)
            cutsLastLine = true
            replacesInPlace = true
        case ("gnome-shell", _):
            // A banner shows the text on one line.
            titleSeparator = " · "
            keptPopups = major < 48 ? 3 : 10
            replacesOnlyOwn = true
        case ("Plasma", _):
            needsResident = (major, minor) < (6, 4)
        case ("notify-osd", _):
            showsOnlyIcon = true
        case ("mako", _):
            restoresClosed = true
            needsIconPath = true
            replacesInPlace = true
        case ("dunst", _):
            needsIconPath = true
            replacesInPlace = true
        default:
            break
        }
    }
}
