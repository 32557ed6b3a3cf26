import Testing
import Window

@Suite struct TextDirectionTests {
    @Test(
        "A text has the direction of its first letter or mark",
        arguments: [
            ("Order", false), ("שלום", true), ("العربية", true), ("12: שלום", true), ("(Order) שלום", false),
            ("שלום Order", true), ("\u{200F}Order", true), ("\u{200E}שלום", false), ("日本", false), ("", nil),
            ("12-34 …", nil), ("٣٤", nil), ("𞤀", true),
        ] as [(String, Bool?)]
    ) func direction(text: String, isRightToLeft: Bool?) {
        #expect(text.isRightToLeft == isRightToLeft)
    }
}
