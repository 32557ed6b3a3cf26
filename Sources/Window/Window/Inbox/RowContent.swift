import AgentInterface
import InboxPresentation
import Translation
import VisibleText

/// What a row of the list shows. All texts are plain, and without characters that could disguise them.
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
    package var title: String
    /// The file of the sender's picture; empty: none is known.
    package var picture: String
    package var body: String
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
        let line = notification.title.onOneLine.shortened(to: Self.lineLimit)
        title = line.isEmpty ? translated("(no title)") : line
        let text = notification.body.printable.trimmed
        let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        isLong = text.count > Self.shortLength || lines.count > Self.shortLines
        self.picture = picture
        self.isExpanded = isExpanded
        let beginning = String(lines.prefix(Self.shortLines).joined(separator: "\n").prefix(Self.shortLength))
        body = isExpanded || !isLong ? text : beginning + " …"
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

    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
