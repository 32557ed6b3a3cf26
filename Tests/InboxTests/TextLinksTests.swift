import Basics
import Testing

@testable import Inbox

@Suite struct TextLinksTests {
    @Test(
        "Links of Markdown, HTML and plain text are found",
        arguments: [
            ("See [the plan](https://example.com/plan)", ["https://example.com/plan"]),
            ("[a](<https://example.com/a b> \"Title\")", ["https://example.com/a b"]),
            ("[a](https://example.com/?x=1&amp;y=2 \"Title\")", ["https://example.com/?x=1&y=2"]),
            ("![alt](https://example.com/a.png)", ["https://example.com/a.png"]),
            (
                "![alt](https://example.com/a.png) [a](https://a.example)",
                ["https://a.example", "https://example.com/a.png"]
            ),
            (
                "<p>Hi <a class='x' href=\"https://example.com/?x=1&amp;y=2\">you</a></p>",
                ["https://example.com/?x=1&y=2"]
            ),
            ("<https://example.com/auto>", ["https://example.com/auto", "https://example.com/auto"]),
            ("Call us: https://example.com/a.", ["https://example.com/a"]),
            (
                "(see https://example.com/w_(x)), HTTP://EXAMPLE.com!",
                ["https://example.com/w_(x)", "HTTP://EXAMPLE.com"]
            ),
            ("[b](mailto:a@example.com) https://example.com", ["mailto:a@example.com", "https://example.com"]),
            ("[x](/orders) [y](?q) <a href='example.com'>z</a>", ["/orders", "?q", "example.com"]),
            ("![alt](/a.png) ![b](a.example/b.png)", []),
            ("no links: at all", []), ("xhttps://example.com", []), ("7https://example.com", []), ("[a](b", []),
            ("", []),
            ("詳細はhttps://example.com/a1 を", ["https://example.com/a1"]),
            ("詳細は https://example.com/a2をご覧ください", ["https://example.com/a2"]),
            ("詳細：https://example.com/a3。次は", ["https://example.com/a3"]),
            ("（https://example.com/a4）を参照", ["https://example.com/a4"]),
            ("「https://example.com/a5」、https://example.com/a6", ["https://example.com/a5", "https://example.com/a6"]),
            ("请打开https://example.com/a7查看，谢谢", ["https://example.com/a7"]),
            ("주소는https://example.com/a8에서", ["https://example.com/a8"]),
            ("ｈhttps://example.com/a9！", ["https://example.com/a9"]),
            ("“https://example.com/b1”", ["https://example.com/b1"]),
            ("éhttps://example.com/b2?q=é", ["https://example.com/b2?q=é"]),
        ]
    )
    func found(text: String, links: [String]) {
        #expect(TextLinks.all(in: text) == links)
    }

    @Test("Of two texts that Unicode calls equivalent, each has its own link") func equivalent() {
        let addresses = ["re\u{301}sume\u{301}", "r\u{E9}sum\u{E9}"].map { "https://example.com/\($0).pdf" }
        for _ in 0..<2 {
            for address in addresses {
                let links = RichText(markup: "[x](\(address))").runs.compactMap(\.link)
                #expect(links.map { Array($0.utf8) } == [Array(address.utf8)])
            }
        }
    }

    @Test("Only a few links of a long text are collected") func limit() {
        let text = String(repeating: "[a](https://example.com) ", count: 500)
        #expect(TextLinks.all(in: text).count == TextLinks.limit)
        let bare = String(repeating: "https://example.com ", count: 500)
        #expect(TextLinks.all(in: bare).count == TextLinks.limit)
    }

    @Test("A notification without a URL opens the first allowed link of its text") func target() {
        var notification = PopupsDriver.notification(1)
        notification.url = ""
        notification.body = "[x](javascript:alert) [y](ftp://example.com) [z](https://example.com/z)"
        let popup = PopupPolicy().popup(for: notification, features: PopupsDriver.features)
        #expect(popup.buttons.map(\.label) == ["Open"])
        #expect(popup.buttons.map { $0.url?.text } == ["https://example.com/z"])
        notification.url = "file:///etc/passwd"
        let other = PopupPolicy().popup(for: notification, features: PopupsDriver.features)
        #expect(other.buttons.map(\.label) == ["Done"], "its own URL is forbidden")
    }

    @Test(
        "A popup keeps the allowed links where the server shows links",
        arguments: [
            ("Plasma", ["body-markup", "body-hyperlinks"], "x <a href=\"https://a.example/%22\">y</a>"),
            ("Plasma", ["body-markup"], "x y"), ("Plasma", ["body-hyperlinks"], "x y"),
            ("Notification Daemon", ["body-markup", "body-hyperlinks"], "x y"),
        ]
    )
    func links(server: String, capabilities: [String], body: String) {
        var notification = PopupsDriver.notification(1)
        notification.body = "[x](javascript:alert(1)) [y](https://a.example/\")"
        let features = ServerFeatures(capabilities: Set(capabilities + ["body"]), name: server)
        #expect(PopupPolicy().popup(for: notification, features: features).body == body)
    }

    @Test(
        "A link whose text names another host is followed by the host that it opens",
        arguments: [
            ("[https://bank.example](https://evil.example)", " (evil.example)"),
            ("[www.bank.example/login.html](https://evil.example/bank.example)", " (evil.example)"),
            ("[**bank**.example](https://evil.example:8080/)", " (evil.example)"),
            ("[our page at Bank.Example](https://bank.example.evil.example)", " (bank.example.evil.example)"),
            ("[bаnk.example](https://bank.example)", " (bank.example)"),  // a Cyrillic letter
            ("[bank。example](https://evil.example)", " (evil.example)"),
            ("[10.0.0.1](https://evil.example)", " (evil.example)"),
            ("[https://evil.example@bank.example](https://evil.example)", " (evil.example)"),
            ("[help@bank.example](mailto:help@evil.example)", " (evil.example)"),
            ("<a href='https://evil.example'>https://<i>bank</i>.example/</a>", " (evil.example)"),
            ("[https://bank.example/a.html?b.html](https://bank.example/c)", ""),
            ("[bank.example](https://www.bank.example/x)", ""), ("[www.Bank.example](https://bank.example)", ""),
            ("[Sign in (v1.2)](https://evil.example)", ""), ("<https://bank.example/x>", ""),
            ("[https://bank.example](javascript:x)", ""),
            // A mark of the direction, which is invisible, in the name.
            ("[bank\u{200E}.exa\u{200F}mple](https://evil.example)", " (evil.example)"),
        ]
    )
    func hosts(text: String, stated: String) {
        var notification = PopupsDriver.notification(1)
        notification.body = text + " to read on"
        let capabilities: Set<String> = ["body", "body-markup", "body-hyperlinks"]
        let body = PopupPolicy().popup(
            for: notification,
            features: ServerFeatures(capabilities: capabilities, name: "Plasma")
        ).body
        #expect(body.hasSuffix((text.contains("javascript") ? "" : "</a>") + stated + " to read on"), "\(body)")
        let plain = PopupPolicy().popup(for: notification, features: ServerFeatures(capabilities: ["body"], name: "x"))
        #expect(!plain.body.contains("(evil"), "nothing is a link there")
    }
}
