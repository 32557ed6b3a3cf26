import AgentInterface
import InboxPresentation
import Translation
import VisibleText

/// The contents of a row of the list. Texts are without characters that could disguise them, and plain except for
/// ``bodyMarkup``.
package struct RowContent: Equatable, Sendable {
    package struct Expiry: Equatable, Sendable {
        package var text: String
        /// Whether the last hour has begun.
        package var isUrgent: Bool
    }

    package struct Link: Equatable, Sendable {
        /// The argument `action` of ``AgentInbox/invoke``.
        package var id: String
        package var label: String
        /// Whether the sender emphasizes it.
        package var isPrimary: Bool
        /// The address, for a tooltip.
        package var url: String
    }

    /// The limits of the text on one row: characters and lines, unless all of it is shown.
    private static let (shortLength, shortLines) = (280, 4)
    private static let linkLimit = 8
    /// The limit of a line, in characters.
    private static let lineLimit = 160

    package var row: RowID
    /// The file of the sender's picture; empty: none is known.
    package var picture: String
    package var title: String
    package var body: String
    /// ``body`` as Pango's markup, with links; nil: it is a plain text.
    package var bodyMarkup: String?
    /// The addresses of the links in the text, as ``bodyMarkup`` has them.
    package var textLinks: [String]
    /// Whether ``body`` is only a part of the text, or could be.
    package var isLong: Bool
    package var isExpanded: Bool
    /// The line below the text; empty: none.
    package var details: String
    /// Category and account, where they tell something.
    package var source: String
    package var time: String
    /// The time in full, for a tooltip.
    package var exactTime: String
    package var isUnread: Bool
    package var isPinned: Bool
    package var isArchived: Bool
    /// When it pops up again; empty: it is not snoozed.
    package var snoozed: String
    package var expiry: Expiry?
    package var links: [Link]

    /// - Parameter account: The account's name, if several are listed; otherwise empty.
    init(
        _ notification: NotificationRecord,
        account: String,
        picture: String,
        isExpanded: Bool,
        expiry: Countdown?,
        now: Int64
    ) {
        row = RowID(notification)
        self.picture = picture
        let line = notification.title.onOneLine.shortened(to: Self.lineLimit)
        title = line.isEmpty ? translated("(no title)") : line
        let markup = notification.markup.isEmpty ? nil : StyledText(markup: notification.markup)
        let text = (markup ?? StyledText(plain: notification.body)).tidied
        let (lines, characters) = text.size
        isLong = characters > Self.shortLength || lines > Self.shortLines
        self.isExpanded = isExpanded
        let shown =
            isExpanded || !isLong ? text : text.shortened(lines: Self.shortLines, characters: Self.shortLength)
        body = shown.plain
        bodyMarkup = shown.pango
        textLinks = text.addresses.map(\.onOneLine)
        let subtext = notification.subtext.onOneLine.shortened(to: Self.lineLimit)
        details = notification.subtextURL.isEmpty ? subtext : ""
        source = [account, notification.category].map(\.onOneLine).filter { !$0.isEmpty }.joined(separator: " · ")
        time = RelativeTime(notification.created, now: now).text
        exactTime = LocalTime(notification.created).text(now: now)
        isUnread = notification.read == 0
        isPinned = notification.isPinned
        isArchived = notification.isArchived
        snoozed =
            notification.snoozed == 0
            ? ""
            // Translators: When a snoozed notification pops up again.
            : translated("snoozed until {time}", ["time": LocalTime(notification.snoozed).text(now: now)])
        self.expiry = expiry.map { countdown in
            // Translators: The time is such as "12:34" or "4 h 12 min".
            let text = translated("expires in {time}", ["time": countdown.text])
            return Expiry(text: text, isUrgent: countdown.isUrgent)
        }
        let primary = Set(notification.actions.map(NotificationActionRecord.init).filter(\.isPrimary).map(\.id))
        links = NotificationLink.all(of: notification).prefix(Self.linkLimit).map { link in
            let label = link.label.isEmpty ? link.url : link.label
            let isPrimary = primary.contains(link.id)
            return Link(id: link.id, label: label.onOneLine, isPrimary: isPrimary, url: link.url.onOneLine)
        }
    }

    /// The argument `action` of ``AgentInbox/invoke`` for a link in the text; nil: there is no such link.
    package func action(ofTextLink address: String) -> String? {
        textLinks.firstIndex(of: address).map(NotificationLink.id(ofTextLink:))
    }

    /// The title for a picture with its initials: letters and digits.
    package var initialsText: String { String(title.filter { $0.isLetter || $0.isNumber || $0 == " " }) }

    /// The row as a screen reader reads it.
    package var spoken: String {
        // Translators: What a screen reader says of a notification that was not read, before its title.
        let state = isUnread ? translated("Unread") : nil
        let facts = [state, title, body, details, expiry?.text, snoozed.isEmpty ? nil : snoozed, source, time]
        return translatedList(facts.compactMap(\.self).filter { !$0.isEmpty })
    }
}

extension String {
    fileprivate func shortened(to limit: Int) -> String { count > limit ? prefix(limit - 1) + "…" : self }
}
