import Inbox
import Testing
import VisibleText

@Suite struct VisibleTextTests {
    /// Scalars that steer a terminal, turn the direction of writing, or are not seen.
    static let hidden: [Unicode.Scalar] =
        [
            0x00, 0x07, 0x08, 0x1B, 0x7F, 0x80, 0x90, 0x9B, 0x9C, 0x9D, 0x9F, 0xAD, 0x34F, 0x115F, 0x1160,
            0x17B4, 0x200B,
            0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2060, 0x2061, 0x2064, 0x2066, 0x2067, 0x2068,
            0x2069,
            0x206A, 0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFF, 0x1BCA0, 0x1D173, 0xE0001, 0xE0041,
            0xE007F,
        ].map { Unicode.Scalar($0)! }

    @Test("Controls and invisible characters are removed from every text that is read", arguments: hidden)
    func removes(_ scalar: Unicode.Scalar) {
        let text = "ab\(scalar)cd"
        #expect(VisibleText.line(text) == "abcd")
        #expect(VisibleText.lines(text) == "abcd")
        #expect(RichText(line: text).plain == "abcd")
        #expect(RichText(markup: text).plain == "abcd")
        #expect(RichText(markup: "**\(text)**").markup == "<b>abcd</b>")
        // The numbers of Windows-1252 are other characters.
        let isControl = !(0x80...0x9F).contains(scalar.value) || [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(scalar.value)
        #expect((RichText(markup: "ab&#\(scalar.value);cd").plain == "abcd") == isControl)
        #expect(RichText(markup: "<img alt='\(text)'>").plain == "abcd")
    }

    @Test(
        "Joiners and variation selectors stay where scripts and emoji need them",
        arguments: [
            "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}\u{200D}🔥", "1\u{FE0F}\u{20E3}", "#\u{FE0F}\u{20E3}", "می\u{200C}خواهم",
            "क\u{94D}\u{200D}ष",
            "葛\u{E0100}", "ᠠ\u{180E}ᠠ", "☎\u{FE0E}", "עברית", "العربية", "ไทย", "é", "e\u{301}", "🇨🇭", "한국어",
        ]
    ) func keeps(_ text: String) {
        #expect(VisibleText.line(text) == text)
        #expect(RichText(markup: text).plain == text)
        #expect(RichText(line: text).plain == text)
    }

    /// A direction without a scope: they change nothing but the order of what is beside them.
    @Test("Marks of the direction stay, once", arguments: ["\u{200E}", "\u{200F}", "\u{61C}"]) func marks(
        _ mark: String
    ) {
        for text in ["עברית\(mark) (1)", "\(mark)abc", "abc\(mark)", "a \(mark)b"] {
            #expect(VisibleText.line(text) == text)
            #expect(RichText(markup: text).plain == text && RichText(title: text).plain == text)
        }
        #expect(VisibleText.line("a\(mark)\(mark)\u{200B}\(mark)b\(mark)") == "a\(mark)b\(mark)")
        #expect(
            VisibleText.line("a\(mark)\u{200D}b\(mark)\u{FE0F}") == "a\(mark)b\(mark)",
            "they are joined to nothing"
        )
        #expect(RichText(markup: "a&#\(mark.unicodeScalars.first!.value);b").plain == "a\(mark)b")
        #expect(RichText(title: " \(mark) ").isEmpty)
    }

    @Test(
        "Joiners and variation selectors without effect are removed",
        arguments: [
            ("pay\u{200D}pal", "paypal"), ("\u{200D}x", "x"), ("a \u{200C}b", "a b"), ("a\u{FE0F}b", "ab"),
            ("\u{FE0F}", ""),
            ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"), ("ä\u{200D}\u{200D}b", "ä\u{200D}b"), ("ä\n\u{200D}b", "ä b"),
            ("&auml;&#8205;&#8205;b", "&auml;&#8205;&#8205;b"),
        ]
    ) func removesWithoutEffect(_ text: String, _ expected: String) {
        #expect(VisibleText.line(text) == expected)
    }

    @Test("Line ends and tabs become one space, or one line end") func lineEnds() {
        #expect(VisibleText.line("a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\th\u{B}i") == "a b c d e f g h i")
        #expect(VisibleText.lines("a\nb\r\nc\rd\u{85}e\u{2028}f\u{2029}g\th") == "a\nb\nc\nd\ne\nf\ng h")
    }
}
