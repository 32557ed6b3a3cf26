import Basics
import Inbox

/// A notification's texts without markup, and the body with it.
struct PlainText {
    let title: String
    let body: String
    let subtext: String
    /// The body with styles and links; empty: it has none.
    let markup: String

    init(_ notification: Notification, _ reader: LinkReader) {
        title = RichText(title: notification.title).plain
        let rich = RichText(markup: notification.body)
        body = rich.plain
        markup = rich.linkedMarkup(reader) ?? ""
        subtext = RichText(markup: notification.subtext).plain
    }
}

/// The plain texts of recently used notifications. Parsing markup takes most of the time of a `List` call, so each text
/// is parsed once while it is listed again and again.
struct PlainTextCache {
    private static let limit = 256

    private struct Entry {
        /// Title, body and subtext with markup.
        let source: [ExactText]
        let text: PlainText
    }

    private let reader: LinkReader
    private var entries: [NotificationID: Entry] = [:]

    init(_ reader: LinkReader) { self.reader = reader }

    mutating func text(of notification: Notification) -> PlainText {
        let source = [notification.title, notification.body, notification.subtext].map(ExactText.init)
        if let entry = entries[notification.id], entry.source == source { return entry.text }
        let text = PlainText(notification, reader)
        if entries.count >= Self.limit { entries = [:] }
        entries[notification.id] = Entry(source: source, text: text)
        return text
    }
}
