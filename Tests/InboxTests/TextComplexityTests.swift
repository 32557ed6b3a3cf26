import Inbox
import TestSupport
import Testing

/// The work of reading a text is proportional to its length. Counted are the reads of a part of it.
@Suite struct TextComplexityTests {
    /// A text of a beginning, a unit that is repeated, and an end; about `length` scalars.
    struct Shape: CustomTestStringConvertible {
        var beginning = ""
        var unit: String
        /// The text that the second half repeats; empty: there is no second half.
        var second = ""
        var end = ""

        func text(_ length: Int) -> String {
            let half = second.isEmpty ? length : length / 2
            let first = String(repeating: unit, count: half / unit.unicodeScalars.count)
            let rest = second.isEmpty ? "" : String(repeating: second, count: half / second.unicodeScalars.count)
            return beginning + first + rest + end
        }

        func work(_ length: Int) -> Int { RichText.read(markup: text(length)).work }

        var testDescription: String { [beginning, unit, second, end].filter { !$0.isEmpty }.joined(separator: " · ") }
    }

    static let shapes: [Shape] =
        [
            "<!--", "<!-- -- >", "<", "<<a", "<a:", "<ab:x", "<b", "<b ", "<b '", "<b \"", "<b '\"", "<b \"''",
            "<img alt=", "</b",
            "<b>x</b>y", "<script", "<aaaaaaaaaaaaaaaaaaaaaaaa", "&", "&amp", "&#", "[", "](", "[](", "![", "[x](y)",
            "`", "` ", "*a ",
            "a* ", "**a ", "_a ", "~~a ", "*_**", "> ", "#", "# a\n", "- ", "-\n", "\n", " ", "---\n", "\\", "\\*", "a",
            "&lt;", "<b a=1 ", "<b a='x' ", "<b a=\"", "<a b='<a c=\"", "<title>", "</title>",
            "<style><script><svg><title>",
            "<p>", "a <p> ", "<ul>", "```\n", "~~~\n```\n", "```x\n", "```x` ", "&eacute;",
        ].map { Shape(unit: $0) } + [
            Shape(beginning: "<script>", unit: "<!--"), Shape(beginning: "<script>", unit: "</script"),
            Shape(beginning: "<p>", unit: "<!--"), Shape(unit: "<!--", end: "-->"), Shape(unit: "<!--", second: "-->"),
            Shape(unit: "<!-- -->", second: "<!--"), Shape(unit: "<b '", end: ">"),
            Shape(unit: "<img alt='", second: "\""),
            // Openers, then what closes none of them, and the other way round.
            Shape(unit: "[", second: "]("), Shape(unit: "[", second: "](a"), Shape(unit: "[", second: "](a)"),
            Shape(beginning: "[", unit: "](("), Shape(unit: " *a", second: "b*"), Shape(unit: " *a", second: "b_"),
            Shape(unit: "<b>x</b>y", second: "a* "), Shape(beginning: "*a ", unit: "<b>x</b>y", second: "a* "),
            Shape(unit: " *a", second: "**b** "), Shape(unit: " **a", second: "b** c"), Shape(unit: "*[](x)", end: "*"),
            Shape(unit: "<p>", second: " "), Shape(unit: "<td>", second: "<td> "),
            Shape(unit: "<ul><li>", second: "</li>"), Shape(unit: "<b>", second: "</b>"),
            Shape(unit: "<title>", second: "</title>"), Shape(unit: "`````x\n", second: "```\n"),
            Shape(unit: "~~~x\n", second: "```\n"), Shape(unit: "<title>", second: "</script>"),
            // Runs of backticks of all lengths.
            Shape(
                beginning: (1...100).map { String(repeating: "`", count: $0) }.joined(separator: " "),
                unit: "`` ",
                second: "` "
            ),
        ]

    @Test("Reading a text four times as long takes about four times the work", arguments: shapes)
    func isLinear(_ shape: Shape) {
        let (short, long) = (shape.work(4_000), shape.work(16_000))
        #expect(long <= short * 9 / 2 + 2_000, "\(short) for 4,000, \(long) for 16,000")
        #expect(long <= 16_000 * 20, "\(long) for 16,000")
    }

    @Test("The work for a text of any pieces is limited") func piecesOfAllKinds() {
        var random = SeededGenerator(seed: 15)
        let pieces = [
            "<!--", "-->", "<b ", "<b>", "</b>", "'", "\"", ">", "<", "&", "&amp;", ";", "*", "**", "_", "~~", "[",
            "](", ")", "(",
            "`", "``", "```\n", "~~~\n", "\n", "# ", "- ", "<p>", " a='", " b=\"", "<li>", "</p>", "<svg>", "<script>",
            "</script>", "x", " ", "\\", "<a:", "<img alt='",
        ]
        for _ in 0..<300 {
            func unit() -> String {
                (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
            }
            let shape = Shape(beginning: unit(), unit: unit(), second: unit(), end: unit())
            let work = shape.work(16_000)
            #expect(work <= 16_000 * 20, "\(shape.testDescription.debugDescription): \(work)")
        }
    }
}
