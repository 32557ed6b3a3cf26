/// The index of the words of the copies.
enum IndexedWords {
    /// The texts are in the form of ``CacheSearch/indexed(_:)``, so the tokenizer only separates what has a space or
    /// punctuation between it. Marks are parts of words, and symbols such as emoji are words.
    static let tables = """
        CREATE VIRTUAL TABLE words USING fts5 (
            text, content = 'notifications', content_rowid = 'number',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co So'", columnsize = 0
        );
        CREATE TRIGGER removed AFTER DELETE ON notifications WHEN old.indexed BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
        END;
        CREATE TRIGGER changed AFTER UPDATE OF text ON notifications WHEN old.indexed AND new.text <> old.text BEGIN
            INSERT INTO words (words, rowid, text) VALUES ('delete', old.number, old.text);
            UPDATE notifications SET indexed = 0 WHERE number = new.number;
        END;
        """

    /// How many texts are converted at once.
    private static let batch: Int64 = 500

    /// Converts the texts of version 1 of the file, whose words were compared as SQLite does.
    static func convertTexts(in database: Database) throws(StoreError) {
        var last = Int64.min
        while true {
            let rows = try database.query(
                "SELECT number, text FROM notifications WHERE number > ? ORDER BY number LIMIT ?",
                .integer(last),
                .integer(batch)
            )
            guard let end = rows.last?[0].integer else { break }
            last = end
            for row in rows {
                try database.run(
                    "UPDATE notifications SET text = ? WHERE number = ?",
                    .text(CacheSearch.indexed(withoutSpaces(row[1].text))),
                    row[0]
                )
            }
        }
    }

    /// The text that version 1 put spaces into, around each character of Chinese, Japanese and Thai.
    private static func withoutSpaces(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xE2 }) else { return text }
        var result: [Unicode.Scalar] = []
        var isAfterOwnWord = false
        for scalar in text.unicodeScalars {
            defer { isAfterOwnWord = wasWordOfItsOwn(scalar) }
            if isAfterOwnWord, scalar == " " { continue }
            if wasWordOfItsOwn(scalar), result.last == " " { result.removeLast() }
            result.append(scalar)
        }
        var joined = String.UnicodeScalarView()
        joined.append(contentsOf: result)
        return String(joined)
    }

    private static func wasWordOfItsOwn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0xE7F, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
