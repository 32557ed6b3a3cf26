import AgentInterface
import DBus
import Testing

@testable import Window

/// How much a row shows, and when it is made anew.
@Suite struct RowContentTests {
    private typealias Fixture = PageFixture

    private static func page(_ change: (inout NotificationRecord) -> Void) -> PageFixture {
        PageFixture([Fixture.account("work")], [[Fixture.notification("1", change)]])
    }

    /// Texts of any length, each of which a row shows folded.
    static let longTexts = [
        String(repeating: "abcdefgh", count: 2_000), String(repeating: "word ", count: 4_000),
        String(repeating: "x\n\n", count: 6_000), String(repeating: "この文はとても長い。", count: 600),
        String(repeating: "ประชุมพรุ่งนี้", count: 400), "a" + String(repeating: "\u{301}", count: 8_000),
        String(repeating: "👩‍👩‍👧‍👦", count: 650),
        String(repeating: "\n", count: 900) + String(repeating: "W", count: 9_000),
    ]

    @Test("A folded row has the beginning of a text, as much as its lines need", arguments: longTexts.indices)
    func folded(number: Int) throws {
        let text = Self.longTexts[number]
        let content = try #require(Self.page { $0.body = text }.page.row(Fixture.row("1")))
        let shown = content.texts.map(\.plain).joined()
        #expect(content.isLong && content.hasMore && content.texts.count <= 1)
        #expect(shown.count <= 290 && shown.unicodeScalars.count <= 1_100 && shown.utf8.count <= 5_000)
        #expect(shown.split(separator: "\n").count <= 4 && content.title.unicodeScalars.count <= 170)
    }

    @Test(
        "The lines of a row are estimated from its contents, with the heading of its day",
        arguments: [
            ("", 0, 0), ("One.", 1, 0), ("One.\nTwo.", 2, 0), (String(repeating: "word ", count: 12), 1, 0),
            (String(repeating: "word ", count: 13), 2, 0), ("One.", 1, 1),
        ]
    )
    func lines(text: String, lines: Int, links: Int) throws {
        let content = Self.page { notification in
            notification.body = text
            notification.category = "builds"
            notification.actions = (0..<links).map { ["id": .string("\($0)"), "label": .string("Buy")] }
        }.page.row(Fixture.row("1"))
        let count = try #require(content).lineCount
        #expect(count == 3 + lines + 2 * links)
    }

    @Test("A row whose notification is the same keeps its texts, and has the present times") func kept() throws {
        var fixture = Self.page { $0.body = "A text." }
        let row = Fixture.row("1")
        var old = try #require(fixture.page.row(row))
        old.title = "Kept"
        #expect(fixture.page.row(row, after: old) == old)

        fixture.now += 300_000
        _ = fixture.send(.clock(0))
        let later = try #require(fixture.page.row(row, after: old))
        #expect(later.title == "Kept" && later.time == fixture.page.row(row)?.time && later.time != old.time)

        _ = fixture.send(.expand(row))
        #expect(fixture.page.row(row, after: old) == fixture.page.row(row))
        _ = fixture.send(.collapse(row))
        _ = fixture.send(.changed(account: "work", ids: ["1"]))
        let read = Fixture.notification("1", isRead: true) { $0.body = "A text." }
        _ = fixture.send(.listed(fixture.request("work", .these(["1"])), .notifications([read], problem: "")))
        let new = try #require(fixture.page.row(row, after: old))
        #expect(new == fixture.page.row(row) && new.title == "Nr 1" && !new.isUnread)
    }

    @Test(
        "The line below the text says what the sender adds, the category and the account",
        arguments: [
            (["", "", ""], ""), (["Keyboard shop", "", ""], "Keyboard shop"),
            (["", "orders", "work"], "orders · work"),
            (["Keyboard shop", "orders", "work"], "Keyboard shop · orders · work"),
        ]
    ) func facts(texts: [String], facts: String) {
        let notification = Fixture.notification("1") { ($0.subtext, $0.category) = (texts[0], texts[1]) }
        let accounts = texts[2].isEmpty ? ["work"] : [texts[2], "home"]
        let page = PageFixture(accounts.map { Fixture.account($0) }, [[notification]] + accounts[1...].map { _ in [] })
        #expect(page.page.row(Fixture.row("1"))?.facts == facts)
        #expect(page.page.row(Fixture.row("1"))?.group == (texts[1].isEmpty ? "suprsend" : texts[1]))
    }

    @Test("A search marks its words in title and text, and what has the same category or account can be listed")
    func found() throws {
        let list = [Fixture.notification("1") { ($0.title, $0.body, $0.category) = ("A <day>", "Days", "x<y") }]
        var page = PageFixture([Fixture.account("work"), Fixture.account("home")], [list, []])
        let row = Fixture.row("1")
        let plain = try #require(page.page.row(row))
        #expect(plain.titleMarkup == nil && plain.texts.first?.markup == nil && plain.facts == "x<y · work")
        #expect(
            plain.factsMarkup
                == "<a href=\"category\" title=\"\">x&lt;y</a> · <a href=\"account\" title=\"\">work</a>"
        )
        _ = page.send(.search("DAY"))
        page.answer("work", list, generation: 1)
        let found = try #require(page.page.row(row, after: plain))
        #expect(found.titleMarkup?.hasPrefix("A &lt;<span ") == true && found.title == "A <day>")
        #expect(found.texts.first?.markup?.hasSuffix(">Day</span>s") == true)

        _ = page.send(.filter(.category, like: row))
        #expect(page.page.query.category == "x<y" && page.page.label(of: .category) == "x<y")
        _ = page.send(.filter(.account, like: row))
        #expect(page.page.query.account == "work" && page.page.query.search == "DAY")
        #expect(page.page.spokenHeading == "Inbox, work, x<y")
        for filter in InboxPage.Filter.allCases { _ = page.send(.filter(filter, like: nil)) }
        #expect(page.page.query.category == nil && page.page.query.account == nil)
    }

    @Test("While a countdown runs, screen readers say the same of a row") func spokenCountdown() throws {
        var fixture = Self.page { ($0.expires, $0.isExpiryVisible) = (Fixture.now + 600_000, true) }
        let before = try #require(fixture.page.row(Fixture.row("1")))
        fixture.now += 5_000
        _ = fixture.send(.clock(0))
        let later = try #require(fixture.page.row(Fixture.row("1")))
        #expect(before.expiry?.text == "expires in 10:00" && later.expiry?.text == "expires in 9:55")
        #expect(before.spoken == later.spoken && later.spoken.contains("valid until"))
    }
}
