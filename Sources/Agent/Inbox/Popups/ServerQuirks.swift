/// How a notification server differs from others where the Desktop Notifications Specification leaves it to the server,
/// or where it ignores the specification. The popups of all servers depend only on this table and on the capabilities.
///
/// From what a server does, only one thing is concluded, also of an unknown one: that it has closed a popup to make
/// room for another (`Popups+Server.swift`). A mistake there leaves a notification unseen. Other conclusions are not
/// sound: a reason outside the specification may be that of an expiry, and a button that is never reported may be one
/// that the user never presses.
package struct ServerQuirks: Equatable, Sendable {
    /// The maximum length of a title, in characters. A longer one makes MATE's popup wider than the screen and leaves
    /// no room for the text on mako.
    package var titleLimit = 80
    /// The maximum length of a text, in characters. A longer one pushes the title and the close button of LXQt's popup
    /// off the screen.
    package var bodyLimit = 400
    /// The maximum number of buttons, including the default action. It leaves out further ones, or shows all of them in
    /// a menu.
    package var maximumButtons = 6
    /// The separator of the titles in a summary.
    package var titleSeparator = "\n"
    /// The number of popups that it keeps of one program. It closes the oldest beyond that, or shows no further one.
    /// nil: many.
    package var keptPopups: Int?
    /// Whether the server shows no replaced popup while ``keptPopups`` are open, so one has to be closed for another.
    package var replacesByClosing = false
    /// Whether the server shows popups one after another, and no longer shows one that was replaced before its turn.
    package var dropsQueued = false
    /// In milliseconds: the timeout to request if the configuration leaves it to the server. nil: none.
    package var timeout: Int32?
    /// Whether the server reports a popup that the user closed as expired.
    package var reportsDismissalAsExpiry = false
    /// Whether an expired popup counts as open, and without any signal, unless it was transient.
    package var keepsExpired = false
    /// The reasons of `NotificationClosed` that mean that the user dismissed a popup.
    package var dismissalReasons: Set<UInt32> = [Popups.dismissedByUser]
    /// Whether the server closes the popups of a connection that ends, as if the user had dismissed them.
    package var closesWithSender = false
    /// Whether a popup that is closed stays on the screen until its time is over or the user closes it.
    package var leavesClosed = false
    /// Whether the server may show a closed popup again, under the same id and without a signal.
    package var restoresClosed = false
    /// Whether only the connection that showed a popup may replace it or close it.
    package var replacesOnlyOwn = false
    /// Whether the server removes the actions from a history entry unless the popup is resident.
    package var needsResident = false
    /// Whether the server no longer reports clicks on a popup after the connection that showed it has ended, until
    /// another one replaces it.
    package var forgetsSender = false
    /// Whether its do-not-disturb discards popups, so that they must be sent later. Other servers keep them.
    package var discardsWhenQuiet = false
    /// Whether a replaced popup stays where it is, without sound or animation, so that it can be completed later.
    package var replacesInPlace = false
    /// Whether a popup of low urgency is an entry of its list, without a banner, as is what replaces it.
    package var listsLowUrgency = false
    /// Whether a popup loses its entry in the list when its urgency changes.
    package var losesChangedUrgency = false
    /// The value of the hint `urgency` for a critical popup.
    package var criticalUrgency = Popup.critical
    /// Whether the server shows no picture that is given as a path, so that it needs the pixels.
    package var needsPixels = false
    /// Whether the server shows a picture only if it is given as the program's icon.
    package var showsOnlyIcon = false
    /// Whether the server shows the tags of a text with links instead of the links, although it claims the capability.
    package var showsLinksAsTags = false
    /// Whether the server reserves too little room for a text with bold or italic words and cuts its last line.
    package var cutsLastLine = false
    /// Whether the server ignores the names of icons in the icon theme.
    package var needsIconPath = false
    /// What it takes a title for.
    package var title = Title.text
    /// Whether the server finds tags in what is text: in markup after it has decoded the references, or in plain text.
    package var findsTagsInText = false
    /// Whether the server shows tags or references as they are, although it claims to support markup.
    package var showsMarkup = false
    /// Whether the server supports tags, and shows references as they are. A "<" that is not escaped begins a tag.
    package var showsReferences = false
    /// Whether the server leaves out the button after the default action, which has to be the last one.
    package var needsDefaultLast = false

    /// What a server takes a title for. In the specification it is plain text.
    package enum Title: Equatable, Sendable {
        case text
        /// Markup, as a text.
        case markup
        /// Plain text from which it removes tags.
        case tagged
        /// Markup in which it finds tags after it has decoded the references.
        case decodedMarkup
    }

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
            leavesClosed = true
            showsLinksAsTags = true
            replacesInPlace = true
        case ("Xfce Notify Daemon", _):
            discardsWhenQuiet = true
            replacesInPlace = true
        case ("lxqt-notificationd", _):
            discardsWhenQuiet = true
            needsPixels = (major, minor) < (2, 1)
            maximumButtons = 3
            cutsLastLine = true
            replacesInPlace = true
        case ("gnome-shell", _):
            // A banner shows the text on one line.
            titleSeparator = " · "
            maximumButtons = 3
            keptPopups = major < 48 ? 3 : 10
            replacesOnlyOwn = true
            closesWithSender = major >= 46
            listsLowUrgency = true
            // Seen in 48, and not in 43 and 51.
            losesChangedUrgency = (48..<51).contains(major)
        case ("cinnamon", _):
            keptPopups = 10
            // Its close button reports no reason.
            dismissalReasons.insert(0)
            discardsWhenQuiet = true
        case ("Budgie Notification Server", _):
            // Of all programs together. It reports a further one as expired when it answers.
            keptPopups = 3
            replacesByClosing = true
            discardsWhenQuiet = true
            title = .markup
            needsDefaultLast = true
            // It compares the hint with the most urgent priority of GLib (`G_NOTIFICATION_PRIORITY_URGENT`).
            criticalUrgency = 3
        case ("Plasma", _):
            needsResident = (major, minor) < (6, 4)
            forgetsSender = !needsResident
        case ("io.elementary.notifications", _), ("quickshell", _):
            // Of quickshell those configurations that show a text as Qt's styled text.
            titleSeparator = " · "
        case ("cosmic-notifications", _):
            showsReferences = true
        case ("notify-osd", _):
            dropsQueued = true
            showsOnlyIcon = true
            title = .tagged
        case ("mako", _):
            restoresClosed = true
            needsIconPath = true
            replacesInPlace = true
        case ("dunst", _):
            needsIconPath = true
            replacesInPlace = true
        case ("fnott", _):
            title = .decodedMarkup
            findsTagsInText = true
        case ("naughty", "awesome"):
            // It draws a picture in its own size, whatever that is.
            needsIconPath = true
        case ("ukui-Notifications", _):
            // Each text is markup if it has a tag, and plain if not. It cuts markup inside references.
            title = .tagged
            showsMarkup = true
            findsTagsInText = true
        case ("DeepinNotifications", _):
            titleSeparator = " · "
            showsMarkup = true
            // It removes all tags of a text that begins with one.
            findsTagsInText = true
        default:
            break
        }
    }
}

extension ServerQuirks {
    /// The argument `summary` of `Notify` for a popup.
    package func summary(of popup: Popup) -> String {
        switch title {
        case .text: popup.summary
        case .markup: RichText([RichText.Run(popup.summary)]).markup
        case .tagged: popup.summary.withoutTags
        case .decodedMarkup: RichText([RichText.Run(popup.summary.withoutTags)]).markup
        }
    }

    /// The hint `urgency` of a popup.
    package func urgency(of popup: Popup) -> UInt8 {
        popup.urgency == Popup.critical ? criticalUrgency : popup.urgency
    }

    /// The buttons of a popup in the order of the argument `actions`.
    package func actions(of popup: Popup) -> [Popup.Button] {
        guard needsDefaultLast else { return popup.buttons }
        let isDefault = { (button: Popup.Button) in button.key == Popup.defaultKey }
        return popup.buttons.filter { !isDefault($0) } + popup.buttons.filter(isDefault)
    }
}

extension String {
    /// The same text for a server that finds tags in plain text: an invisible character (U+2060, "word joiner") follows
    /// each "<".
    var withoutTags: String { contains("<") ? replacing("<", with: "<\u{2060}") : self }
}
