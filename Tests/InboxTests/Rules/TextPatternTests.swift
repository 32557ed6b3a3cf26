import Inbox
import TestSupport
import Testing

@Suite struct TextPatternTests {
    @Test(
        "A glob matches whole texts, in any case",
        arguments: [
            ("ci", "ci", true), ("ci", "CI", true), ("CI", "ci", true), ("ci", "ci2", false), ("ci", "", false),
            ("*", "", true), ("*", "a\nb", true), ("ci*", "ci", true), ("ci*", "ci-main", true), ("ci*", "a ci", false),
            ("*failed*", "Build 7 Failed!", true), ("*failed*", "Build 7 passed", false), ("?", "a", true),
            ("?", "", false), ("?", "ab", false), ("??", "ab", true), ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false), ("**a", "a", true), ("\\*", "*", true), ("\\*", "x", false), ("\\?", "?", true),
            ("\\\\", "\\", true), ("\\/x/", "/x/", true), ("a.b", "a.b", true), ("a.b", "axb", false),
            ("[a]", "[a]", true), ("(a|b)", "a", false), ("ÄPFEL*", "äpfel und Birnen", true), ("*日本*", "東京、日本", true),
            ("?", "😀", true), ("straße", "STRASSE", false), ("Σ", "σ", true),
        ]
    )
    func globs(_ pattern: String, _ text: String, _ matches: Bool) throws {
        #expect(try TextPattern(pattern).matches(PatternText(text)) == matches)
    }

    @Test(
        "A regular expression matches parts of texts",
        arguments: [
            ("/ci/", "a ci job", true), ("/ci/", "CI", false), ("/ci/i", "CI", true), ("/CI/i", "ci", true),
            ("/^ci$/", "ci", true), ("/^ci$/", "ci ", false), ("/^$/", "", true), ("/^$/", "a", false),
            ("/a.c/", "xabcx", true), ("/a.c/", "a\nc", true), ("/ab*c/", "ac", true), ("/ab+c/", "ac", false),
            ("/ab+c/", "abbbc", true), ("/^ab?c$/", "abc", true), ("/^ab?c$/", "abbc", false),
            ("/^(ab|cd|)e$/", "cde", true), ("/^(ab|cd|)e$/", "e", true), ("/^(ab|cd|)e$/", "abcde", false),
            ("/^(?:ab)+$/", "abab", true), ("/^a{3}$/", "aaa", true), ("/^a{3}$/", "aa", false),
            ("/^a{2,3}$/", "aaa", true), ("/^a{2,3}$/", "aaaa", false), ("/^a{2,}$/", "aaaaa", true),
            ("/^a{0}$/", "", true), ("/^a{0,2}b$/", "b", true), ("/[a-c]x/", "bx", true), ("/[a-c]x/", "dx", false),
            ("/[^a-c]x/", "dx", true), ("/[^a-c]x/", "bx", false), ("/[A-C]/i", "b", true), ("/[^A-C]/i", "b", false),
            ("/^[]a]$/", "]", true), ("/^[a-]$/", "-", true), ("/^[\\d-]+$/", "1-2", true),
            ("/^[\\]\\\\]+$/", "]\\", true),
            ("/^\\d+$/", "0123", true), ("/^\\d$/", "٣", false), ("/^\\w+$/", "Ärger_1", true), ("/^\\w$/", "-", false),
            ("/^\\s$/", "\u{3000}", true), ("/^\\S\\D\\W$/", "aa-", true), ("/^\\t\\n$/", "\t\n", true),
            ("/a\\.b/", "a.b", true), ("/a\\.b/", "axb", false), ("/a/b/", "a/b", true), ("/^a*?$/", "aaa", true),
            ("/^a+?$/", "", false), ("/^.{3}$/", "日本語", true), ("/É/i", "é", true), ("/x|^a$|y/", "a", true),
            ("/()/", "", true), ("/(|)/", "x", true), ("/(a*)*b/", "aab", true), ("/(a|aa)+$/", "aaa", true),
            ("/ci/ ", "ci", nil), ("/#\\d{2,} (opened|closed)$/", "Issue #421 closed", true),
        ]
    )
    func regularExpressions(_ pattern: String, _ text: String, _ matches: Bool?) throws {
        guard let matches else {
            #expect(throws: TextPattern.Mistake.self) { try TextPattern(pattern) }
            return
        }
        #expect(try TextPattern(pattern).matches(PatternText(text)) == matches)
    }

    @Test(
        "A mistake in a pattern is explained",
        arguments: [
            ("", "It is empty."), (String(repeating: "a", count: 257), "It has more than 256 characters."),
            ("a\\", "It ends with \\, which needs a character after it."), ("//", "The regular expression is empty."),
            ("//i", "The regular expression is empty."),
            ("/", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/usr/bin", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/a/x", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/(a/", "It has a ( without a )."), ("/a)/", "It has a ) without a (."),
            ("/[a/", "It has a [ without a ]."),
            ("/[]/", "It has a [ without a ]."), ("/[z-a]/", "A range in its brackets ends before it begins."),
            ("/*a/", "A * in it has nothing to repeat. Write \\* for the character."),
            ("/a|+/", "A + in it has nothing to repeat. Write \\+ for the character."),
            ("/a**/", "A * in it follows another repetition. Put the first one in parentheses."),
            ("/a{2}{2}/", "A { in it follows another repetition. Put the first one in parentheses."),
            ("/a{/", "Braces in it are {n}, {n,} or {n,m}, at most 100. Write \\{ for the character."),
            ("/a{3,2}/", "Braces in it are {n}, {n,} or {n,m}, at most 100. Write \\{ for the character."),
            ("/a{101}/", "Braces in it are {n}, {n,} or {n,m}, at most 100. Write \\{ for the character."),
            (
                "/a{99999999999999999999}/",
                "Braces in it are {n}, {n,} or {n,m}, at most 100. Write \\{ for the character."
            ),
            ("/((a{100}){100}){100}/", "Its repetitions are too many. Use smaller numbers."),
            ("/(?=a)/", "Of the groups that begin with (? it can have (?:…) only."),
            ("/\\1/", "\\1 in it is unknown. There are \\d, \\w, \\s, \\D, \\W, \\S, \\n and \\t."),
            ("/a\\/", "It ends with \\, which needs a character after it."),
            (
                "/" + String(repeating: "(", count: 40) + String(repeating: ")", count: 40) + "/",
                "Its groups are nested more than 32 deep."
            ),
        ]
    )
    func mistakes(_ pattern: String, _ sentence: String) {
        let mistake = #expect(throws: TextPattern.Mistake.self) { try TextPattern(pattern) }
        #expect(mistake?.sentence == sentence)
    }

    /// A matcher that backtracks would not end.
    @Test(
        "Patterns that make others backtrack end on long texts",
        .timeLimit(.minutes(1)),
        arguments: [
            ("/(a*)*b/", 100_000), ("/(a|aa)+$x/", 100_000), ("*a*a*a*b", 100_000), ("/(a+)+(a+)+b/", 20_000),
            ("/(.*)(.*)(.*)b/", 20_000), ("/(a?){30}a{30}b/", 5_000),
        ]
    )
    func hostileTexts(_ pattern: String, _ length: Int) throws {
        let long = PatternText(String(repeating: "a", count: length))
        let (isMatch, steps) = try TextPattern(pattern).search(long)
        #expect(!isMatch && steps <= 130 * (length + 1), "\(steps) steps")
        #expect(try TextPattern(pattern == "*a*a*a*b" ? "*a*a*" : "/a$/").matches(long))
    }

    /// The steps of a glob, found by recursion.
    private static func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return (text.startIndex...text.endIndex).contains { matches(pattern.dropFirst(), text[$0...]) }
        }
        guard let next = text.first, first == "?" || first == next else { return false }
        return matches(pattern.dropFirst(), text.dropFirst())
    }

    @Test("Random globs match as a recursive definition says", arguments: [UInt64(1), 2, 3])
    func randomGlobs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in "ab*?".randomElement(using: &random)! }
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab".randomElement(using: &random)! }
            let expected = Self.matches(pattern[...], text[...])
            let found = try TextPattern(String(pattern)).matches(PatternText(String(text)))
            #expect(found == expected, "\(String(pattern)) on \(String(text)), seed \(seed)")
        }
    }

    /// The same patterns as Swift's own regular expressions, which backtrack.
    @Test("Random regular expressions match as those of Swift", arguments: [UInt64(4), 5, 6])
    func randomExpressions(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func expression(_ depth: Int) -> String {
            switch depth > 3 ? Int.random(in: 0...2, using: &random) : Int.random(in: 0...7, using: &random) {
            case 0, 1: return ["a", "b", ".", "[ab]", "[^a]"].randomElement(using: &random)!
            case 2: return "a"
            case 3, 4: return expression(depth + 1) + expression(depth + 1)
            case 5: return "(\(expression(depth + 1))|\(expression(depth + 1)))"
            case 6: return "(\(expression(depth + 1)))" + ["*", "+", "?", "{1,2}"].randomElement(using: &random)!
            default: return "(?:\(expression(depth + 1)))"
            }
        }
        for _ in 0..<300 {
            let pattern = expression(0)
            guard pattern.count < 200 else { continue }
            let text = String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in "abc".randomElement(using: &random)! }
            )
            let expected = try text.wholeMatch(of: Regex(pattern)) != nil
            let found = try TextPattern("/^(\(pattern))$/").matches(PatternText(text))
            #expect(found == expected, "\(pattern) on \(text), seed \(seed)")
        }
    }
}
