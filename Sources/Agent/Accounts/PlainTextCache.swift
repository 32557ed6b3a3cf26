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

/// The plain texts of the notifications that are loaded. Finding them is nearly all the work of an answer to `List`, so each is found
/// once.
struct PlainTextCache {
    private struct Entry {
        /// Title, body and subtext with their markup.
        let source: [String]
        let text: PlainText
    }

    private var entries: [ItemID: Entry] = [:]

    /// - Parameter item: A notification that is loaded, as it is now.
    mutating func text(of item: Item) -> PlainText {
        let source = [item.title, item.body, item.subtext]
        if let entry = entries[item.id], entry.source == source { return entry.text }
        let text = PlainText(item)
        entries[item.id] = Entry(source: source, text: text)
        return text
    }

    /// Drops the texts of all notifications that are not loaded.
    mutating func keep(only contents: InboxContents) {
        guard entries.count > contents.items.count else { return }
        entries = entries.filter { contents[$0.key] != nil }
    }
}
