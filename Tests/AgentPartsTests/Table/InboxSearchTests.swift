import Basics
import Inbox
import Testing

@testable import Agent

/// The index of the words of notifications.
@Suite struct InboxSearchTests {
    private static func row(_ number: Int, _ title: String) -> Notification {
        var row = Notification.row(number)
        row.title = title
        return row
    }

    @Test(
        "A search finds words and beginnings of words, whatever their case and accents",
        arguments: [
            ("build", [1]), ("BUI fail", [1]), ("fail build", [1]), ("uild", []), ("crème", [2]),
            ("creme brulee", [2]), ("CRÈ", [2]), ("cre\u{300}me", [2]), ("main-4711", [1]), ("main 47", [1]),
            ("4711-main", []), ("東京", [3]), ("京都", []), ("東京 会議", [3]), ("会議", [3]), ("\"", []), ("", []),
            ("!?", []), ("OR", []), ("build OR crème", []), ("text:build", []), ("b*", [1, 2]), ("हिन्", [4]),
            ("build \"", [1]), ("-build", [1]), ("(build", [1]), ("ß", [2]), ("カ\u{3099}イド", [5]), ("ガイド", [5]),
            ("カイド", []), ("보고서", [6]), ("\u{1107}\u{1169}고서", [6]), ("ประชุม", [7]), ("ประชม", []), ("ABC", [8]),
            ("abc商", [8]), ("テスト", [8]), ("ﾃｽﾄ", [8]), ("🔥", [9]), ("👍", [9]), ("⚠", []), ("oeuvre", [10]),
            ("œuvre", [10]), ("STRASSE", [10]), ("lodz", [10]), ("odegard", [10]), ("αθηνα", [10]), ("Ἀθήνα", [10]),
            ("don't", [11]), ("don’t", [11]), ("“build”", [1]), ("人々", [12]), ("हिन्द", [4]), ("हन", []),
            ("1/2", [9]),
        ] as [(String, [Int])]
    )
    func search(words: String, expected: [Int]) throws {
        let storage = StateDatabase.ofInboxes()
        var (table, other) = (try InboxTable.opened(storage), try InboxTable.opened(storage, of: "b"))
        let texts = [
            "Build failed\nmain-4711", "Crème brûlée bei ß", "東京での会議", "हिन्दी में", "カ\u{3099}イド\u{FF01}",
            "주간 \u{1107}\u{1169}고서를",
            "นัดประชุมพรุ่งนี้", "ＡＢＣ商事のﾃｽﾄ完了", "fire🔥 👍🏽 1/2", "Œuvre Straße Łódź Ødegård Ἀθήνα", "Don’t", "人々の",
        ]
        _ = try table.apply(InboxUpdate(changed: texts.enumerated().map { Self.row($0.offset + 1, $0.element) }))
        _ = try other.apply(InboxUpdate(changed: [Self.row(99, "build failed crème")]))
        #expect(try table.found(words) == expected.reversed().map { "n\($0)" })
    }

    @Test("All texts are found as they are shown, and with a view or without one") func texts() throws {
        var table = try InboxTable.opened()
        var row = Self.row(1, "")
        (row.body, row.subtext, row.category) = ("**bold** [link](https://address.example)", "_sub_", "builds")
        row.isArchived = true
        _ = try table.apply(InboxUpdate(changed: [row]))
        for words in ["bold link", "sub", "builds"] { #expect(try table.found(words, nil) == ["n1"]) }
        #expect(try table.found("address", nil) == [] && table.found("bold") == [])
        #expect(try table.found("bold", InboxPredicate(archived: true)) == ["n1"])
    }

    @Test("A changed notification is found by its new words only, newest first, and a removed one no longer")
    func changes() throws {
        var table = try InboxTable.opened()
        _ = try table.apply(InboxUpdate(changed: (0..<250).map { Self.row($0, "old") }))
        #expect(try table.found("old").count == 250)
        let changed = (0..<120).map { Self.row($0, "new") }
        _ = try table.apply(InboxUpdate(changed: changed))
        #expect(try table.found("new") == changed.reversed().map(\.id.rawValue))
        #expect(try table.found("old").count == 130)
        var moved = changed[7]
        (moved.sortTime, moved.category) = (500, "moved")
        _ = try table.apply(InboxUpdate(changed: [moved]))
        #expect(try table.found("new").first == "n7" && table.found("moved") == ["n7"])
        // Its id stays known.
        _ = try table.snooze(["n7": Snoozes.Snooze(until: 1_000, wasRead: false)])
        _ = try table.apply(InboxUpdate(removed: ["n7", "n8"]))
        #expect(try table.found("new").count == 118 && table.found("moved") == [])
    }

    @Test("Words are indexed in parts, and of one notification a limited number") func indexing() throws {
        let words = (0..<6_000).map { String($0, radix: 36) }
        let text = words.joined(separator: " ")
        #expect(text.indexedPart.split(separator: " ").count == String.indexedWordLimit)
        #expect("short text".indexedPart == "short text")
        var table = try InboxTable.opened()
        var rows = (1...20).map { Notification.row($0) }
        for index in rows.indices { rows[index].body = text }
        _ = try table.apply(InboxUpdate(changed: rows))
        var parts = 1
        while try IndexedWords.indexNext(in: table.storage) { parts += 1 }
        #expect(parts == 4, "of five, after 64 KiB")
        #expect(try !IndexedWords.indexNext(in: table.storage))
        #expect(try table.found("2s").count == 20)
        #expect(try table.found(words[String.indexedWordLimit - 1]).count == 20)
        #expect(try table.found(words[String.indexedWordLimit]).isEmpty)
    }

    @Test("A long text is truncated between characters") func longText() throws {
        var table = try InboxTable.opened()
        var row = Notification.row(1)
        row.body = String(repeating: "ü", count: 9_000) + " end"
        _ = try table.apply(InboxUpdate(changed: [row]))
        #expect(try table.found(String(repeating: "u", count: 8_000)) == ["n1"] && table.found("end") == [])
    }
}
