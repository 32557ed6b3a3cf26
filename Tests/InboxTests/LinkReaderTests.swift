import Basics
import Testing

@testable import Inbox

/// Addresses as senders write them.
@Suite struct LinkReaderTests {
    static let base = OpenableURL("https://app.example.com/inbox/all?tab=1#top", schemes: ["https"])
    private let reader = LinkReader(schemes: ["https", "http", "mailto"], base: base)

    @Test(
        "An address without a scheme is https, and a relative one belongs to the base",
        arguments: [
            ("https://example.com/a?b#c", "https://example.com/a?b#c"), ("HTTP://example.com", "http://example.com"),
            ("example.com/orders/17", "https://example.com/orders/17"), ("example.com", "https://example.com"),
            ("www.example.com", "https://www.example.com"), ("Example.COM?q#f", "https://Example.COM?q#f"),
            (" example.com/a b\n", "https://example.com/a%20b"), ("example.com./x", "https://example.com./x"),
            ("//example.com/x", "https://example.com/x"), ("//intranet/x", "https://intranet/x"),
            ("//example.com:8080?q", "https://example.com:8080?q"),
            ("localhost:3000/x", "https://localhost:3000/x"), ("LocalHost/x", "https://LocalHost/x"),
            ("example.com:8080/x", "https://example.com:8080/x"), ("example.com:443", "https://example.com:443"),
            ("127.0.0.1:3000", "https://127.0.0.1:3000"), ("10.0.0.1/x", "https://10.0.0.1/x"),
            ("bücher.example/ü", "https://b%C3%BCcher.example/%C3%BC"),
            (
                "उदाहरण.परीक्षा",
                "https://%E0%A4%89%E0%A4%A6%E0%A4%BE%E0%A4%B9%E0%A4%B0%E0%A4%A3"
                    + ".%E0%A4%AA%E0%A4%B0%E0%A5%80%E0%A4%95%E0%A5%8D%E0%A4%B7%E0%A4%BE"
            ),
            ("/orders", "https://app.example.com/orders"), ("/", "https://app.example.com/"),
            ("/a:b@c?d#e", "https://app.example.com/a:b@c?d#e"),
            ("/\\evil.example", "https://app.example.com/%5Cevil.example"),
            ("?q=1", "https://app.example.com/inbox/all?q=1"), ("?", "https://app.example.com/inbox/all?"),
            ("https://example.com/?a=1&amp;b=2", "https://example.com/?a=1&b=2"),
            ("example.com?a&amp;b&amp;c", "https://example.com?a&b&c"), ("/x?a&amp;b", "https://app.example.com/x?a&b"),
            ("mailto:anna@example.com?attach=/etc/passwd", "mailto:anna@example.com"),
            ("mailto:a@example.com?subject=b&amp;attach=x", "mailto:a@example.com?subject=b"),
        ]
    )
    func opens(_ address: String, _ expected: String) throws {
        #expect(try reader.url(address).text == expected)
        #expect(try reader.url(reader.stated(address)).text == expected, "as clients on the bus get it")
    }

    @Test(
        "An address that must not be opened has a reason",
        arguments: [
            ("", .invalid), (" ", .invalid), ("no address", .invalid), ("orders/17", .invalid), ("#top", .invalid),
            ("README", .invalid), ("1.5", .invalid), ("e.g.", .invalid), ("../x.html", .invalid), ("..", .invalid),
            (".example.com", .invalid), ("example.com:99999/x", .notAllowed(scheme: "example.com")),
            ("example.com:+80", .notAllowed(scheme: "example.com")),
            ("foo.bar@example.com", .invalid), ("anna:secret@example.com", .notAllowed(scheme: "anna")),
            ("https://bank.example@evil.example", .namesUser), ("//bank.example@evil.example/", .namesUser),
            ("https://anna:secret@example.com/x", .namesUser), ("https://example.com:x@/", .namesUser),
            ("bank.example@evil.example", .invalid), ("bank.example\\@evil.example", .invalid),
            ("example.com,evil.example", .invalid), ("ex ample.com", .invalid), ("[::1]/x", .invalid),
            ("//", .invalid), ("///x", .invalid), ("https:///x", .invalid), ("https:", .invalid),
            ("C:\\x", .invalid), ("c:/x", .invalid), ("--help", .invalid), ("-https://example.com", .invalid),
            ("exam\u{0}ple.com", .invalid), ("example.com/\u{1b}", .invalid), ("/x\ny", .invalid),
            ("example.com/" + String(repeating: "a", count: 9_000), .invalid),
            ("javascript:alert(1)", .notAllowed(scheme: "javascript")),
            ("JavaScript:x", .notAllowed(scheme: "javascript")),
            ("file:///etc/passwd", .notAllowed(scheme: "file")), ("data:text/html,x", .notAllowed(scheme: "data")),
            ("slack://channel", .notAllowed(scheme: "slack")), ("tel:112", .notAllowed(scheme: "tel")),
            ("com.example.app:/x", .notAllowed(scheme: "com.example.app")),
        ] as [(String, LinkReader.Problem)]
    )
    func refuses(_ address: String, _ problem: LinkReader.Problem) {
        #expect(throws: problem) { try reader.url(address) }
    }

    @Test("The allowed schemes decide, also about addresses without one") func schemes() throws {
        let own = LinkReader(schemes: ["slack", "com.example"])
        #expect(try own.url("slack://channel?id=1&amp;x").text == "slack://channel?id=1&x")
        #expect(try own.url("com.example:17").text == "com.example:17", "not a port")
        for address in ["example.com", "//example.com", "localhost:3000", "example.com:17"] {
            #expect(throws: LinkReader.Problem.notAllowed(scheme: "https")) { try own.url(address) }
        }
        let http = LinkReader(schemes: ["https"], base: OpenableURL("http://app.lan:8080", schemes: ["http"]))
        #expect(throws: LinkReader.Problem.notAllowed(scheme: "http")) { try http.url("/x") }
        #expect(http.stated("?x") == "http://app.lan:8080/?x")
    }

    @Test("A relative address without a base has a reason of its own", arguments: ["/orders", "?q", " /x", "/"])
    func noBase(address: String) {
        let reader = LinkReader(schemes: ["https"])
        #expect(throws: LinkReader.Problem.noBase) { try reader.url(address) }
        #expect(reader.stated(address) == address && reader.anyURL(address) == nil)
    }

    @Test(
        "Clients on the bus get absolute addresses, readable, and others as they are",
        arguments: [
            ("", ""), (" ", ""), ("https://bücher.example/a b", "https://bücher.example/a b"),
            ("bücher.example", "https://bücher.example"), ("x?a&amp;b", "x?a&amp;b"),
            ("https://example.com/?a&amp;b", "https://example.com/?a&b"), ("javascript:x", "javascript:x"),
            ("file:///etc/passwd", "file:///etc/passwd"), ("//a@b.example", "//a@b.example"),
            ("/x", "https://app.example.com/x"),
        ]
    )
    func stated(_ address: String, _ expected: String) {
        #expect(LinkReader(base: Self.base).stated(address) == expected)
    }

    @Test(
        "The origin of a page has its host and port only",
        arguments: [
            ("https://app.example.com:8443/inbox?x#y", "https://app.example.com:8443"),
            ("http://[::1]:80?x", "http://[::1]:80"), ("https://example.com", "https://example.com"),
            ("mailto:a@example.com", nil),
        ]
    )
    func origin(_ page: String, _ origin: String?) {
        #expect(OpenableURL(page, schemes: ["https", "http", "mailto"])?.origin?.text == origin)
    }

    /// A notification with these addresses.
    private func notification(url: String = "", body: String = "x", button: String = "") -> Notification {
        var notification = Notification(
            id: "1",
            title: "Sale",
            body: body,
            url: url,
            created: Timestamp(milliseconds: 0)
        )
        notification.actions = [.init(id: "buy", name: "Buy", url: button)]
        return notification
    }

    @Test(
        "A click opens the notification's address or, without one, the first of its text that opens",
        arguments: [
            (" ", "see [a](/orders)", "https://app.example.com/orders"),
            ("", "[a](example.com/x)", "https://example.com/x"),
            ("/orders", "[a](https://a.example)", "https://app.example.com/orders"),
            ("", "[x](javascript:x) [y](ftp://y) [z](?z)", "https://app.example.com/inbox/all?z"),
            ("", "f[0](x) and [1](#note), ![logo](/logo.png)", nil), ("", "no links", nil),
        ]
    )
    func target(url: String, body: String, expected: String?) throws {
        #expect(try notification(url: url, body: body).target(reader)?.text == expected)
    }

    @Test(
        "A click whose addresses do not open has the reason of the first",
        arguments: [
            ("file:///x", "[a](https://a.example)", .notAllowed(scheme: "file")), ("x", "", .invalid),
            ("", "[x](javascript:x) [y](/y)", .notAllowed(scheme: "javascript")), ("", "[y](/y)", .noBase),
            ("", "[a](https://b@c.example)", .namesUser),
        ] as [(String, String, LinkReader.Problem)]
    )
    func problem(url: String, body: String, problem: LinkReader.Problem) {
        let reader = LinkReader(schemes: ["https"])
        #expect(throws: problem) { try notification(url: url, body: body).target(reader) }
    }

    @Test("A button, subtext or picture without an address of its own opens the notification's") func parts() throws {
        var sale = notification(url: "example.com/sale")
        (sale.subtext, sale.avatar) = ("Shop", "https://example.com/a.png")
        for action in ["buy", "subtext", "avatar"] {
            let link = try #require(sale.link(of: action, reader))
            #expect(try sale.target(of: link, reader)?.text == "https://example.com/sale")
        }
        (sale.subtextURL, sale.avatarURL, sale.actions[0].url) = ("/shop", "//a.example", "javascript:x")
        let links = try ["subtext", "avatar"].map {
            try sale.target(of: #require(sale.link(of: $0, reader)), reader)?.text
        }
        #expect(links == ["https://app.example.com/shop", "https://a.example"])
        #expect(throws: LinkReader.Problem.notAllowed(scheme: "javascript")) {
            try sale.target(of: sale.link(of: "buy", reader) ?? "", reader)
        }
        (sale.subtext, sale.subtextURL, sale.avatar, sale.avatarURL) = ("", "", "", "")
        #expect(sale.link(of: "subtext", reader) == nil && sale.link(of: "avatar", reader) == nil)
    }

    @Test("A popup's click, buttons, links and picture are read in the same way") func popup() {
        var policy = PopupPolicy()
        policy.linkBases = ["work": Self.base!]
        var sale = notification(url: "/sale", body: "[a](example.com/a) [b](?b)", button: "//b.example/x")
        sale.actions.append(.init(id: "later", name: "Later", url: " "))
        sale.avatar = "//cdn.example/a.png"
        let capabilities: Set<String> = ["actions", "body", "body-markup", "body-hyperlinks"]
        let features = ServerFeatures(capabilities: capabilities, name: "Plasma")
        let popup = policy.popup(for: sale, of: "work", features: features)
        let expected = ["https://app.example.com/sale", "https://b.example/x", "https://app.example.com/sale"]
        #expect(popup.buttons.map(\.url?.text) == expected && popup.buttons.map(\.label) == ["Open", "Buy", "Later"])
        #expect(
            popup.body == "<a href=\"https://example.com/a\">a</a> "
                + "<a href=\"https://app.example.com/inbox/all?b\">b</a>"
        )
        let other = policy.popup(for: sale, of: "home", features: features)
        #expect(other.buttons.map(\.label) == ["Done", "Buy", "Later"], "the other account has no base")
        let popups = Popups(policy: policy)
        #expect(popups.pictureURL(of: sale, "work")?.text == "https://cdn.example/a.png")
        sale.avatar = "/a.png"
        #expect(popups.pictureURL(of: sale, "work")?.text == "https://app.example.com/a.png")
        #expect(popups.pictureURL(of: sale, "home") == nil)
    }
}
