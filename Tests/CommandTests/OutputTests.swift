import ArgumentParser
import Testing

@testable import DBus
@testable import feedbell

@Suite struct OutputTests {
    @Test(arguments: [
        ("a", 1), ("ä", 1), ("e\u{301}", 1), ("日", 2), ("한", 2), ("ｱ", 1), ("Ａ", 2), ("👍", 2), ("👍🏽", 2),
        ("👨‍👩‍👧", 2), ("❤️", 2), ("🇩🇪", 2), ("\u{1B}[31mab\u{1B}[0m", 2), ("", 0), ("日本 go", 7),
    ])
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("e\u{301}e\u{301}", 1, "…"), ("abc", 0, ""), ("", 0, ""),
    ])
    func cutting(text: String, width: Int, expected: String) {
        #expect(text.cut(toColumns: width) == expected)
    }

    @Test(arguments: [
        ("one two three", 8, "one two\n    three"), ("  one two", 9, "  one two"),
        ("    one two", 8, "    one\n    two"),
        ("verylongword x", 5, "verylongword\n    x"), ("日本 語", 6, "日本\n    語"), ("a  b", 20, "a  b"),
    ])
    func wrapping(text: String, width: Int, expected: String) {
        #expect(text.wrapped(toColumns: width) == expected)
    }

    /// Words come from the network, and bash expands what a completion offers.
    @Test(
        "A word that a shell could expand is not offered (11.13)",
        arguments: [
            "$(touch /tmp/x)", "`id`", "a b", "a;b", "a'b", "a\"b", "a\\b", "~root", "{a,b}", "*", "?", "[a]", "!x",
            "-x",
            "a|b",
            "a&b", "<a", "=ls", "%1", "#a", "\n", "a\nb", "\u{1B}", "",
            // A character that joins the next one, which makes one letter of both.
            "\u{D4E}`touch x`", "\u{D4E}$(touch x)", "\u{D4E}`touch\u{D4E}$IFS\u{D4E}$PWD\u{D4E}`", "\u{110C2}$HOME",
            "a\u{301}",
            "größe", "日本", "١", "a\u{202E}b", "a\u{200D}", "a\u{0}",
        ]
    )
    func dangerousWordsAreNotOffered(word: String) {
        for shell in [CompletionShell.bash, .zsh, .fish] { #expect(Completion.line(.init(word: word), shell) == nil) }
    }

    @Test func wordsAndDescriptions() {
        let candidate = Completion.Candidate(word: "a:b", description: "Tab\there: \u{1B}x")
        #expect(Completion.line(candidate, .bash) == "a:b")
        #expect(Completion.line(candidate, .fish) == "a:b\tTab here: x")
        #expect(Completion.line(candidate, .zsh) == "a\\:b:Tab here: x")
        #expect(Completion.line(.init(word: "size_1.x"), .zsh) == "size_1.x")
    }
}
