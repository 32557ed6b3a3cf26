import Basics
import Testing

@testable import Inbox

@Suite struct PopupPolicyTests {
    static let full = ServerFeatures(capabilities: ["actions", "body", "body-markup"], name: "dunst", version: "1.9")

    static func notification(_ change: (inout Notification) -> Void = { _ in }) -> Notification {
        var notification = Notification(
            id: "1",
            title: "Sale & more",
            body: "Ends **soon** <now>",
            created: Timestamp(milliseconds: 1)
        )
        notification.url = "https://example.com/sale"
        change(&notification)
        return notification
    }

    @Test("A server with all capabilities gets markup, buttons and a category") func fullServer() {
        let notification = Self.notification {
            $0.subtext = "Shop"
            $0.category = "Promo/€1"
            $0.actions = [
                .init(id: "buy", name: "Buy", url: "https://example.com/buy"),
                .init(id: "evil", name: "Evil", url: "file:///etc/passwd"),
                .init(id: "later", name: "Later", url: ""),
                .init(id: "third", name: "Third", url: "https://example.com/3"),
            ]
        }
        let popup = PopupPolicy().popup(for: notification, features: Self.full)
        #expect(popup.summary == "Sale & more")
        #expect(popup.body == "Ends <b>soon</b> &lt;now&gt;\n<i>Shop</i>")
        #expect(popup.buttons.map(\.key) == ["default", "buy", "later"])
        #expect(popup.buttons.map(\.label) == ["Open", "Buy", "Later"])
        let urls = ["https://example.com/sale", "https://example.com/buy", "https://example.com/sale"]
        #expect(popup.buttons.map { $0.url?.text } == urls, "one without a URL opens the notification's")
        #expect(popup.category == "x-feedbell.inbox.promo--1")
        #expect(popup.urgency == 1)
        #expect(popup.timeout == -1)
        #expect(!popup.isResident)
    }

    @Test("A server without markup gets a plain body") func withoutMarkup() {
        let popup = PopupPolicy().popup(
            for: Self.notification(),
            features: ServerFeatures(capabilities: ["body", "actions"])
        )
        #expect(popup.body == "Ends soon <now>")
    }

    @Test("Without actions, popups offer none") func noActions() {
        let features = ServerFeatures(capabilities: ["body", "body-markup"])
        let popup = PopupPolicy(timeout: .never).popup(for: Self.notification(), features: features)
        #expect(popup.buttons.isEmpty)
        #expect(popup.timeout == -1, "timeout 0 without actions is a dialog on notify-osd")
    }

    @Test("A server without bodies gets the text in the summary") func withoutBody() {
        let popup = PopupPolicy().popup(for: Self.notification(), features: ServerFeatures(capabilities: ["actions"]))
        #expect(popup.summary == "Sale & more: Ends soon <now>")
        #expect(popup.body == "")
    }

    @Test("Without a header, the first line is the summary") func noHeader() {
        let popup = PopupPolicy().popup(
            for: Self.notification {
                $0.title = " "; $0.body = "**Bob** replied\nHello"
            },
            features: Self.full
        )
        #expect(popup.summary == "Bob replied")
        #expect(popup.body == "Hello")
    }

    @Test("A forbidden link is not offered") func forbiddenLink() {
        let popup = PopupPolicy().popup(for: Self.notification { $0.url = "file:///etc/passwd" }, features: Self.full)
        #expect(popup.buttons == [.init(key: "default", label: "Done", url: nil)])
    }

    @Test(
        "A timeout is the server's default, none, or a number of milliseconds",
        arguments: [
            (PopupPolicy.Timeout.serverDefault, Int32(-1)), (.never, 0), (.after(milliseconds: 2500), 2500),
        ]
    ) func timeouts(_ timeout: PopupPolicy.Timeout, _ expected: Int32) {
        #expect(PopupPolicy(timeout: timeout).popup(for: Self.notification(), features: Self.full).timeout == expected)
    }

    @Test(
        "Popups are resident on Plasma 5 only",
        arguments: [
            ("Plasma", "5.27.5", true), ("Plasma", "6.4.0", false), ("Plasma", "7.0", false), ("dunst", "1.0", false),
        ]
    )
    func residentOnOldPlasma(_ name: String, _ version: String, _ expected: Bool) {
        let features = ServerFeatures(capabilities: ["actions", "body"], name: name, version: version)
        #expect(PopupPolicy().popup(for: Self.notification(), features: features).isResident == expected)
    }

    @Test("Long texts are truncated") func longTexts() {
        let notification = Self.notification {
            $0.title = String(repeating: "T", count: 10_000)
            $0.body = String(repeating: "<&b", count: 100_000)
        }
        let popup = PopupPolicy().popup(for: notification, features: Self.full)
        #expect(popup.summary.count == 80)
        #expect(popup.body.count < 2_400)
        #expect(popup.body.hasSuffix("…"))
    }

    @Test("Titles have at most 80 characters and bodies 400, cut between words") func lengths() {
        let notification = Self.notification {
            $0.title = String(repeating: "seven7 ", count: 30)
            $0.body = String(repeating: "**nine** 9 ", count: 100)
        }
        let popup = PopupPolicy().popup(for: notification, features: ServerFeatures(capabilities: ["body"]))
        #expect(popup.summary == String(repeating: "seven7 ", count: 10) + "seven7…")
        #expect(popup.body == String(repeating: "nine 9 ", count: 56) + "nine 9…")
    }

    @Test(
        "A text has at most five lines, and the line below it stays",
        arguments: [
            ("1\n2\n3\n4\n5", "1\n2\n3\n4\n5\nShop"), ("1\n2\n3\n4\n**5**\n6", "1\n2\n3\n4\n5…\nShop"),
            ((1...14).map(String.init).joined(separator: "\n"), "1\n2\n3\n4\n5…\nShop"), ("1", "1\nShop"),
        ]
    ) func lines(text: String, expected: String) {
        let notification = Self.notification {
            $0.body = text
            $0.subtext = "Shop"
        }
        let popup = PopupPolicy().popup(for: notification, features: ServerFeatures(capabilities: ["body"]))
        #expect(popup.body == expected)
    }

    @Test(
        "A text is cut between words, else between characters",
        arguments: [
            ("aaaa bbbb", 9, "aaaa bbbb"), ("aaaa bbbb c", 9, "aaaa…"), ("aaaa bbbb c", 10, "aaaa bbbb…"),
            ("aaaa bbb ccc", 9, "aaaa bbb…"), ("aaaaaaaaaaaa", 9, "aaaaaaaa…"), ("a bbbbbbbbbbbb", 9, "a bbbbbb…"),
            ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧👨‍👩‍👧…"), ("", 9, ""),
        ]
    ) func cutting(text: String, limit: Int, expected: String) {
        #expect(RichText([.init(text)]).shortened(to: limit).plain == expected)
        let runs = text.map { RichText.Run(String($0), $0 == "b" ? .bold : []) }
        #expect(RichText(runs).shortened(to: limit).plain == expected)
    }

    @Test("A server with unknown capabilities gets escaped text without tags") func unknownServer() {
        let unknown = ServerFeatures(capabilities: ["body"], isKnown: false)
        #expect(PopupPolicy().popup(for: Self.notification(), features: unknown).body == "Ends soon &lt;now&gt;")
    }

    @Test("A summary has the number of notifications and their titles") func summaryOfMany() {
        let titles = ["Nr 7", "", "Nr 5"]
        let popup = PopupPolicy().summary(of: 7, titles: titles, features: Self.full)
        #expect(popup.summary == "7 new notifications")
        #expect(popup.body == "Nr 7\nNr 5\n… and 5 more")
        #expect(popup.buttons == [Popup.Button(key: "default", label: "Open", url: nil)])
        let both = PopupPolicy().summary(of: 2, titles: ["Nr 2", "Nr 1"], features: Self.full)
        #expect(both.body == "Nr 2\nNr 1")
    }

    @Test("LXQt, which cuts the last line, gets an empty one below the text") func emptyLastLine() {
        let lxqt = ServerFeatures(
            capabilities: ["body", "body-markup"],
            name: "lxqt-notificationd",
            vendor: "lxqt.org",
            version: "1.2.0"
        )
        #expect(PopupPolicy().popup(for: Self.notification(), features: lxqt).body.hasSuffix("\n\u{A0}"))
        #expect(!PopupPolicy().popup(for: Self.notification(), features: Self.full).body.contains("\u{A0}"))
    }

    @Test("Long titles of a summary do not push out how many more there are") func longSummary() {
        let titles = (1...5).map { "\($0) " + String(repeating: "x", count: 78) }
        let popup = PopupPolicy().summary(of: 12, titles: titles, features: Self.full)
        #expect(popup.body.hasPrefix("1 xxx") && popup.body.hasSuffix("…\n… and 7 more"))
        #expect(popup.body.count <= ServerQuirks().bodyLimit)
    }
}
