import AgentInterface
import Testing

@testable import Window

/// Texts that GTK lays out in a short time, whatever others write: long words can be broken, and long texts come in
/// parts.
@Suite struct LineBreaksTests {
    private typealias Fixture = PageFixture

    private static func word(_ part: String, _ scalars: Int) -> String {
        String(repeating: part, count: scalars / part.unicodeScalars.count)
    }

    /// The number of scalars of the longest part in which GTK cannot break a line.
    private static func longestPart(_ text: String) -> Int {
        text.unicodeScalars.split { $0 == "\u{200B}" || $0 == " " || $0 == "\n" }.map(\.count).max() ?? 0
    }

    @Test(
        "A long word of any letters can be broken after 60 of them at the latest",
        arguments: ["x", "א", "é", "x\u{A0}", "ー", "\u{301}", "x\u{301}\u{302}", "क्", "👩‍👩‍👧", "-"]
    )
    func longWords(part: String) {
        let text = Self.word(part, 20_000)
        let marks = RowContent.Text(StyledText(plain: text, limit: 4_000).tidied.breakable)
        // Characters that may be one indefinitely long character are broken later.
        #expect(Self.longestPart(marks.plain) <= (["\u{301}", "क्"].contains(part) ? 120 : 66))
        #expect(marks.plain.filter { $0 != "\u{200B}" }.unicodeScalars.count >= 2_000, "nothing is lost")
        for line in [text.nameLine, text.sentenceLine, text.line(LineLimit.address)] {
            #expect(Self.longestPart(line) <= 120 && line.unicodeScalars.count < 1_100)
        }
    }

    @Test("A word that changes its style with each letter can be broken, too") func styledWord() throws {
        let markup = String(repeating: "<b>x</b>y", count: 500)
        let text = try #require(StyledText(markup: markup)).breakable
        #expect(Self.longestPart(text.plain) == 60)
    }

    @Test("ASCII letters get the same places to break as others") func ascii() {
        var (ascii, others) = (LineBreaks(), LineBreaks())
        let words = (0..<400).map { String(repeating: "x", count: $0 % 130) }
        for start in stride(from: 0, to: 400, by: 7) {
            let text = words[start..<min(start + 7, 400)].joined(separator: start % 2 == 0 ? " " : "\n")
            let broken = others.added(to: text.replacing("x", with: "é"))
            #expect(ascii.added(to: text) == broken.replacing("é", with: "x"))
        }
    }

    @Test("A line whose beginning has nothing to show says that it goes on") func emptyBeginning() {
        let text = "a" + String(repeating: "\u{1}", count: 5_000) + "b"
        #expect(text.nameLine == "a…")
        #expect(String(repeating: "x", count: 100).nameLine.count == 101, "with a place to break")
    }

    @Test(
        "What people write is not changed",
        arguments: [
            String(repeating: "x", count: 60), "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
            "https://ci.example.com/projects/feedbell/builds/17?log=1", "漢字" + String(repeating: "漢字", count: 400),
            "การประชุมประจำเดือนของฝ่ายพัฒนาซอฟต์แวร์จะจัดขึ้นในวันพรุ่งนี้เวลาเก้าโมงเช้าที่ห้องประชุมใหญ่ชั้นสาม",
            String(repeating: "A line of words. ", count: 500), "",
        ]
    )
    func usualWords(text: String) { #expect(text.breakable == text) }

    @Test(
        "The beginning of a text ends between characters",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("e\u{301}e\u{301}", 3, "e\u{301}…"), ("a👩‍👩‍👧b", 4, "a…"),
            ("e" + String(repeating: "\u{301}", count: 9), 4, "e\u{301}\u{301}…"), ("", 3, ""),
        ]
    )
    func beginning(text: String, limit: Int, expected: String) { #expect(text.beginning(limit) == expected) }

    // MARK: Parts

    @Test(
        "Each part of a text has a length, a number of lines and of styles that a label lays out at once",
        arguments: [
            ("x", 60_000), ("a word ", 60_000), ("x\n", 20_000), ("\n", 60_000), ("\u{301}", 20_000), ("漢", 20_000),
        ]
    )
    func parts(piece: String, count: Int) {
        let text = Self.word(piece, count) + "x"
        let parts = StyledText(plain: text).tidied.breakable.parts
        for part in parts {
            #expect(part.plain.unicodeScalars.count <= StyledText.partLength + 2 * LineBreaks.limit)
            #expect(part.plain.count { $0 == "\n" } <= StyledText.partLines)
        }
        func letters(_ text: String) -> Int {
            text.unicodeScalars.count { $0 != "\u{200B}" && !$0.properties.isWhitespace }
        }
        #expect(parts.map { letters($0.plain) }.reduce(0, +) == letters(text))
    }

    @Test("A part has at most 300 styles and links, and its links are those of the text") func styledParts() throws {
        let markup = (0..<1_000).map { "<a href=\"https://a.example/\($0)\">x</a> " }.joined()
        let parts = try #require(StyledText(markup: markup)).parts
        #expect(parts.allSatisfy { $0.runs.count <= StyledText.partRuns } && parts.count > 5)
        #expect(parts.flatMap(\.runs).compactMap(\.link) == Array(0..<1_000))
    }

    // MARK: Rows

    private static func page(_ body: String, _ change: (inout NotificationRecord) -> Void = { _ in }) -> PageFixture {
        let notification = Fixture.notification("1") {
            $0.body = body
            change(&$0)
        }
        return PageFixture([Fixture.account("work")], [[notification]])
    }

    @Test("A text is shown part after part, and then only its beginning again", arguments: [false, true])
    func expanding(byKey: Bool) {
        let text = (1...2_000).map { "Word \($0)" }.joined(separator: " ")
        var page = Self.page(text)
        let row = Fixture.row("1")
        _ = page.send(.select([row]))
        var counts: [Int] = []
        while page.page.row(row)?.hasMore == true, counts.count < 20 {
            counts.append(page.page.row(row)?.texts.count ?? 0)
            _ = page.send(byKey ? .key(.character("x")) : .expand(row))
        }
        #expect(counts == [1, 1, 2, 3, 4] && page.page.row(row)?.texts.count == 5)
        #expect(page.page.row(row)?.texts.map(\.plain).joined(separator: " ") == text)
        _ = page.send(byKey ? .key(.character("x")) : .collapse(row))
        let content = page.page.row(row)
        #expect(content?.isExpanded == false && content?.texts.map(\.plain.count) == [280])
    }

    @Test("At most eight parts are shown, the last ones") func manyParts() {
        var page = Self.page((1...20_000).map { "\($0)" }.joined(separator: " "))
        let row = Fixture.row("1")
        for _ in 0..<100 { _ = page.send(.expand(row)) }
        let content = page.page.row(row)
        #expect(content?.texts.count == 8 && content?.texts.last?.plain.hasSuffix(" 20000") == true)
        #expect(content?.hasMore == false)
    }

    @Test("No label, tooltip or text for screen readers of a row is longer than its limit") func limits() throws {
        let long = Self.word("x", 100_000)
        let markup = "<a href=\"https://a.example/\(Self.word("y", 8_000))\">\(long)</a>"
        let page = Self.page(long) {
            ($0.title, $0.subtext, $0.category, $0.markup) = (long, long, long, markup)
            $0.actions = (0..<50).map { number in
                var action = NotificationActionRecord()
                (action.id, action.label, action.url) = ("\(number)", number == 0 ? "" : long, "https://\(long)")
                return action.values
            }
        }
        let content = try #require(page.page.row(Fixture.row("1")))
        #expect(content.links.count == 8)
        let texts = [content.title, content.details, content.source] + content.links.flatMap { [$0.label, $0.url] }
        #expect(texts.allSatisfy { $0.unicodeScalars.count <= 210 && Self.longestPart($0) <= 60 })
        #expect(content.texts.map(\.plain.count) == [282])
        #expect(content.spoken.count < 1_000)
        let tooltip = try #require(content.texts[0].markup).split(separator: "title=\"")[1].prefix { $0 != "\"" }
        #expect(tooltip.count == LineLimit.address)
    }

    @Test("The menu has at most 100 categories") func categories() {
        let list = (0..<300).map { number in Fixture.notification("\(number)") { $0.category = "category \(number)" } }
        #expect(PageFixture([Fixture.account("work")], [list]).page.categories.count == 100)
    }

    // MARK: Actions of other programs

    @Test("An action of an unknown account, or with a text that cannot be a name, is ignored") func actions() {
        #expect(WindowAction(name: "sign-in", texts: [Self.word("x", 100_000)]) == nil)
        #expect(WindowAction(name: "show", texts: ["work", Self.word("x", 2_000)]) == nil)
        let (known, unknown) = (WindowAction.signIn(account: "work"), WindowAction.findProblems(account: "other"))
        var requested = RequestedActions()
        #expect(requested.admit(unknown) == nil && requested.admit(known) == nil, "no account is known")
        #expect(requested.accountsAre(["home", "work"]) == known)
        #expect(requested.accountsAre(["home", "work"]) == nil, "it is performed once")
        #expect(requested.admit(unknown) == nil && requested.admit(known) == known)
        let show = WindowAction.show(account: "other", id: "1")
        #expect(requested.admit(show) == show, "the inbox waits for the account")
    }
}
