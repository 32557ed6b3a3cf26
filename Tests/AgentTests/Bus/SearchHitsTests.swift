import AgentInterface
import DBus
import Testing

@testable import Agent

@Suite struct SearchHitsTests {
    private static func hit(_ id: Int, title: String = "Title", text: String = "Text") -> SearchHit {
        var record = NotificationRecord()
        (record.id, record.title, record.body, record.created) = ("\(id)", title, text, Int64(id))
        return SearchHit(record, of: "work")
    }

    @Test("The newest are found, a handful, and remembered until many others are") func capacity() {
        var hits = SearchHits()
        let found = hits.add((0..<30).map { Self.hit($0) })
        #expect(found.map(\.created) == (20..<30).reversed())
        #expect(hits["work\n29"] == Self.hit(29) && hits["work\n1"] == nil && hits["home\n29"] == nil)
        for start in 1...19 { _ = hits.add((0..<10).map { Self.hit(start * 100 + $0) }) }
        #expect(hits["work\n29"] != nil)
        _ = hits.add((0..<10).map { Self.hit(9_000 + $0) })
        #expect(hits["work\n29"] == nil)
    }

    @Test("A later text replaces the earlier one") func again() {
        var hits = SearchHits()
        _ = hits.add([Self.hit(1, title: "Old")])
        _ = hits.add([Self.hit(1, title: "New")])
        #expect(hits["work\n1"]?.title == "New")
    }

    @Test("Texts are one line of a bounded length, and a text without a title stands in its place") func texts() {
        let hit = Self.hit(1, title: "a\n\u{202E}b", text: String(repeating: "x", count: 10_000))
        #expect(!hit.title.contains("\n") && !hit.title.contains("\u{202E}") && hit.text.count <= 200)
        let meta = Self.hit(1, title: "", text: "Text").meta
        #expect(meta["name"] == .string("Text") && meta["description"] == .string(""))
    }

    @Test(
        "A single letter is not searched for, but a character of Chinese and Japanese",
        arguments: [("", false), ("i", false), ("in", true), ("請", true), ("あ", true)]
    ) func searchable(_ words: String, _ isSearchable: Bool) {
        #expect(SearchHits.isSearchable(words) == isSearchable)
    }
}
