import AgentInterface
import TestSupport
import Testing

@testable import Window

/// Texts with markup: what the agent reports is read strictly, and what GTK gets is always well-formed.
@Suite struct StyledTextTests {
    private typealias Fixture = PageFixture

    @Test(
        "The agent's markup is shown with its styles and links",
        arguments: [
            ("Ends <b>soon</b> &amp; <i>now</i>", "Ends soon & now", "Ends <b>soon</b> &amp; <i>now</i>"),
            ("<b><i>both</i></b> <u>u</u>", "both u", "<b><i>both</i></b> <u>u</u>"),
            (
                "See <a href=\"https://a.example/?x=1&amp;y=2\">the <b>plan</b></a>.", "See the plan.",
                "See <a href=\"https://a.example/?x=1&amp;y=2\" title=\"https://a.example/?x=1&amp;amp;y=2\">the "
                    + "<b>plan</b></a>."
            ),
            ("<b>a</b>\u{202E}b\u{0007}", "ab", "<b>a</b>b"),
            ("  <b> x </b>  ", "x", "<b>x</b>"),
        ]
    )
    func shown(markup: String, plain: String, pango: String) throws {
        let text = try #require(StyledText(markup: markup)).tidied
        #expect(text.plain == plain && text.pango == pango)
    }

    @Test(
        "What is not as the agent's interface describes it is rejected",
        arguments: [
            "<b>x", "x</b>", "<b><i>x</b></i>", "<b><b>x</b></b>", "<blink>x</blink>", "<a>x</a>", "a < b", "a & b",
            "&nbsp;", "&#10;", "<a href='x'>y</a>", "<a href=\"x\" title=\"y\">z</a>", "<a href=\"x\"y\">z</a>",
            "<b >x</b >", "<b class=\"x\">y</b>", "<!-- x -->", "<span size=\"1\">x</span>",
            "<a href=\"<b>\">x</a>", "<", "</", "<>",
        ]
    )
    func rejected(markup: String) {
        #expect(StyledText(markup: markup) == nil)
    }

    @Test("A row shows the plain text instead of markup that is rejected, and escapes what looks like markup")
    func row() {
        func row(_ body: String, _ markup: String) -> RowContent? {
            let list = [Fixture.notification("1") { ($0.body, $0.markup) = (body, markup) }]
            return PageFixture([Fixture.account("work")], [list]).page.row(Fixture.row("1"))
        }
        let broken = row("a <b>b", "a &lt;b&gt;<b>b")
        #expect(broken?.texts == [RowContent.Text(StyledText(plain: "a <b>b"))])
        let styled = row("a <b>b", "a &lt;b&gt;<i>b</i>")
        #expect(styled?.texts.map(\.plain) == ["a <b>b"] && styled?.texts[0].markup == "a &lt;b&gt;<i>b</i>")
        let plain = row("a <b>b", "")
        #expect(plain?.texts == broken?.texts)
    }

    @Test(
        "The words of a search are marked where they begin a word, whatever their case and accents are",
        arguments: [
            ("Build 4711 failed in Main", "buil MAIN", ["Buil", "Main"]), ("Rebuild it", "build", []),
            ("Café in Łódź, Straße", "cafe lodz strass", ["Café", "Łódź", "Straß"]),
            ("E-mail to e.mail", "e-mail", ["E", "mail", "e", "mail"]), ("今日の会議は三時", "会議", ["会議"]),
            ("<b>ab</b>c &amp; abc", "abc", ["abc"]), ("All is done \u{1F389}!", "🎉", ["\u{1F389}"]), ("x", " - ", []),
        ]
    )
    func found(markup: String, search: String, found: [String]) throws {
        let text = try #require(StyledText(markup: markup))
        let marked = text.marked(StyledText.words(of: search))
        #expect(marked.runs.filter { $0.style.contains(.found) }.map(\.text) == found)
        #expect(marked.plain == text.plain)
    }

    @Test("What is marked keeps its style, its link and its escapes") func foundPango() throws {
        let text = try #require(StyledText(markup: "a <b>b &lt;b</b>")).marked(["b"])
        let mark = "<span background=\"#f5c211\" background_alpha=\"40%\"><b>b</b></span>"
        #expect(text.pango == "a \(mark)<b> &lt;</b>\(mark)")
    }

    @Test("A long text is cut within its styles, and blank lines are left out") func shortened() throws {
        let text = try #require(StyledText(markup: "one\n\n<b>two\nthree</b>\nfour")).tidied
        #expect(text.size == (4, 19))
        #expect(text.shortened(lines: 2, characters: 100).pango == "one\n<b>two</b>\u{A0}…")
        #expect(text.shortened(lines: 9, characters: 6).pango == nil)
        #expect(text.shortened(lines: 1, characters: 100).pango == nil)
    }

    @Test(
        "A text is cut between words, unless one is too long, and the mark stays beside the last one",
        arguments: [
            ("sales, which end soon", 9, "sales,"), ("sales, which end soon", 12, "sales, which"),
            ("sales, which end soon", 13, "sales, which"), ("sales, which end soon", 14, "sales, which"),
            ("one **two three** four", 9, "one two"), ("one\n\ntwo three", 6, "one"), ("one\ntwo", 3, "one"),
            ("one", 2, "on"), (String(repeating: "x", count: 60), 50, String(repeating: "x", count: 50)),
            ("a " + String(repeating: "x", count: 60), 50, "a " + String(repeating: "x", count: 48)),
            ("この文はとても長い。", 4, "この文は"),
        ]
    ) func words(text: String, limit: Int, shown: String) throws {
        let markup = text.replacing("**", with: "<b>", maxReplacements: 1).replacing("**", with: "</b>")
        let short = try #require(StyledText(markup: markup)).tidied.shortened(lines: 4, characters: limit)
        #expect(short.plain == shown + "\u{A0}…")
    }

    @Test("A press of a link is the agent's action for it, whichever part of the text is shown") func links() {
        let markup = "<a href=\"https://a.example\">a</a> <a href=\"https://b.example\">b</a>"
        let list = [Fixture.notification("1") { ($0.body, $0.markup) = ("a b", markup) }]
        var page = PageFixture([Fixture.account("work")], [list])
        let row = page.page.row(Fixture.row("1"))
        #expect(row?.action(ofTextLink: "https://b.example") == "text-2")
        #expect(row?.action(ofTextLink: "https://c.example") == nil)
        #expect(
            page.send(.press(Fixture.row("1"), link: "text-2"))
                == [.send(InboxRequest("work", .invoke("1", action: "text-2")))]
        )
    }

    @Test("Whatever the agent sends, GTK gets well-formed markup", arguments: [1, 2, 3, 4] as [UInt64])
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "<b>", "</b>", "<i>", "</i>", "<u>", "</u>", "<a href=\"", "\">", "</a>", "&amp;", "&lt;", "&gt;", "&quot;",
            "&", "<", ">", "\"", "'", "x", " ", "\n", "\u{0}", "\u{1}", "\u{202E}", "\u{301}", "é", "👩‍👩‍👧",
            "https://a.example/?x='\"", "javascript:alert(1)", "]]>", "<!--", "title=\"",
        ]
        let wholes = ["<b>bold</b>", "<a href=\"https://a.example\">link</a>", "<i><u>x\ny</u></i>"]
        var accepted = 0
        for _ in 0..<4_000 {
            var markup = ""
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                let source = Int.random(in: 0..<3, using: &random) == 0 ? parts : wholes
                markup += source.randomElement(using: &random) ?? ""
            }
            guard let text = StyledText(markup: markup)?.tidied else { continue }
            accepted += 1
            let short = text.shortened(
                lines: Int.random(in: 0..<4, using: &random),
                characters: Int.random(in: 0..<12, using: &random)
            )
            for text in [text, short] {
                guard let pango = text.pango else { continue }
                let fault = Self.fault(in: pango)
                #expect(fault == nil, "\(markup.debugDescription) became \(pango.debugDescription)")
            }
        }
        #expect(accepted > 400)
    }

    /// Why GTK would not read a label's markup, by rules of their own: nil: it does.
    private static func fault(in markup: String) -> String? {
        var open: [String] = []
        let entity = /&(amp|lt|gt|quot|apos|#39);/.matchingSemantics(.unicodeScalar)
        let tag = /<(\/?)(a|b|i|u)((?: [a-z]+="[^"<]*")*)>/.matchingSemantics(.unicodeScalar)
        var rest = markup[...]
        while !rest.isEmpty {
            if let match = rest.prefixMatch(of: entity) {
                rest = rest[match.range.upperBound...]
            } else if let match = rest.prefixMatch(of: tag) {
                let name = String(match.output.2)
                if match.output.1.isEmpty { open.append(name) } else if open.popLast() != name { return "nesting" }
                if match.output.3.replacing(entity, with: "").contains("&") { return "attribute" }
                rest = rest[match.range.upperBound...]
            } else {
                let first = rest.unicodeScalars.removeFirst()
                if "<&\0".unicodeScalars.contains(first) { return "text" }
            }
        }
        return open.isEmpty ? nil : "an open element"
    }
}
