import Basics
import Testing

@testable import Inbox

/// The line below the text of a popup.
@Suite struct PopupDetailsTests {
    private static let minute: Int64 = 60_000

    private func popup(
        _ names: [String: String] = [:],
        capabilities: Set<String> = ["body"],
        change: (inout Notification) -> Void = { _ in }
    ) -> Popup {
        var policy = PopupPolicy()
        policy.accountNames = names
        var notification = PopupsDriver.notification(1)
        notification.body = "Text"
        notification.subtext = "Shop"
        change(&notification)
        let features = ServerFeatures(capabilities: capabilities)
        return policy.popup(for: notification, of: "key", features: features, now: Timestamp(milliseconds: 0))
    }

    @Test("The account is named if there are several") func account() {
        #expect(popup().body == "Text\nShop")
        #expect(popup(["key": "work", "other": "home"]).body == "Text\nShop · work")
        #expect(popup(["key": "work"]) { ($0.body, $0.subtext) = ("", "") }.body == "work")
        let long = popup(["key": String(repeating: "x", count: 100)]) { $0.subtext = "" }
        #expect(long.body == "Text\n" + String(repeating: "x", count: 19) + "…")
    }

    @Test("Plasma shows the account beside the program's name") func origin() {
        let popup = popup(["key": "work"], capabilities: ["body", "x-kde-origin-name"])
        #expect(popup.body == "Text\nShop")
        #expect(popup.origin == "work")
        #expect(self.popup(["key": "work"]).origin == "")
    }

    @Test("The expiry is shown if the sender wants that") func expiry() {
        let expires = Timestamp(milliseconds: 10 * Self.minute)
        #expect(popup { $0.expires = expires }.body == "Text\nShop")
        let visible = popup {
            $0.expires = expires
            $0.isExpiryVisible = true
        }
        #expect(visible.body == "Text\nShop · Expires in 10 minutes")
    }

    @Test(
        "The remaining time is rounded to the largest unit",
        arguments: [
            (1, "1 minute"), (90, "2 minutes"), (3_569, "59 minutes"), (3_570, "1 hour"), (5_400, "2 hours"),
            (84_500, "23 hours"), (86_400, "1 day"), (864_000, "10 days"),
        ]
    )
    func remainingTime(seconds: Int64, text: String) {
        #expect(RemainingTime(.seconds(seconds)).sentence == "Expires in " + text)
    }

    @Test("A long text leaves room for the details") func longText() {
        let body = popup(["key": "work"]) { $0.body = String(repeating: "four ", count: 200) }.body
        #expect(body.count <= 400)
        #expect(body.hasSuffix("…\nShop · work"))
    }
}
