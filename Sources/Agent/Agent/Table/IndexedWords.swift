import Basics
import Inbox

/// The index of the words of the notifications. They are indexed at the next search or start: many at once, and not
/// while notifications arrive.
enum IndexedWords {
    /// The size of the texts that are added at once, in bytes.
    private static let indexedAtOnce = 64 << 10
    private static let rowsIndexedAtOnce = 100
    /// Of a notification's text, in bytes.
    private static let longestText = 16_384

    /// The texts are in the form of ``InboxSearch/indexed(_:)``, so the tokenizer only separates what has a space or
    /// punctuation between it. Marks are parts of words, and symbols such as emoji are words.
    static let tables = """
        CREATE VIRTUAL TABLE words USING fts5 (
            text, content = 'rows', content_rowid = 'number',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co So'", columnsize = 0
        );
        CREATE INDEX unindexed ON rows (number) WHERE indexed = 0 AND content <> '';
        CREATE TRIGGER removed AFTER DELETE ON rows WHEN old.indexed BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
        END;
        CREATE TRIGGER changed AFTER UPDATE OF content, category ON rows
        WHEN old.indexed AND (new.content <> old.content OR new.category <> old.category) BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
            UPDATE rows SET indexed = 0, text = '' WHERE number = new.number;
        END;
        """

    /// Adds the newest notifications that are not there.
    ///
    /// - Returns: Whether there may be more of them.
    static func indexNext(in state: StateDatabase) throws(StoreError) -> Bool {
        guard let database = state.current else { return false }
        let unindexed = try database.rows(
            """
            SELECT \(InboxRow.columns), number FROM rows WHERE indexed = 0 AND content <> ''
            ORDER BY number DESC LIMIT \(rowsIndexedAtOnce)
            """,
            []
        )
        var texts: [(number: Database.Value, text: String)] = []
        var size = 0
        for row in unindexed {
            guard size < indexedAtOnce, let number = row.last, let reported = InboxRow(row).reported else { break }
            texts.append((number, text(of: reported)))
            size += texts.last?.text.utf8.count ?? 0
        }
        guard !texts.isEmpty else { return false }
        try state.write(durably: false) { (database) throws(StoreError) in
            for (number, text) in texts {
                try database.run("UPDATE rows SET indexed = 1, text = ? WHERE number = ?", .text(text), number)
                try database.run("INSERT INTO words (rowid, text) VALUES (?, ?)", number, .text(text))
            }
        }
        return texts.count < unindexed.count || unindexed.count == rowsIndexedAtOnce
    }

    /// The words that a search finds a notification by.
    private static func text(of notification: Notification) -> String {
        var text = [
            RichText(title: notification.title).plain, RichText(markup: notification.body).plain,
            RichText(markup: notification.subtext).plain, notification.category,
        ].joined(separator: "\n")
        text.truncate(to: longestText)
        return InboxSearch.indexed(text).indexedPart
    }

    /// Discards the index: words of what is left have to be indexed again.
    static func discard(in database: Database) throws(StoreError) {
        try database.execute(
            """
            UPDATE rows SET indexed = 0, text = '' WHERE indexed = 1;
            INSERT INTO words (words) VALUES ('delete-all');
            """
        )
    }
}

extension String {
    /// Leaves at most this number of bytes, without a part of a character.
    fileprivate mutating func truncate(to count: Int) {
        guard utf8.count > count else { return }
        var end = utf8.index(startIndex, offsetBy: count)
        while end > startIndex, String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        self = String(self[..<end])
    }
}
