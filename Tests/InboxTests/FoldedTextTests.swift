import Basics
import Testing

/// Texts as search and rules compare them.
@Suite struct FoldedTextTests {
    @Test(
        "Case, accents, widths, ligatures and quotation marks do not matter",
        arguments: [
            ("Crème BRÛLÉE", "creme brulee"), ("e\u{301}te\u{301}", "ete"), ("ＡＢＣ商事", "abc商事"), ("ﾃｽﾄ ｶﾞ", "テスト ガ"),
            ("カ\u{3099}イト\u{3099} は\u{309A}", "ガイド ぱ"), ("\u{1107}\u{1169}\u{1100}\u{1169}\u{1109}\u{1165}", "보고서"),
            ("Straße STRASSE ẞ", "strasse strasse ss"), ("Œuvre Æsir", "oeuvre aesir"),
            ("Łódź Ødegård Đà Ħ", "lodz odegard da h"),
            ("Ἀθήνα ΣΊΣΥΦΟΣ σίσυφος ᾳ", "αθηνα σισυφοσ σισυφοσ α"), ("ЁЛКА й и\u{306} Ї", "елка й й ї"),
            ("l’été ‘x’ ʼn ＇ “q”", "l'ete 'x' 'n ' \"q\""), ("ﬁn ½ m² ™ ℃ Ⅳ ①", "fin 1⁄2 m2 tm °c iv 1"),
            ("㈱ ㎏ … ⽇", "(株) kg ... 日"), ("𝗕𝗼𝗹𝗱 𝒳", "bold x"), ("İstanbul ısı", "istanbul isi"), ("Việt", "viet"),
            ("مُحَمَّد ــ أحمد", "محمد  أحمد"), ("שָׁלוֹם", "שלום"), ("हिन्दी", "हिन्दी"), ("ประชุม", "ประชุม"),
            ("👍🏽 ❤\u{FE0F} 👩\u{200D}👧", "👍 ❤ 👩👧"), ("a\u{AD}b\u{200F}c\u{200B}d", "abcd"),
            ("a\u{A0}b\u{3000}c", "a b c"),
            ("A\nb\u{301}", "a\nb"), ("", ""), ("\u{301}", ""), ("AZ az 09 _-", "az az 09 _-"),
        ]
    )
    func folded(_ text: String, _ expected: String) {
        #expect(Array(text.folded.unicodeScalars) == Array(expected.unicodeScalars), "\(text.folded)")
        #expect(text.folded.folded == text.folded)
    }

    @Test("A voiced kana, a Cyrillic letter and a vowel sign are letters of their own")
    func different() {
        for (one, other) in [("ガ", "カ"), ("й", "и"), ("हि", "ह"), ("ปุ", "ป"), ("أ", "ا"), ("가", "각")] {
            #expect(one.folded != other.folded)
        }
    }

    @Test("Every scalar is folded to one form, by itself and in a text")
    func everyScalar() {
        for value in UInt32(1)..<0x30000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = String(scalar).folded
            if folded.folded != folded { Issue.record("\(String(value, radix: 16)): \(folded), \(folded.folded)") }
        }
    }

    @Test("Texts are exact keys") func exact() {
        #expect("\u{E9}" == "e\u{301}")
        #expect(ExactText("\u{E9}") != ExactText("e\u{301}") && ExactText("\u{E9}") == ExactText("\u{E9}"))
        #expect(Set(["\u{E9}", "e\u{301}", "e\u{301}"].map(ExactText.init)).count == 2)
        #expect("\u{E9}".isComposed && !"e\u{301}".isComposed && "abc 日本".isComposed)
    }
}
