import Inbox

/// A notification's texts without markup.
struct PlainText {
    let title: String
    let body: String
    let subtext: String

    init(_ item: Item) {
        title = RichText(line: item.title).plain
        body = RichText(markup: item.body).plain
        subtext = RichText(markup: item.subtext).plain
    }
}

/// The plain texts of the loaded notifications. Parsing markup takes most of the time of a `List` call, so each text is
/// parsed once.
struct PlainTextCache {
    private struct Entry {
        /// Title, body and subtext with markup.
        let source: [String]
        let text: PlainText
    }

    private var entries: [ItemID: Entry] = [:]

    /// - Parameter item: A loaded notification.
    mutating func text(of item: Item) -> PlainText {
        let source = [item.title, item.body, item.subtext]
        if let entry = entries[item.id], entry.source == source { return entry.text }
        let text = PlainText(item)
        entries[item.id] = Entry(source: source, text: text)
        return text
    }

    /// Removes the texts of notifications that are not loaded.
    mutating func keep(only contents: InboxContents) {
        guard entries.count > contents.items.count else { return }
        entries = entries.filter { contents[$0.key] != nil }
    }
}
