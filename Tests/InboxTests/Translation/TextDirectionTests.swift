import Testing
import VisibleText

@Suite("Direction of text") struct TextDirectionTests {
    @Test(
        "The first letter has the direction of a text",
        arguments: [
            ("News", .leftToRight), ("… 5: Ünï", .leftToRight), ("日本", .leftToRight), ("हिन्दी", .leftToRight),
            ("שלום", .rightToLeft), ("5 مرحبا News", .rightToLeft), ("ܫܠܡܐ", .rightToLeft), ("𞤀𞤁", .rightToLeft),
            ("ﷺ", .rightToLeft), ("", nil), ("5 + {}", nil), ("👍🏽…", nil), ("٣", nil),
            ("\u{200F}1 News", .rightToLeft), ("\u{61C}1", .rightToLeft), ("\u{200E}שלום", .leftToRight),
        ] as [(String, TextDirection?)]
    )
    func direction(text: String, direction: TextDirection?) {
        #expect(TextDirection(of: text) == direction)
    }

    @Test("An isolated text has no columns more on a terminal") func columns() {
        #expect("שלום".isolated(in: .leftToRight).columns == 4)
        #expect("שלום".isolated(in: .leftToRight) != "שלום")
        #expect("שלום".isolated(in: .rightToLeft) == "שלום")
        #expect("News".isolated(in: .rightToLeft) == "\u{2068}News\u{2069}")
    }

    @Test("Controls of a service's text are removed, so they do not reach the message around it") func controls() {
        let hostile = "\u{202E}evil\u{2067}\u{202D}\u{2066} text"
        #expect(VisibleText.line(hostile) == "evil text")
        #expect(VisibleText.line(hostile, keepsIsolates: true) == "evil text")
        #expect("a\u{2069}\u{202E}שלום\u{2068}".isolated(in: .leftToRight) == "\u{2068}aשלום\u{2069}")
    }

    @Test(
        "Only isolates in pairs stay",
        arguments: [
            ("\u{2068}א\u{2069} and \u{2068}ב\u{2069}", true), ("א", true), ("\u{2068}\u{2069}", true),
            ("\u{2068}א", false), ("א\u{2069}", false), ("\u{2069}א\u{2068}", false),
            ("\u{2068}\u{2068}א\u{2069}\u{2069}", false), ("\u{2068}א\u{2069}\u{2069}", false),
        ]
    )
    func pairs(text: String, stay: Bool) {
        let bare = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !["\u{2068}", "\u{2069}"].contains($0) })
        )
        #expect(VisibleText.line(text, keepsIsolates: true) == (stay ? text : bare))
        #expect(VisibleText.lines(text, keepsIsolates: true) == (stay ? text : bare))
        #expect(VisibleText.line(text) == bare)
    }
}
