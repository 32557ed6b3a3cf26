package import Basics

/// An open popup as it is saved for the next run: its meaning and its appearance.
package struct SavedPopup: Equatable, Sendable {
    package var open: OpenPopup
    package var popup: Popup

    package init(open: OpenPopup, popup: Popup) {
        self.open = open
        self.popup = popup
    }
}

/// The meaning of an open popup: everything that is needed to handle a click, also in the next run.
package struct OpenPopup: Equatable, Sendable {
    /// Whether a popup is open at the server and may be replaced. It is not saved: after a restart it follows from the
    /// server.
    enum Standing: Equatable, Sendable {
        /// The popup is open, or was when this was last known, and may be replaced.
        case open
        /// Another connection showed it, and the server allows only that connection to replace it.
        case foreign
        /// The server's list has it, without a banner: a popup that replaced it would have none either.
        case listed
        /// The popup was closed, or may have been; the server may show it again.
        case closed
        /// The popup was closed because the session was locked, and is shown again afterwards.
        case putAway
    }

    /// The notifications, oldest first; for a large summary only the newest ones. Another popup than a summary has
    /// several if the server has merged popups that look the same: it shows the newest one.
    package var references: [NotificationReference]
    /// The number of notifications it represents.
    package var count: Int
    package var buttons: [Popup.Button]
    package var urgency: UInt8
    /// When its single notification expires.
    package var expires: Timestamp?
    /// The titles in a summary, newest first.
    package var titles: [String]
    /// Thread key: a later notification with the same key replaces this popup (``RuleEffects/replace``); nil: none
    /// replaces it.
    package var thread: String?
    /// When it marks its notifications as seen; nil: as the configuration of all popups says.
    package var markSeen: PopupPolicy.MarkSeen?
    /// Whether the popup stays after a click, and when its notification is read.
    package var isResident = false
    /// The server's activation token for the window that a click opens. It is valid only briefly, so it is not saved.
    var token: String?
    var standing = Standing.open
    /// Whether the previous run showed it. It may be closed: the server's signals after that run are lost.
    var isRestored = false
    /// The end of its timeout, where the server reports a dismissal before that time as an expiry. It is not saved.
    var timesOut: Timestamp?
    /// The picture that it lacks. It is not saved.
    var missingPicture: MissingPicture?
    /// What the server was asked to show. It is not saved.
    var content: Popup?
    /// The content with texts, if they are hidden; nil: nothing is hidden. It is not saved.
    var revealed: Popup?
    /// Whether the popup represents many notifications.
    package let isSummary: Bool

    package init(
        references: [NotificationReference],
        count: Int,
        buttons: [Popup.Button],
        urgency: UInt8,
        expires: Timestamp? = nil,
        titles: [String],
        isSummary: Bool
    ) {
        self.references = references
        self.count = count
        self.buttons = buttons
        self.urgency = urgency
        self.expires = expires
        self.titles = titles
        self.isSummary = isSummary
    }

    /// Whether the server shows it, or may.
    var isOpen: Bool { standing != .closed && standing != .putAway }

    /// Whether the popup shows this notification and no other.
    func shows(_ reference: NotificationReference) -> Bool { !isSummary && references.last == reference }

    /// Takes over the notifications of an older popup, which the server has merged with this one.
    mutating func include(_ older: OpenPopup) {
        references = (older.references + references).suffix(Popups.summaryLimit)
        count += older.count
        titles = Array((titles + older.titles).prefix(PopupPolicy.summaryTitles))
        expires = if let expires, let end = older.expires { max(expires, end) } else { nil }
        if revealed != older.revealed { revealed = nil }
    }

    /// The accounts of the notifications, that of the newest one first.
    var accounts: [String] {
        var accounts: [String] = []
        for reference in references.reversed() where !accounts.contains(reference.account) {
            accounts.append(reference.account)
        }
        return accounts
    }

    /// The link that a click on it opens.
    package var link: OpenableURL? { buttons.first { $0.key == Popup.defaultKey }?.url }

    /// Removes notifications. Returns whether none is left because of that.
    mutating func withdraw(_ isWithdrawn: (NotificationReference) -> Bool) -> Bool {
        let before = references.count
        references.removeAll(where: isWithdrawn)
        count -= before - references.count
        return references.isEmpty && before > 0
    }
}
