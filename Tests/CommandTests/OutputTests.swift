import ArgumentParser
import Testing
import VisibleText

@testable import DBus
@testable import feedbell

@Suite struct OutputTests {
    @Test("Without an account, the status names the command that adds one") func noAccount() {
        var status = StatusReport(version: "1")
        let advice = "    Add an account with: feedbell accounts add\n"
        #expect(status.text(now: 0, nil) == "Feedbell 1: no accounts are configured\n" + advice)
        status.configurationError = "f:1: This is not valid TOML."
        #expect(!status.text(now: 0, nil).contains(advice))
    }

    @Test(
        "The width of text on a terminal",
        arguments: [
            ("a", 1), ("ä", 1), ("e\u{301}", 1), ("日", 2), ("한", 2), ("ｱ", 1), ("Ａ", 2), ("👍", 2), ("👍🏽", 2),
            ("👨‍👩‍👧", 2), ("❤️", 2), ("🇩🇪", 2), ("\u{1B}[31mab\u{1B}[0m", 2), ("", 0), ("日本 go", 7),
        ]
    )
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(
        "Text is truncated to a width",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
            ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("e\u{301}e\u{301}", 1, "…"), ("abc", 0, ""), ("", 0, ""),
        ]
    )
    func cutting(text: String, width: Int, expected: String) {
        #expect(text.cut(toColumns: width) == expected)
    }

    @Test(
        "Text is wrapped at spaces",
        arguments: [
            ("one two three", 8, "one two\n    three"), ("  one two", 9, "  one two"),
            ("    one two", 8, "    one\n    two"),
            ("verylongword x", 5, "verylongword\n    x"), ("日本 語", 6, "日本\n    語"), ("a  b", 20, "a  b"),
        ]
    )
    func wrapping(text: String, width: Int, expected: String) {
        #expect(text.wrapped(toColumns: width) == expected)
    }

    /// Words come from the network, and bash expands candidates.
    @Test(
        "A word that a shell could expand is not a candidate",
        arguments: [
            "$(touch /tmp/x)", "`id`", " b", "a ", "a;b", "a'b", "a\"b", "a\\b", "~root", "{a,b}", "*", "?", "[a]",
            "!x",
            "-x",
            "a|b",
            "a&b", "<a", "=ls", "%1", "#a", "\n", "a\nb", "\u{1B}", "",
            // A character that joins the next one, which makes one letter of both.
            "\u{D4E}`touch x`", "\u{D4E}$(touch x)", "\u{D4E}`touch\u{D4E}$IFS\u{D4E}$PWD\u{D4E}`", "\u{110C2}$HOME",
            "a\u{301}",
            "größe", "日本", "١", "a\u{202E}b", "a\u{200D}", "a\u{0}",
        ]
    )
    func unsafeWords(word: String) {
        for shell in [CompletionShell.bash, .zsh, .fish] {
            #expect(ShellCompletion.line(.init(word: word), shell) == nil)
        }
    }

    @Test(
        "A quoted word of the command line is the word that the shell passes",
        arguments: [
            ("work", "work"), ("my\\ work", "my work"), ("'my work'", "my work"), ("\"my work\"", "my work"),
            ("'a\"b\\'", "a\"b\\"), ("\"a'b\\\"", "a'b\""), ("'my w", "my w"),
        ]
    )
    func quotedWords(_ word: String, _ plain: String) { #expect(ShellCompletion.unquoted(word) == plain) }

    @Test("Words and descriptions are escaped for each shell") func wordsAndDescriptions() {
        let candidate = ShellCompletion.Candidate(word: "a:b", description: "Tab\there: \u{1B}x")
        #expect(ShellCompletion.line(candidate, .bash) == "a:b")
        #expect(ShellCompletion.line(candidate, .fish) == "a:b\tTab here: x")
        #expect(ShellCompletion.line(candidate, .zsh) == "a\\:b:Tab here: x")
        #expect(ShellCompletion.line(.init(word: "size_1.x"), .zsh) == "size_1.x")
        #expect(ShellCompletion.line(.init(word: "my work"), .bash) == "my work")
    }

    @Test("Text in another character set is written and read") func otherCharacterSet() {
        let latin1 = CharacterSet("ISO-8859-1")
        #expect(latin1.bytes("Größe…") == [0x47, 0x72, 0xF6, 0xDF, 0x65, 0x2E])
        #expect(latin1.text([0x47, 0x72, 0xF6, 0xDF, 0x65]) == "Größe")
        #expect(CharacterSet("ANSI_X3.4-1968").text(Array("é".utf8)) == "é", "invalid, so read as UTF-8")
    }

    @Test(
        "In a character set of single bytes, no character becomes a control character of the terminal",
        arguments: ["KOI8-R", "KOI8-U", "CP1251", "CP1252", "CP437", "CP850", "ISO-8859-1", "TCVN5712-1"]
    )
    func controlBytes(name: String) throws {
        let set = CharacterSet(name)
        for value in UInt32(0xA0)...0x2FFF {
            let character = String(try #require(Unicode.Scalar(value)))
            #expect(!set.bytes(character).contains { (0x80...0x9F).contains($0) }, "U+\(String(value, radix: 16))")
        }
        // CP437 has it, at a place that a terminal prints.
        #expect(set.bytes("⌡2J") == (name == "CP437" ? [0xF5] : Array("?".utf8)) + Array("2J".utf8))
    }

    @Test(
        "Letters are written in the locale's character set, and a similar character for one that a terminal executes",
        arguments: [
            ("KOI8-R", "Привет", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]),
            ("CP1251", "“Да”…", [0x22, 0xC4, 0xE0, 0x22, 0x2E]),
            ("SHIFT_JIS", "日本", [0x93, 0xFA, 0x96, 0x7B]), ("EUC-JP", "ｱ", [0x8E, 0xB1]), ("GBK", "丂", [0x81, 0x40]),
        ] as [(String, String, [UInt8])]
    )
    func letters(name: String, text: String, bytes: [UInt8]) { #expect(CharacterSet(name).bytes(text) == bytes) }
}
