import Basics
import Testing

@testable import Inbox

/// Texts of services that are written from right to left, beside the agent's own words.
@Suite struct PopupDirectionTests {
    private static let gnome = ServerFeatures(capabilities: ["body"], name: "gnome-shell", version: "43")

    @Test(
        "The second line of a notification does not change the order of the words after it",
        arguments: [
            ("Shop", "Shop · work · Expires in 1 minute"),
            ("חנות", "\u{2068}חנות\u{2069} · work · Expires in 1 minute"),
            ("Shop חנות", "\u{2068}Shop חנות\u{2069} · work · Expires in 1 minute"),
            ("\u{202E}Shop\u{2069}", "Shop · work · Expires in 1 minute"),
        ]
    )
    func subtext(subtext: String, details: String) {
        var policy = PopupPolicy()
        policy.accountNames = ["key": "work"]
        var notification = PopupsDriver.notification(1)
        (notification.body, notification.subtext) = ("", subtext)
        (notification.expires, notification.isExpiryVisible) = (Timestamp(milliseconds: 60_000), true)
        let features = ServerFeatures(capabilities: ["body"])
        let popup = policy.popup(for: notification, of: "key", features: features, now: Timestamp(milliseconds: 0))
        #expect(popup.body == details)
    }

    @Test("Alone, the second line is not isolated") func alone() {
        var notification = PopupsDriver.notification(1)
        (notification.body, notification.subtext) = ("", "חנות")
        let popup = PopupPolicy().popup(for: notification, features: ServerFeatures(capabilities: ["body"]))
        #expect(popup.body == "חנות")
    }

    @Test("The titles of a summary on one line keep their order; on several lines they need no isolation")
    func titles() {
        let (latin, hebrew) = ("Sale", "מבצע")
        let policy = PopupPolicy()
        let line = policy.summary(of: 2, titles: [latin, hebrew], features: Self.gnome)
        #expect(line.body == "Sale · \u{2068}מבצע\u{2069}")
        let hebrewFirst = policy.summary(of: 2, titles: [hebrew, latin], features: Self.gnome)
        #expect(hebrewFirst.body == "מבצע · \u{2068}Sale\u{2069}")
        let lines = policy.summary(of: 2, titles: [latin, hebrew], features: ServerFeatures(capabilities: ["body"]))
        #expect(lines.body == "Sale\nמבצע")
        #expect(policy.summary(of: 2, titles: [latin, latin], features: Self.gnome).body == "Sale · Sale")
    }
}
