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
            ("?", "😀", true), ("straße", "STRASSE", true), ("Σ", "σ", true),
            ("*cafe*", "Café", true), ("CAFÉ", "cafe\u{301}", true), ("*abc*", "ＡＢＣ商事", true), ("テスト*", "ﾃｽﾄ完了", true),
            ("*ガイド", "カ\u{3099}イド", true), ("カイド", "ガイド", false), ("보고서", "\u{1107}\u{1169}고서", true),
            ("don't*", "Don’t go", true), ("?", "e\u{301}", true), ("мой", "МОИ", false), ("oeuvre", "Œuvre", true),
            ("a b", "a\u{A0}\u{200F}b", true),
        ] as [(String, String, Bool)]
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
            ("/^\\d+$/", "0123", true), ("/^\\d$/", "٣", true), ("/^\\w+$/", "Ärger_1", true), ("/^\\w$/", "-", false),
            ("/^\\s$/", "\u{3000}", true), ("/^\\S\\D\\W$/", "aa-", true), ("/^\\t\\n$/", "\t\n", true),
            ("/a\\.b/", "a.b", true), ("/a\\.b/", "axb", false), ("/a/b/", "a/b", true), ("/^a*?$/", "aaa", true),
            ("/^a+?$/", "", false), ("/^.{3}$/", "日本語", true), ("/É/i", "é", true), ("/x|^a$|y/", "a", true),
            ("/()/", "", true), ("/(|)/", "x", true), ("/(a*)*b/", "aab", true), ("/(a|aa)+$/", "aaa", true),
            ("/ci/ ", "ci", nil), ("/^caf.$/", "café", true), ("/^.$/", "😀", true), ("/日.語/", "日本語", true),
            ("/äRGER/i", "Ärger", true), ("/äRGER/", "Ärger", false), ("/[à-ü]$/i", "CAFÉ", true), ("/ς/i", "Σ", true),
            ("/\\bÄrger\\b/", "so ein Ärger!", true), ("/^\\p{Han}+$/", "日本", true), ("/^\\X$/", "e\u{301}", true),
            ("/é$/", "cafe\u{301}", true), ("/e\u{301}/", "é", true), ("/e$/", "é", false), ("/ガ/", "カ\u{3099}", true),
            ("/a$/", "a\n", false), ("/^b/", "a\nb", false), ("/(?m)^b$/", "a\nb\nc", true), ("/^(?i)a$/", "A", true),
            ("/(\\w)\\1/", "book", true), ("/(\\w)\\1/", "bok", false), ("/red(?!is)/", "redis", false),
            ("/(?<=#)42/", "#42", true), ("/^(?>a*)a/", "aaa", false), ("/a{/", "a{", true), ("/\\Qa.b/", "a.b", true),
            ("/f\\((?:[^()]|(\\((?1)*\\)))*\\)$/", "f(a())", true), ("/(*UTF)é/", "é", true), ("/a(?C1)b/", "ab", true),
            ("/\\x00/", "a\\0b", false), ("/\\x00/", "\0", true),
            ("/#\\d{2,} (opened|closed)$/", "Issue #421 closed", true),
        ] as [(String, String, Bool?)]
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
            ("", "It is empty."), (String(repeating: "a", count: 1_025), "It has more than 1024 characters."),
            ("/" + String(repeating: "a", count: 256), "It has more than 256 characters."),
            ("a\\", "It ends with \\, which needs a character after it."), ("//", "The regular expression is empty."),
            ("//i", "The regular expression is empty."),
            ("/", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/usr/bin", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/a/x", "A regular expression ends with / or /i. A glob that begins with / is written \\/."),
            ("/(a/", "Error after \"/(a\": missing closing parenthesis."),
            ("/a)/", "Error after \"/a\": unmatched closing parenthesis."),
            ("/日本[語/", "Error after \"/日本[語\": missing terminating ] for character class."),
            ("/[z-a]/", "Error after \"/[z-\": range out of order in character class."),
            ("/a|+/", "Error after \"/a|\": quantifier does not follow a repeatable item."),
            ("/a\\/", "Error after \"/a\\\": \\ at end of pattern."),
            ("/é\\C/", "Error after \"/é\\C\": using \\C is disabled by the application."),
        ]
    )
    func mistakes(_ pattern: String, _ sentence: String) {
        let mistake = #expect(throws: TextPattern.Mistake.self) { try TextPattern(pattern) }
        #expect(mistake?.sentence == sentence)
    }

    @Test(
        "A pattern that PCRE2 rejects is explained, whatever its words are",
        arguments: [
            "/[]/", "/*a/", "/a**/", "/a{3,2}/", "/a{99999}/", "/((a{100}){100}){100}/", "/\\1/", "/\\p{Nope}/",
            "/\\u1/", "/(*NOPE)a/", "/[[:nope:]]/", "/\\x{110000}/", "/\\x{d800}/", "/(*LIMIT_MATCH=9999999999)a/",
        ]
    )
    func otherMistakes(_ pattern: String) throws {
        let mistake = try #require(#expect(throws: TextPattern.Mistake.self) { try TextPattern(pattern) })
        #expect(mistake.sentence.wholeMatch(of: /Error after "\/.*": .{10,}\./) != nil, "\(mistake.sentence)")
    }

    /// The required b is found to be missing before any backtracking, unless that is switched off.
    @Test(
        "A search for what needs much backtracking ends",
        .timeLimit(.minutes(5)),
        arguments: [
            ("/(a*)*b/", 100_000, TextPattern.SearchResult.noMatch), ("*a*a*a*b", 100_000, .noMatch),
            ("/(a*)*\\d/", 30, .limitExceeded), ("/(a*)*\\d/", 100_000, .limitExceeded),
            ("/(*NO_START_OPT)(a*)*b/", 100_000, .limitExceeded), ("/(a|aa)+$\\d/", 100_000, .limitExceeded),
            ("/(a+)+(a+)+\\d/", 20_000, .limitExceeded), ("/(.*)(.*)(.*)b/", 20_000, .limitExceeded),
            // Fast at each place, but there are many.
            ("/[a-z]+\\d/", 100_000, .limitExceeded), ("/[a-z]++\\d/", 100_000, .limitExceeded),
            ("/(?=\\w++\\d)a/", 100_000, .limitExceeded), ("/(?:a|b)*\\d/", 100_000, .limitExceeded),
            ("/(?R)?a\\d/", 30, .limitExceeded), ("/a(*LIMIT_MATCH=1)/", 30, nil),
            ("/(*LIMIT_MATCH=2)(a|b)*\\d/", 30, .limitExceeded),
            ("/(*LIMIT_MATCH=400000000)(*LIMIT_DEPTH=400000000)(a*)*\\d/", 100_000, .limitExceeded),
        ]
    )
    func hostileTexts(_ pattern: String, _ length: Int, _ result: TextPattern.SearchResult?) throws {
        let text = PatternText(String(repeating: "a", count: length))
        #expect((try? TextPattern(pattern))?.search(text) == result)
    }

    @Test(
        "What an item looks at in vain counts as work: no later step shows it",
        .timeLimit(.minutes(5)),
        arguments: [
            "/\\w{7500}/", "/[^ ]{7500,}+/", "/\\x{61}{7500}?\\d/", "/(?<=\\w{7500})a(?!a)/",
            "/^(?i)(?<n>a{1500}).*?(\\1{5}|\\g{1}{5}|\\k{n}{5})\\d/",
        ]
    )
    func vainWork(_ pattern: String) throws {
        let text = PatternText(String(repeating: String(repeating: "a", count: 7_499) + " ", count: 2))
        #expect(try TextPattern(pattern).search(text) == .limitExceeded)
    }

    @Test("The code of a character is no repetition") func characterCodes() throws {
        let text = PatternText(String(repeating: "a", count: 15_000))
        #expect(try TextPattern("/[ab]\\x{9999}?\\d/").search(text) == .noMatch)
        #expect(try TextPattern("/[ab]\\o{7777}?\\d/").search(text) == .noMatch)
    }

    @Test("Searches with one budget end when it is used up, and globs for names still match") func sharedBudget() throws
    {
        let slow = try TextPattern("/(x+x+)+[0-9]{1}/")
        let (long, name) = (PatternText(String(repeating: "x", count: 15_000)), PatternText("builds"))
        var budget = PatternBudget.notification
        var searches = 0
        while !budget.isExhausted {
            #expect(slow.search(long, within: &budget) == .limitExceeded)
            searches += 1
        }
        #expect((2...5).contains(searches) && budget.steps > -100_000)
        #expect(try TextPattern("/x/").search(PatternText("x"), within: &budget) == .limitExceeded)
        #expect(try TextPattern("*x*y").search(long, within: &budget) == .limitExceeded)
        #expect(try TextPattern("build*").search(name, within: &budget) == .match)
        #expect(try TextPattern("b").search(name, within: &budget) == .noMatch)
    }

    @Test("Ordinary patterns stay within the limit on the longest texts") func longTexts() throws {
        let text = PatternText(String(repeating: "Die Prüfung von main schlägt fehl, siehe Protokoll. ", count: 320))
        for pattern in [
            "/[a-zä]+ [A-Z]+\\d/", "/(foo|bar|prüf)\\d/i", "/^.*main.*$/", "/\\bmain\\b.{1,80}\\d/", "/\\d+/",
        ] {
            #expect(try TextPattern(pattern).search(text) != .limitExceeded, "\(pattern)")
        }
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
