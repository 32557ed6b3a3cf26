import Basics
import Testing

@testable import Inbox

/// Buttons of popups that are not the sender's.
@Suite struct PopupActionTests {
    private static let notification = PopupPolicyTests.notification {
        $0.actions = [.init(id: "first", name: "Buy", url: ""), .init(id: "second", name: "Later", url: "")]
    }

    private func buttons(_ name: String, _ own: [PopupAction], of notification: Notification) -> [String] {
        let features = ServerFeatures(capabilities: ["actions", "body"], name: name, vendor: "", version: "50")
        return PopupPolicy(ownButtons: own).popup(for: notification, features: features).buttons.map(\.label)
    }

    @Test("There are none by default") func none() {
        #expect(buttons("dunst", [], of: Self.notification) == ["Open", "Buy", "Later"])
    }

    @Test(
        "They follow the sender's in the configured order, as far as the server shows them",
        arguments: [
            (
                "dunst", ["Open", "Buy", "Later", "In an hour", "Mark as read", "Archive"],
                ["In an hour", "Mark as read"]
            ),
            ("gnome-shell", ["Open", "Buy", "Later"], ["In an hour", "Mark as read"]),
            ("lxqt-notificationd", ["Open", "Buy", "Later"], ["In an hour", "Mark as read"]),
        ]
    ) func order(server: String, besideTwo: [String], alone: [String]) {
        #expect(buttons(server, [.snooze, .read, .archive], of: Self.notification) == besideTwo)
        #expect(buttons(server, [.snooze, .read], of: PopupPolicyTests.notification()) == ["Open"] + alone)
    }

    @Test("A summary and a server without actions have none") func without() {
        let policy = PopupPolicy(ownButtons: [.read])
        #expect(policy.summary(of: 3, titles: [], features: PopupPolicyTests.full).buttons.count == 1)
        let features = ServerFeatures(capabilities: ["body"])
        #expect(policy.popup(for: Self.notification, features: features).buttons.isEmpty)
    }

    @Test("Their keys consist of letters and hyphens, and stand for the same action in the next run")
    func keys() {
        for action in PopupAction.allCases {
            #expect(action.key.allSatisfy { $0 == "-" || $0.isLowercase })
            #expect(PopupAction(key: action.key) == action)
        }
        for key in ["default", "first-button", "read", "feedbell-", "feedbell-x"] {
            #expect(PopupAction(key: key) == nil)
        }
    }

    @Test("A click performs the action once and closes the popup; also after a restart", arguments: [false, true])
    func click(isRestarted: Bool) {
        let policy = PopupPolicy(ownButtons: [.archive])
        var driver = PopupsDriver(policy: policy)
        driver.show(1)
        if isRestarted {
            driver.restart()
            driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        }
        let expected: [Popups.Effect] = [.respond(.chosen(.archive, PopupsDriver.reference(1))), .close(id: 1)]
        #expect(driver.invoke(1, "feedbell-archive") == expected)
        #expect(driver.invoke(1, "feedbell-archive") == [])
    }

    @Test("A button that was not offered does nothing") func notOffered() {
        var driver = PopupsDriver()
        driver.show(1)
        #expect(driver.invoke(1, "feedbell-archive") == [])
    }
}
