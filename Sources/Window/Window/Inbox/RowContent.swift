package import AgentInterface
import Basics
import VisibleText

/// The contents of a row of the list. Texts are without characters that could disguise them, and plain except for
/// ``Text/markup``.
package struct RowContent: Equatable, Sendable {
    package struct Expiry: Equatable, Sendable {
        package var text: String
        /// The time at which it expires, for screen readers: they would say a name that changes each second.
        package var spoken: String
        /// Whether the last hour has begun.
        package var isUrgent: Bool
    }

    package struct Link: Equatable, Sendable {
        /// The argument `action` of ``AgentInbox/invoke``.
        package var id: String
        package var label: String
        /// Whether the sender emphasizes it.
        package var isPrimary: Bool
        /// The address, for a tooltip; empty: the label says it.
        package var url: String
    }

    /// A part of the text, for a label.
    package struct Text: Equatable, Sendable {
        package var plain: String
        /// Pango's markup, with links; nil: it is a plain text.
        package var markup: String?

        init(_ text: StyledText) { (plain, markup) = (text.plain, text.pango) }
    }

    /// The limits of the text on one row: characters and lines, unless more of it is shown.
    private static let (shortLength, shortLines) = (280, 4)
    /// The number of scalars that are read to show the beginning of a text.
    private static let shortRead = 1_000
    /// The maximum of ``texts``. Later parts replace the first ones.
    private static let partLimit = 8
    private static let linkLimit = 8

    package var row: RowID
    /// Words for its day, if it is the first row of that; otherwise empty.
    package var heading: String
    /// The file of the sender's picture; empty: none is known.
    package var picture: String
    /// The category, or the service where there is none: its initials are in the place of a missing picture.
    package var group: String
    package var title: String
    /// Pango's markup of the title; nil: a search has found nothing in it.
    package var titleMarkup: String?
    /// The beginning of the text, or the parts that are shown; empty: there is no text.
    package var texts: [Text]
    /// The addresses of the links in the text, as ``texts`` have them.
    package var textLinks: [String]
    /// Whether the row shows at first only the beginning of the text.
    package var isLong: Bool
    package var isExpanded: Bool
    /// Whether the text goes on after ``texts``.
    package var hasMore: Bool
    /// What the sender adds to the text; empty: nothing.
    package var details: String
    /// "Archived" among notifications that are not archived; otherwise empty.
    private var archived: String
    /// The values by which filters list this notification and similar ones, where they differ from row to row.
    private var filters: [InboxPage.Filter: String] = [:]
    package var time: String
    /// The time in full, for a tooltip.
    package var exactTime: String
    package var isUnread: Bool
    package var isPinned: Bool
    /// Whether a rule mutes it.
    package var isMuted: Bool
    package var isArchived: Bool
    /// When it pops up again; empty: it is not snoozed.
    package var snoozed: String
    package var expiry: Expiry?
    package var links: [Link]
    /// The address that the sender's picture opens; empty: none.
    package var pictureURL: String

    private let notification: NotificationRecord
    private let shownParts: Int
    private let searched: [String]

    /// - Parameters:
    ///   - heading: As ``heading``.
    ///   - account: The account's name, if several are listed; otherwise empty.
    ///   - service: The name of the account's service.
    ///   - marksArchived: Whether it is listed among others that are not archived.
    ///   - searched: The words that are marked, as of ``StyledText/words(of:)``.
    ///   - shownParts: How many parts of a long text are shown; 0: only its beginning.
    ///   - old: What the row has shown before. Its texts are kept if the notification is the same.
    init(
        _ notification: NotificationRecord,
        heading: String,
        account: String,
        service: String,
        picture: String,
        marksArchived: Bool,
        searched: [String],
        shownParts: Int,
        expiry: Countdown?,
        now: Int64,
        old: RowContent? = nil
    ) {
        if let old, old.shownParts == shownParts, old.searched == searched, old.notification == notification {
            self = old
        } else {
            self.init(notification, shownParts, searched)
        }
        (self.heading, self.picture) = (heading, picture)
        group = notification.category.isEmpty ? service : notification.category.nameLine
        archived = marksArchived && notification.isArchived ? translated("Archived") : ""
        filters = [.category: notification.category.nameLine, .account: account.nameLine].filter { !$0.value.isEmpty }
        time = RelativeTime(notification.created, now: now).text
        exactTime = LocalTime(notification.created).shown(now: now)
        snoozed =
            notification.snoozed == 0
            ? ""
            // Translators: When a snoozed notification pops up again.
            : translated("snoozed until {time}", ["time": LocalTime(notification.snoozed).shown(now: now)])
        self.expiry = expiry.map { countdown in
            // Translators: The time is such as "12:34" or "4 h 12 min".
            let text = translated("expires in {time}", ["time": countdown.text])
            let time = LocalTime(notification.expires).shown(now: now)
            // Translators: When a notification expires.
            let spoken = translated("valid until {time}", ["time": time])
            return Expiry(text: text, spoken: spoken, isUrgent: countdown.isUrgent)
        }
    }

    /// The contents that depend on nothing else.
    private init(_ notification: NotificationRecord, _ shownParts: Int, _ searched: [String]) {
        (self.notification, self.shownParts, self.searched) = (notification, shownParts, searched)
        row = RowID(notification)
        (heading, picture, group, archived, time, exactTime, snoozed) = ("", "", "", "", "", "", "")
        let line = notification.title.line(LineLimit.title)
        title = line.isEmpty ? translated("(no title)") : line
        titleMarkup = StyledText(plain: title).marked(searched).pango
        let text = Self.text(of: notification, shownParts, searched)
        let (lines, characters) = text.size
        isLong = text.isCut || characters > Self.shortLength || lines > Self.shortLines
        isExpanded = shownParts > 0
        if isLong, isExpanded {
            let parts = text.parts
            texts = parts.prefix(shownParts).suffix(Self.partLimit).map(Text.init)
            hasMore = text.isCut || parts.count > shownParts
        } else {
            let short = isLong ? text.shortened(lines: Self.shortLines, characters: Self.shortLength) : text
            texts = short.plain.isEmpty ? [] : [Text(short)]
            hasMore = isLong
        }
        textLinks = text.addresses.map(\.onOneLine)
        details = notification.subtextURL.isEmpty ? notification.subtext.line(LineLimit.title) : ""
        isUnread = notification.read == 0
        isPinned = notification.isPinned
        isMuted = notification.isMuted
        isArchived = notification.isArchived
        let primary = Set(notification.actions.map(NotificationActionRecord.init).filter(\.isPrimary).map(\.id))
        pictureURL = notification.avatarURL.line(LineLimit.address)
        let buttons = NotificationLink.all(of: notification).filter { $0.id != NotificationLink.picture }
        links = buttons.prefix(Self.linkLimit).map { link in
            let label = (link.label.isEmpty ? link.url : link.label).nameLine
            let address = link.url.line(LineLimit.address)
            // Screen readers read both.
            return Link(
                id: link.id,
                label: label,
                isPrimary: primary.contains(link.id),
                url: address == label ? "" : address
            )
        }
    }

    /// As much of the text as is needed.
    private static func text(
        of notification: NotificationRecord,
        _ shownParts: Int,
        _ searched: [String]
    ) -> StyledText {
        let limit = shownParts == 0 ? shortRead : (shownParts + 1) * StyledText.partLength
        let markup = notification.markup.isEmpty ? nil : StyledText(markup: notification.markup, limit: limit)
        return (markup ?? StyledText(plain: notification.body, limit: limit)).tidied.marked(searched).breakable
    }

    /// Whether the content was made of this notification.
    package func isMade(of notification: NotificationRecord?) -> Bool { notification == self.notification }

    /// The argument `action` of ``AgentInbox/invoke`` for a link in the text; nil: there is no such link.
    package func action(ofTextLink address: String) -> String? {
        textLinks.firstIndex(of: address).map(NotificationLink.id(ofTextLink:))
    }

    /// The line below the text: what the sender adds, category and account; empty: there is none.
    package var facts: String { [snoozed, details, source].filter { !$0.isEmpty }.joined(separator: " · ") }

    /// That the notification is archived, category and account, as far as rows differ in them.
    package var source: String { sources.joined(separator: " · ") }

    private var sources: [String] {
        ([archived] + InboxPage.Filter.allCases.compactMap { filters[$0] }).filter { !$0.isEmpty }
    }

    /// ``facts`` as Pango's markup, with links to filters, each the raw value of an ``InboxPage/Filter``.
    package var factsMarkup: String {
        let links = InboxPage.Filter.allCases.compactMap { filter in
            filters[filter].map { "<a href=\"\(filter.rawValue)\" title=\"\">\($0.escapedForXML)</a>" }
        }
        let texts = [snoozed, details, archived].filter { !$0.isEmpty }.map(\.escapedForXML)
        return (texts + links).joined(separator: " · ")
    }

    /// About how many lines it has in a window of the default size.
    package var lineCount: Int {
        func count(_ text: String, width: Int) -> Int {
            text.split(separator: "\n", omittingEmptySubsequences: false)
                .reduce(0) { $0 + max(1, ($1.unicodeScalars.count + width - 1) / width) }
        }
        let hasFacts = isLong || expiry != nil || !facts.isEmpty
        return count(title, width: 50) + texts.reduce(0) { $0 + count($1.plain, width: 60) }
            + (hasFacts ? 1 : 0) + (links.isEmpty ? 0 : 2) + (heading.isEmpty ? 0 : 1)
    }

    /// The row as a screen reader reads it: what is short comes before the text.
    package var spoken: String {
        let facts = [
            // Translators: What a screen reader says of a notification that was not read, before its title.
            isUnread ? translated("Unread") : "", isPinned ? translated("Pinned") : "",
            isMuted ? translated("Muted") : "", title,
        ]
        let texts = [texts.first?.plain ?? "", details, expiry?.spoken ?? "", spokenButtons, spokenLinks]
        return translatedList((facts + sources + [snoozed, time] + texts).filter { !$0.isEmpty })
    }

    private var spokenButtons: String {
        if links.isEmpty { return "" }
        // Translators: What a screen reader says of the buttons of a notification, with their labels.
        return translated(
            "{count} button: {labels}",
            plural: "{count} buttons: {labels}",
            count: links.count,
            ["labels": translatedList(links.map(\.label)).nameLine]
        )
    }

    private var spokenLinks: String {
        if textLinks.isEmpty { return "" }
        return translated("{count} link in the text", plural: "{count} links in the text", count: textLinks.count)
    }

    /// What a screen reader says of the button of the row's menu.
    package var menuLabel: String { translated("More actions: {title}", ["title": title]) }

    /// What a screen reader says of the button that archives it.
    package var archiveLabel: String { translated("Archive: {title}", ["title": title]) }
}
