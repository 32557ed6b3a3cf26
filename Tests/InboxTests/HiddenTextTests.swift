import Basics
import Testing

@testable import Inbox

/// Popups of a locked session whose texts are hidden.
@Suite struct HiddenTextTests {
    private typealias Driver = PopupsDriver

    private static func driver(_ name: String, _ vendor: String = "", _ version: String = "") -> Driver {
        var driver = Driver(policy: PopupPolicy(locked: .hideText), server: nil)
        let features = ServerFeatures(capabilities: ["actions", "body"], name: name, vendor: vendor, version: version)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        driver.receive(.locked(true))
        return driver
    }

    @Test(
        "The list shows the text of a popup once the session is unlocked, without a sound or, if it can, a banner",
        arguments: [
            ("gnome-shell", "GNOME", "47.9", Popup.low), ("gnome-shell", "GNOME", "48.7", 1),
            ("gnome-shell", "GNOME", "50.2", 1), ("gnome-shell", "GNOME", "51.0", Popup.low),
            ("Xfce Notify Daemon", "Xfce", "0.9.7", 1),
        ]
    )
    func single(_ name: String, _ vendor: String, _ version: String, _ urgency: UInt8) {
        var driver = Self.driver(name, vendor, version)
        let hidden = driver.arrive(1)
        #expect(hidden.headlines == ["New notification"])
        driver.answer(hidden, id: 1)
        let revealed = driver.receive(.locked(false))
        #expect(revealed.headlines == ["Nr 1"])
        #expect(revealed.replaced == [1])
        #expect(revealed.popups.map(\.urgency) == [urgency])
        #expect(revealed.popups.map(\.sound) == [.silent])
        #expect(!driver.popups.closesReplaced(revealed.requests[0]))
        #expect(driver.answer(revealed, id: 1) == [])
        #expect(driver.kept["s1"]?[1]?.popup.summary == "Nr 1")
        #expect(driver.receive(.locked(false)) == [], "once")
        #expect(driver.invoke(1).count == 2)
    }

    @Test("A summary names its notifications once the session is unlocked") func summary() {
        var driver = Self.driver("gnome-shell", "GNOME", "48.7")
        let hidden = driver.arrive(1, 2, 3, 4)
        #expect(hidden.popups.map(\.body) == [""])
        driver.answer(hidden, id: 1)
        #expect(driver.receive(.locked(false)).popups.map(\.body) == ["Nr 4 · Nr 3 · Nr 2 · Nr 1"])
    }

    @Test("A popup that is sent while the session is being unlocked shows its text then") func inFlight() {
        var driver = Self.driver("gnome-shell", "GNOME", "48.7")
        let hidden = driver.arrive(1)
        #expect(driver.receive(.locked(false)) == [])
        #expect(driver.reply(to: hidden.requests[0], id: 1).headlines == ["Nr 1"])
    }

    /// A server where a replaced popup stays in place, one where it goes to the list, and one where it appears again.
    private static let servers = [
        ("dunst", "knopwob", "1.9"), ("gnome-shell", "GNOME", "47.9"), ("Plasma", "KDE", "6.7"),
    ]

    @Test(
        "Popups that are open when the screen is locked lose their texts, and have them again afterwards",
        arguments: servers.dropLast()
    )
    func openWhenLocked(_ name: String, _ vendor: String, _ version: String) {
        var driver = Self.driver(name, vendor, version)
        driver.receive(.locked(false))
        driver.show(1)
        let hidden = driver.receive(.locked(true))
        #expect(hidden.headlines == ["New notification"] && hidden.replaced == [1])
        #expect(hidden.popups.map(\.sound) == [.silent])
        #expect(driver.answer(hidden, id: 1) == [])
        #expect(driver.kept["s1"]?[1]?.popup.summary == "New notification")
        let revealed = driver.receive(.locked(false))
        #expect(revealed.headlines == ["Nr 1"] && revealed.replaced == [1])
        #expect(driver.answer(revealed, id: 1) == [])
        #expect(
            driver.invoke(1).contains(.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)))
        )
    }

    @Test("A popup that is sent while the screen is being locked loses its text then") func inFlightWhenLocked() {
        var driver = Self.driver("dunst")
        driver.receive(.locked(false))
        let sent = driver.arrive(1)
        #expect(driver.receive(.locked(true)) == [])
        #expect(driver.reply(to: sent.requests[0], id: 1).headlines == ["New notification"])
    }

    @Test("Where replaced popups would appear again, open ones are closed while the screen is locked") func closed() {
        var driver = Self.driver("Plasma", "KDE", "6.7.4")
        driver.receive(.locked(false))
        driver.show(1)
        driver.show(2)
        #expect(driver.receive(.locked(true)) == [.close(id: 1), .close(id: 2)])
        #expect(driver.close(1, reason: Popups.dismissedByUser) == [])
        driver.fire(.burst)
        driver.answer(driver.arrive(3), id: 3)
        let (again, closed) = driver.showAll(driver.receive(.locked(false)), id: 4)
        #expect(again.headlines == ["Nr 1", "Nr 2", "Nr 3"] && again.replaced == [0, 0, 3])
        #expect(closed == [.close(id: 1), .close(id: 2)])
    }

    // MARK: Without texts, locked or not

    private static func policy(_ text: PopupPolicy.Text) -> PopupPolicy {
        var policy = PopupPolicy(text: text, ownButtons: [.read, .archive])
        policy.accountNames = ["work": "Work"]
        policy.namesAccounts = false
        return policy
    }

    private static var secret: Notification {
        var notification = PopupsDriver.notification(1, category: "salaries")
        notification.body = "secret"
        notification.actions = [.init(id: "approve", name: "Approve the raise", url: "https://example.com/yes")]
        return notification
    }

    @Test("Open popups lose their texts when they are hidden, and have them again at once", arguments: servers)
    func switched(_ name: String, _ vendor: String, _ version: String) throws {
        var driver = Self.driver(name, vendor, version)
        driver.receive(.locked(false))
        driver.receive(.policyChanged(Self.policy(.show)))
        driver.answer(driver.arrive([Self.secret]), id: 1)
        let hidden = driver.receive(.policyChanged(Self.policy(.hide)))
        let popup = try #require(hidden.popups.first)
        #expect(popup.summary == "New notification from Work" && popup.body.isEmpty && popup.category.isEmpty)
        #expect(popup.buttons.map(\.label) == ["Open", "Mark as read", "Archive"])
        driver.answer(hidden, id: 1)
        #expect(driver.receive(.policyChanged(Self.policy(.hide))) == [], "once")
        #expect(driver.receive(.locked(true)) == [] && driver.receive(.locked(false)) == [])
        let shown = driver.receive(.policyChanged(Self.policy(.show)))
        #expect(
            shown.headlines == ["Nr 1"]
                && shown.popups.first?.buttons.map(\.label).contains("Approve the raise") == true
        )
    }

    @Test("Where each would appear again, popups without texts become one summary, and elsewhere stay") func several() {
        for (name, shown) in [
            ("Plasma", ["2 new notifications"]), ("dunst", Array(repeating: "New notification from Work", count: 2)),
        ] {
            var driver = Self.driver(name)
            driver.receive(.locked(false))
            driver.receive(.policyChanged(Self.policy(.show)))
            driver.show(1)
            driver.show(2)
            let isPlasma = name == "Plasma"
            let changes = driver.receive(.policyChanged(Self.policy(.hide)))
            let (hidden, others) = driver.showAll(changes, id: isPlasma ? 2 : 1)
            #expect(hidden.headlines == shown && hidden.popups.allSatisfy { $0.body.isEmpty })
            #expect(others.count == (isPlasma ? 1 : 0))
        }
    }

    @Test("Budgie shows no popup in place of another, which is closed first") func replacedByClosing() {
        var driver = Self.driver("Budgie Notification Server", "", "10.9")
        driver.receive(.locked(false))
        driver.show(1)
        let hidden = driver.receive(.policyChanged(Self.policy(.hide)))
        #expect(driver.popups.closesReplaced(hidden.requests[0]))
        #expect(driver.close(1, reason: 3) == [])
        #expect(driver.answer(hidden, id: 2) == [])
        #expect(driver.receive(.policyChanged(Self.policy(.show))).headlines == ["Nr 1"])
    }

    @Test("New popups without texts have no picture, and their buttons work") func new() {
        var driver = PopupsDriver(policy: Self.policy(.hide))
        var notification = Self.secret
        notification.avatar = "https://example.com/a.png"
        let effects = driver.arrive([notification])
        #expect(effects.headlines == ["New notification from Work"] && effects.count == 1)
        driver.answer(effects, id: 1)
        let archived = driver.invoke(1, "feedbell-archive")
        #expect(archived.first == .respond(.chosen(.archive, PopupsDriver.reference(1))))
        driver.fire(.burst)
        let summary = driver.arrive(2, 3, 4, 5)
        #expect(summary.headlines == ["4 new notifications"] && summary.popups.allSatisfy { $0.body.isEmpty })
    }

    @Test("On a server without bodies, a summary has no titles, either") func noBody() {
        var driver = PopupsDriver(policy: Self.policy(.hide), server: nil)
        driver.receive(.serverAppeared(server: "s1", ServerFeatures(capabilities: []), now: driver.now))
        let popups = driver.arrive(1, 2, 3, 4).popups
        #expect(popups.map(\.summary) == ["4 new notifications"] && popups.allSatisfy { $0.buttons.isEmpty })
    }

    @Test("The popups of the previous run lose their texts, too") func restarted() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.restart(policy: Self.policy(.hide))
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        let hidden = driver.receive(.policyChanged(Self.policy(.hide)))
        #expect(hidden.headlines == ["New notification from Work"] && hidden.replaced == [1])
    }

    @Test("A picture that arrives late shows no text again") func latePicture() {
        var driver = PopupsDriver(policy: Self.policy(.show), server: nil)
        let features = ServerFeatures(capabilities: ["actions", "body"], name: "dunst", vendor: "", version: "1")
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        var notification = Self.secret
        notification.avatar = "https://example.com/a.png"
        driver.arrive([notification])
        driver.answer(driver.fire(.picture), id: 1)
        driver.answer(driver.receive(.policyChanged(Self.policy(.hide))), id: 1)
        let late = driver.receive(.pictureLoaded(PictureURL(notification.avatar)!, file: "/p.png")).popups
        #expect(late.allSatisfy { $0.summary == "New notification from Work" && $0.picture.isEmpty && $0.body.isEmpty })
    }

    @Test("A later summary has the title of a popup whose text was hidden") func title() {
        var driver = Self.driver("Plasma", "KDE", "6.7.4")
        driver.answer(driver.arrive(1, 2, 3), id: 1)
        driver.showAll(driver.receive(.locked(false)))
        driver.arrive(4)
        #expect(driver.fire(.burst).popups.map(\.body) == ["Nr 4\nNr 3\nNr 2\nNr 1"])
    }
}
