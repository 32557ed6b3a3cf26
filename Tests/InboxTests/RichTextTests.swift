import Inbox
import TestSupport
import Testing

@Suite struct RichTextTests {
    static let texts: [(source: String, markup: String)] = [
        ("plain", "plain"),
        ("AT&T <3 a < b and c > d tail", "AT&amp;T &lt;3 a &lt; b and c &gt; d tail"),
        ("Tonight **22:00 UTC**", "Tonight <b>22:00 UTC</b>"),
        ("*it* _too_ __bold__ ***both***", "<i>it</i> <i>too</i> <b>bold</b> <b><i>both</i></b>"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2<i>3</i>4"),
        ("2 * 3 * 4 and **open", "2 * 3 * 4 and **open"),
        ("~~gone~~ `a*b*` ``x`y``", "gone a*b* x`y"),
        ("[docs](https://example.com/a_(b)) ![logo](x.png)", "docs logo"),
        ("![](https://example.com/a.png)", "Picture"), ("<p><img src='x'></p>", "Picture"),
        ("[![](/a.png)](https://example.com) ![](/b.png)", "Picture"), ("Look: ![](/a.png)", "Look:"),
        ("[no link] [half](open ![image", "[no link] [half](open ![image"),
        ("# Title\ntext", "<b>Title</b>\ntext"),
        ("- one\n* two\n+ three\n1. four", "• one\n• two\n• three\n1. four"),
        ("> quoted\n---\nafter", "quoted\nafter"),
        ("a\n\n\n\nb  \n", "a\n\nb"),
        ("\\*literal\\* \\a", "*literal* \\a"),
        ("<https://example.com> Banana <banana@example.com>", "https://example.com Banana &lt;banana@example.com&gt;"),
        ("<b>bold</b> <strong>too</strong> <u>u</u>", "<b>bold</b> <b>too</b> <u>u</u>"),
        ("<p>One &amp; two</p>\n<p>three<br/>four</p>", "One &amp; two\nthree\nfour"),
        ("<ul><li>a</li><li>b</li></ul>", "• a\n• b"),
        ("<h2>Head</h2><div>body</div>", "<b>Head</b>\nbody"),
        ("<script>alert(1)</script><p>x</p><!-- c -->y", "x\ny"),
        ("<img src='http://x/y.png' alt='cat'> <p>z</p>", "cat\nz"),
        ("<blink>x</blink> &unknown; &#x1F600; &#39; &nbsp;|", "&lt;blink&gt;x&lt;/blink&gt; &amp;unknown; 😀 '  |"),
        ("<b onclick=\"x>y\">q</b>", "<b>q</b>"),
        ("a\u{0}b\u{1b}[31mc\u{202e}d\r\ne\tf", "ab[31mcd\ne f"),
        ("&#0; &#xD800; &#x110000; &#1;x", " &amp;#xD800; &amp;#x110000; x"),
        ("**one**<br>\n*two*<br/>three", "<b>one</b>\n<i>two</i>\nthree"),
        ("", ""),
    ]

    /// Tags whose element does not end, or whose attributes are none, are words.
    static let mentions = [
        "Fix <title> tag in the header, then deploy.", "feat: add <svg> icon (#42)", "if a<b and c>d then stop",
        "if a<b and c>d then </b>", "Map<a, b> and List<String>", "<name> <foo@example.com>", "x<b>y",
        "</b></b>x</title>",
        "Fix <p> spacing, and <td>", "Wrap it in (<p>).", "<div>x", "the <img> tag", "Add <li> to <ul>", "a <hr> b",
        "<b x y>z</b>", "<b =x>z</b>", "<b x=>z</b>", "<a href=\"x>y</a>", "<b/x>", "</b x>", "a < b > c", "<script>x",
        "<!-- x", "<1>", "<b", "<",
    ]

    @Test("What is no tag stays in the text", arguments: mentions) func words(_ text: String) {
        let isPlain = RichText(markup: text).runs.allSatisfy { $0.style.isEmpty }
        #expect(isPlain)
        #expect(RichText(markup: text).plain == text)
    }

    static let elements: [(source: String, markup: String)] = [
        ("<b>x</b> <i>y", "<b>x</b> &lt;i&gt;y"), ("<B CLASS=x id='y' hidden>q</B >", "<b>q</b>"),
        ("<b>a<i>b</b>c</i>", "<b>a</b><b><i>b</i></b><i>c</i>"), ("<p>One<p>Two", "One\nTwo"), ("a.<p>b", "a.\nb"),
        ("a.<p> b", "a.\nb"), ("a<br></p><p>b</p>", "a\nb"), ("<ul><li>a<li>b</ul>", "• a\n• b"),
        ("<table><tr><td>a<td>b</table>", "a b"), ("<img alt src=x> <p>x</p>", "x"), ("<img src=x.png>y", "y"),
        ("<title>Not <b>this</title>but</b> this", "but&lt;/b&gt; this"),
        ("<script>if (a<b) x = '<p>'</script>y", "y"), ("<style>p > b {}</style>x <svg><title>y</title></svg>z", "x z"),
        ("`<b>x</b>` is **bold**", "&lt;b&gt;x&lt;/b&gt; is <b>bold</b>"),
        ("`<p>` and <b>`</b>`</b>", "&lt;p&gt; and <b>&lt;/b&gt;</b>"),
        ("```html\n<title>x</title> *a*\n```\n# b", "&lt;title&gt;x&lt;/title&gt; *a*\n<b>b</b>"),
        ("~~~~\n~~~\n<b>x</b>\n~~~~", "~~~\n&lt;b&gt;x&lt;/b&gt;"), ("```x``` <b>y</b>", "x <b>y</b>"),
        ("```\n<b>x</b> **y**", "<b>x</b> <b>y</b>"), ("---\n# a", "<b>a</b>"),
        ("<p>It`s</p><p>that`s</p>", "It`s\nthat`s"), ("\\<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("<a title=\"a href='/x' \">y</a>", "y"), ("one<br> two <br>three", "one\ntwo\nthree"),
    ]

    @Test("A tag counts if its element ends, or HTML lets the end be left out", arguments: elements)
    func tags(_ text: (source: String, markup: String)) { #expect(RichText(markup: text.source).markup == text.markup) }

    @Test("A tag of a text that is cut counts without its end") func cut() {
        let text = "<div><b>" + String(repeating: "a ", count: 20_000)
        #expect(RichText(markup: text).plain.hasPrefix("a a "))
    }

    @Test(
        "The character references of HTML 4 and the numbers of Windows-1252 are decoded, in titles, too",
        arguments: [
            ("Informaci&oacute;n", "Información"), ("f&ecirc;te", "fête"), ("No&euml;l", "Noël"), ("It&#146;s", "It’s"),
            ("&#x80; &#128; &#159;", "€ € Ÿ"), ("&Aacute;&aacute;&Dagger;&dagger;&thetasym;", "Áá‡†ϑ"),
            ("a&nbsp;b&ensp;c&thinsp;d", "a b c d"), ("&yuml;&OElig;&diams;&apos;&quot;", "ÿŒ♦'\""),
            ("&Yacute &x;", "&Yacute &x;"),
            ("Tom &amp; Jerry", "Tom & Jerry"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("R&D & co", "R&D & co"),
        ]
    )
    func references(_ text: String, _ expected: String) {
        #expect(RichText(markup: text).plain == expected)
        #expect(RichText(title: text).plain == expected)
    }

    @Test("A title is one line without controls also where references stand for them") func titleControls() {
        #expect(RichText(title: "a&#10;b&#x202E;c &lt;b&gt;&#27;[1m&#129;").plain == "a bc <b>[1m")
        #expect(RichText(title: String(repeating: "&amp;", count: 20_000)).plain.utf8.count <= 16_384)
    }

    @Test("Text is rendered as the markup of popups", arguments: texts) func rendersMarkup(
        _ text: (source: String, markup: String)
    ) {
        #expect(RichText(markup: text.source).markup == text.markup)
    }

    @Test(
        "Links are kept where their addresses are accepted",
        arguments: [
            ("See [the **plan**](https://a.example/?x=1&amp;y=2).", "See <L>the <b>plan</b></L>."),
            ("<https://a.example/?x=1&y=2>!", "<L>https://a.example/?x=1&amp;y=2</L>!"),
            ("<p>Hi <a href=\"https://a.example/?x=1&amp;y=2\">you</a> all</p>", "Hi <L>you</L> all"),
            ("<a href='https://a.example/?x=1&y=2'>a <a href='/b'>b</a> c</a>", "<L>a </L>b c"),
            ("[a [b](https://a.example/?x=1&y=2) c](/d)", "a <L>b</L> c"),
            ("</a>x [](https://a.example/?x=1&y=2) ![i](https://a.example/?x=1&y=2)", "&lt;/a&gt;x  i"),
        ]
    )
    func links(source: String, markup: String) {
        let link = "<a href=\"https://a.example/?x=1&amp;y=2\">"
        let rich = RichText(markup: source)
        let expected = markup.replacing("<L>", with: link).replacing("</L>", with: "</a>")
        #expect(rich.markup { $0.hasPrefix("https:") ? $0 : nil } == expected)
        #expect(rich.markup == markup.replacing("<L>", with: "").replacing("</L>", with: ""))
    }

    @Test("A shortened text keeps its links") func shortenedLink() {
        let rich = RichText(markup: "**Look** at [the long plan](https://a.example) now").shortened(to: 16)
        #expect(rich.markup { $0 } == "<b>Look</b> at <a href=\"https://a.example\">the…</a>")
        let lines = RichText(markup: "[a\nb](https://a.example)").splitFirstLine()
        #expect(lines.rest.markup { $0 } == "<a href=\"https://a.example\">b</a>")
    }

    @Test("Plain text has neither tags nor entities") func plain() {
        #expect(RichText(markup: "**Fish** &amp; <i>chips</i>").plain == "Fish & chips")
    }

    @Test("A line has neither markup nor line ends") func line() {
        #expect(RichText(line: " **a**\n<b>b</b>\t c\u{7} ").plain == "**a** <b>b</b> c")
    }

    @Test(
        "A long text is truncated and ends with an ellipsis",
        arguments: [
            (String(repeating: "a", count: 300), 10, "aaaaaaaaa…"),
            ("short", 10, "short"),
            ("exactly ten", 11, "exactly ten"),
        ]
    ) func truncates(_ text: String, _ limit: Int, _ expected: String) {
        #expect(RichText(line: text).truncated(to: limit).plain == expected)
    }

    @Test("A character with very many combining marks is truncated") func combiningMarks() {
        let zalgo = "e" + String(repeating: "\u{301}", count: 10_000) + "nd"
        #expect(RichText(line: zalgo).truncated(to: 100).plain.unicodeScalars.count <= 801)
    }

    /// Whatever arrives, the result is well-formed: the only tags are ours, balanced, and no character is left that a
    /// server could take for markup.
    @Test("Hostile texts become well-formed markup") func hostileTexts() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "<b>", "</b>", "<", ">", "&", "&amp;", "&#", ";", "**", "*", "_", "[", "](", ")", "`", "\n", "<p>", "</p>",
            "x", " ",
            "<script>", "</script", "<!--", "-->", "\"", "'", "\u{202e}", "\u{0}", "é", "# ", "- ", "~~", "\\",
            "<a href='",
        ]
        for _ in 0..<3_000 {
            let source = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let markup = RichText(markup: source).markup
            #expect(isWellFormed(markup), "\(source.debugDescription) became \(markup.debugDescription)")
        }
    }

    @Test("Huge texts are limited") func hugeTexts() {
        for unit in ["a", "<b>", "**", "[", "&", "`", "<", "*a "] {
            let rich = RichText(markup: String(repeating: unit, count: 100_000))
            #expect(rich.plain.unicodeScalars.count <= 20_000)
        }
    }

    private func isWellFormed(_ markup: String) -> Bool {
        var open: [Substring] = []
        var rest = markup[...]
        while let start = rest.firstIndex(where: { $0 == "<" || $0 == ">" || $0 == "&" }) {
            rest = rest[start...]
            if rest.first == "&" {
                guard let entity = ["&amp;", "&lt;", "&gt;"].first(where: rest.hasPrefix) else { return false }
                rest = rest.dropFirst(entity.count)
            } else if let tag = ["<b>", "<i>", "<u>"].first(where: rest.hasPrefix) {
                open.append(tag.dropFirst())
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("</"), let last = open.popLast(), rest.dropFirst(2).hasPrefix(last) {
                rest = rest.dropFirst(4)
            } else {
                return false
            }
        }
        return open.isEmpty
    }
}
