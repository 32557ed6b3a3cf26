import Basics
import Inbox
import Testing

/// Texts with styles and links for clients on the bus.
@Suite struct LinkedMarkupTests {
    private let reader = LinkReader()

    @Test("Links without a scheme and relative ones are links of the markup, as they are opened") func read() {
        let reader = LinkReader(base: OpenableURL("https://app.example.com", schemes: ["https"]))
        let text = RichText(markup: "[a](/a?b&amp;c), [d](d.example) and [e](e)")
        #expect(
            text.linkedMarkup(reader) == "<a href=\"https://app.example.com/a?b&amp;c\">a</a>, "
                + "<a href=\"https://d.example\">d</a> and e"
        )
        #expect(text.linkAddresses(reader) == ["https://app.example.com/a?b&c", "https://d.example"])
    }

    @Test(
        "A text with styles or links has markup, and its links are numbered in their order",
        arguments: [
            ("plain & <3", nil, []),
            ("Ends **soon** & now", "Ends <b>soon</b> &amp; now", []),
            (
                "See [a](https://a.example/?x=1&y=2), [b](javascript:alert(1)) and [a](https://a.example/?x=1&y=2).",
                "See <a href=\"https://a.example/?x=1&amp;y=2\">a</a>, <a href=\"javascript:alert(1)\">b</a> and "
                    + "<a href=\"https://a.example/?x=1&amp;y=2\">a</a>.",
                ["https://a.example/?x=1&y=2", "javascript:alert(1)", "https://a.example/?x=1&y=2"]
            ),
            ("[x](/relative) [](https://a.example)", nil, []),
            (
                "<p>Hi <a href='https://a.example/&quot;&gt;&lt;b&gt;'>you</a></p>",
                "Hi <a href=\"https://a.example/%22%3E%3Cb%3E\">you</a>", ["https://a.example/%22%3E%3Cb%3E"]
            ),
            (
                "[bank.example](https://evil.example) [x](https://x.example)",
                "<a href=\"https://evil.example\">bank.example</a> (evil.example) "
                    + "<a href=\"https://x.example\">x</a>",
                ["https://evil.example", "https://x.example"]
            ),
            (
                "See https://a.example/x?y=1&z=2, or (http://b.example).",
                "See <a href=\"https://a.example/x?y=1&amp;z=2\">https://a.example/x?y=1&amp;z=2</a>, or "
                    + "(<a href=\"http://b.example\">http://b.example</a>).",
                ["https://a.example/x?y=1&z=2", "http://b.example"]
            ),
            (
                "https://a.example/**b**/c and [https://d.example](https://d.example)",
                "<a href=\"https://a.example/b/c\">https://a.example/<b>b</b>/c</a> and "
                    + "<a href=\"https://d.example\">https://d.example</a>",
                ["https://a.example/b/c", "https://d.example"]
            ),
            ("https:// and xhttps://a.example", nil, []),
        ] as [(String, String?, [String])]
    )
    func markup(source: String, markup: String?, addresses: [String]) {
        let text = RichText(markup: source)
        #expect(text.linkedMarkup(reader) == markup && text.linkAddresses(reader) == addresses)
    }

    @Test("The links of a text are actions of the notification, unless a button has the same id") func actions() {
        var notification = Notification(
            id: "1",
            title: "x",
            body: "[a](https://a.example) [b](https://b.example)",
            created: Timestamp(milliseconds: 0)
        )
        #expect(notification.link(of: "text-2", reader) == "https://b.example")
        for other in ["text-0", "text-3", "text-02", "text-", "text", "text--1"] {
            #expect(notification.link(of: other, reader) == nil)
        }
        notification.actions = [.init(id: "text-2", name: "Two", url: "https://button.example")]
        #expect(notification.link(of: "text-2", reader) == "https://button.example")
    }
}
