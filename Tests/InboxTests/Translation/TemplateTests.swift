import Testing

@testable import VisibleText

@Suite("Templates of messages") struct TemplateTests {
    @Test(
        "Placeholders are replaced by name, once, in any order",
        arguments: [
            ("no placeholder", ["a": "1"], "no placeholder"), ("{a}", ["a": "1"], "1"),
            ("{b} of {a}", ["a": "1", "b": "2"], "2 of 1"), ("{a}{a}", ["a": "x"], "xx"),
            // A value is not searched for placeholders.
            ("{a} {b}", ["a": "{b}", "b": "{a}"], "{b} {a}"), ("{a}", ["a": "{a}"], "{a}"),
            // A name without a value stays, as does what is no placeholder.
            ("{c} {a}", ["a": "1"], "{c} 1"), ("{", ["a": "1"], "{"), ("a}b{", ["a": "1"], "a}b{"),
            ("{a", ["a": "1"], "{a"), ("{{a}}", ["a": "1"], "{1}"), ("{}", ["a": "1"], "{}"), ("{a}", [:], "{a}"),
            ("", ["a": "1"], ""), ("{é} {a}", ["é": "2", "a": "1"], "2 1"),
        ]
    )
    func placeholders(text: String, values: [String: String], filled: String) {
        #expect(Template(text).filled(with: values) == filled)
    }

    @Test(
        "A value is isolated only from a message of the other direction",
        arguments: [
            ("{title} is new", "News", "News is new"), ("{title} is new", "Über 5 €", "Über 5 € is new"),
            ("{title} is new", "ニュース", "ニュース is new"), ("{title} is new", "", " is new"),
            ("{title} is new", "שלום", "\u{2068}שלום\u{2069} is new"),
            ("{title} is new", "مرحبا 5", "\u{2068}مرحبا 5\u{2069} is new"),
            ("{title} is new", "Re: שלום", "\u{2068}Re: שלום\u{2069} is new"),
            ("{title} is new", "ߒߞߏ", "\u{2068}ߒߞߏ\u{2069} is new"),
            // Without a letter, a message has the direction of this page's languages.
            ("{title}: {title}", "5", "5: 5"), ("{title} ({title})", "א", "\u{2068}א\u{2069} (\u{2068}א\u{2069})"),
            ("{title} חדש", "שלום", "שלום חדש"), ("{title} חדש", "News", "\u{2068}News\u{2069} חדש"),
            ("{title} חדש", "1:2", "1:2 חדש"),
        ]
    )
    func isolation(text: String, title: String, filled: String) {
        #expect(Template(text).filled(with: ["title": title]) == filled)
    }

    @Test("Without a language, messages are in English and the number chooses between two forms")
    func english() {
        #expect(translated("Mark as read") == "Mark as read")
        #expect(translated("") == "")
        #expect(translated("The account \"{name}\"", ["name": "work"]) == "The account \"work\"")
        let texts = [0, 1, 2, 21, -1, .min].map { translated("{count} day", plural: "{count} days", count: $0) }
        #expect(texts == ["0 days", "1 day", "2 days", "21 days", "-1 days", "\(Int.min) days"])
    }
}
