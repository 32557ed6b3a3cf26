import Glibc
import Testing

@testable import VisibleText

@Suite("Groups of digits") struct DigitGroupingTests {
    @Test(
        "A number is grouped from the right as the locale says",
        arguments: [
            // English, German, French, Hindi.
            (1_234_567, ",", [3, 3], "1,234,567"), (1234, ".", [3, 3], "1.234"),
            (12_345, "\u{202F}", [3], "12\u{202F}345"),
            (12_345_678, ",", [3, 2], "1,23,45,678"),
            (999, ",", [3], "999"), (1000, ",", [3], "1,000"), (0, ",", [3], "0"), (-1000, ",", [3], "-1,000"),
            (-100, ",", [3], "-100"), (Int.min, ",", [3], "-9,223,372,036,854,775,808"),
            // Without a separator or sizes, and with an end.
            (1_234_567, "", [3], "1234567"), (1_234_567, ",", [], "1234567"), (1_234_567, ",", [3, 0], "1234,567"),
            (1_234_567, ",", [-1], "1234567"),
        ]
    )
    func format(number: Int, separator: String, sizes: [Int], text: String) {
        #expect(DigitGrouping(separator: separator, sizes: sizes).format(number) == text)
    }

    @Test("The locale C.UTF-8 does not group") func plainLocale() throws {
        let locale = try #require(newlocale(1 << LC_NUMERIC, "C.UTF-8", nil))
        defer { freelocale(locale) }
        #expect(DigitGrouping(locale).format(1_234_567) == "1234567")
    }
}
