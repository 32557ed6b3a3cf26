import DBus
import Testing

@testable import Sandbox

@Suite struct PopupDrawingTests {
    private func popup(_ call: RecordedNotification) throws -> TerminalPopup { try TerminalPopup(id: 3, call) }

    @Test("A popup is drawn as a box with title, text and buttons") func box() throws {
        let popup = try popup(
            RecordedNotification(
                appName: "Feedbell",
                summary: "New comment",
                body: "<b>Anna</b> wrote: a &lt; b &amp; c, and then some more words",
                actions: ["default", "Open", "read", "Mark as read"],
                hints: ["urgency": .byte(2)]
            )
        )
        #expect(
            PopupDrawing(width: 36).lines(popup) == [
                "┌─ 3 ── Feedbell ── critical ──────┐",
                "│ New comment                      │",
                "│ Anna wrote: a < b & c, and then  │",
                "│ some more words                  │",
                "│ [1] Open [2] Mark as read        │",
                "└──────────────────────────────────┘",
            ]
        )
        #expect(PopupDrawing(width: 36).summary(popup) == "3: New comment (Feedbell)")
    }

    @Test("Control characters are removed, and colors are used only on request")
    func colors() throws {
        let popup = try popup(
            RecordedNotification(appName: "A", summary: "\u{1B}[31mred\u{7}\u{202E}", body: "\u{9B}2J\r\n\t\u{0}")
        )
        #expect(!PopupDrawing().lines(popup).joined().contains("\u{1B}"))
        #expect(
            !PopupDrawing().lines(popup).joined().unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0 == "\u{202E}"
            }
        )
        #expect(
            PopupDrawing(usesColor: true).lines(popup)[1].contains("\u{1B}[1m[31mred\u{1B}[0m")
        )
    }

    @Test(
        "Markup is converted to plain text, and other text is unchanged",
        arguments: [
            ("plain", "plain"), ("a &amp;lt; b", "a &lt; b"), ("<i>x</i><u>y</u>", "xy"),
            ("<a href=\"http://x\">link</a>", "link"),
            ("<img src='a' alt='cat'/>!", "cat!"), ("<img src='a'/>", ""), ("<img alt=", "<img alt="),
            ("a<br/>b", "a\nb"),
            ("1 < 2 > 0", "1 < 2 > 0"),
            ("<script>x</script>", "<script>x</script>"), ("&#65;&#x42;&apos;", "AB'"),
            ("&nbsp; &; & &#xD800;", "&nbsp; &; & &#xD800;"), ("<b", "<b"),
            ("<", "<"), ("&", "&"), ("", ""), ("<img alt=>", ""),
        ]
    )
    func markup(_ body: String, _ plain: String) { #expect(TerminalText.fromMarkup(body) == plain) }

    @Test(
        "Text is wrapped at spaces, and long words are split",
        arguments: [
            ("", 5, [""]), ("abc", 5, ["abc"]), ("abc def", 5, ["abc", "def"]), ("abcdefgh", 5, ["abcde", "fgh"]),
            ("a\n\nb", 5, ["a", "", "b"]),
            ("a  b", 5, ["a b"]), ("ab cdefghi", 4, ["ab", "cdef", "ghi"]), ("abc", 0, ["a", "b", "c"]),
        ]
    )
    func wrapping(_ text: String, _ width: Int, _ lines: [String]) {
        #expect(TerminalText.wrap(text, width: width) == lines)
    }
}
