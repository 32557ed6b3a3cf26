import Basics
import Testing

@testable import Inbox

/// Pictures of popups.
@Suite struct PopupPicturesTests {
    private static let dunst = ServerFeatures(capabilities: ["actions", "body"], name: "dunst", vendor: "knopwob")
    private static let gnome = ServerFeatures(capabilities: ["actions", "body"], name: "gnome-shell", version: "43")

    private static func url(_ name: String = "a") -> PictureURL { PictureURL("https://example.com/\(name).png")! }

    private static func notification(_ number: Int, avatar: String? = nil) -> Notification {
        var notification = PopupsDriver.notification(number)
        notification.avatar = avatar ?? url().text
        return notification
    }

    private static func driver(
        _ features: ServerFeatures = dunst,
        policy: PopupPolicy = PopupPolicy()
    ) -> PopupsDriver {
        var driver = PopupsDriver(policy: policy, server: nil)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        return driver
    }

    private static func pictures(_ effects: [Popups.Effect]) -> [String] { effects.popups.map(\.picture) }

    // MARK: Before the popup

    @Test("A popup waits for its picture, and shows it") func inTime() {
        var driver = Self.driver()
        #expect(driver.arrive([Self.notification(1)]) == [.loadPicture(Self.url())])
        #expect(driver.waits[.picture] == .milliseconds(300))
        let effects = driver.receive(.pictureLoaded(Self.url(), file: "/p.png"))
        #expect(effects.headlines == ["Nr 1"] && Self.pictures(effects) == ["/p.png"] && effects.replaced == [0])
        driver.answer(effects, id: 1)
        #expect(driver.fire(.picture) == [])
        #expect(
            driver.invoke(1).contains(.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)))
        )
    }

    @Test("A popup that dunst shows again after a restart of the agent keeps its picture") func restart() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.answer(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")), id: 1)
        driver.restart()
        let effects = driver.receive(.serverAppeared(server: "s1", Self.dunst, closed: [], now: driver.now))
        #expect(effects.replaced == [1] && Self.pictures(effects) == ["/p.png"])
    }

    @Test("A popup without a picture does not wait, also beside one that does") func withoutPicture() {
        var driver = Self.driver()
        let effects = driver.arrive([Self.notification(1), Self.notification(2, avatar: "")])
        #expect(effects.headlines == ["Nr 2"])
        driver.answer(effects, id: 2)
        #expect(driver.receive(.pictureLoaded(Self.url(), file: nil)).headlines == ["Nr 1"], "there is no picture")
    }

    @Test("A popup waits for at most 300 ms, also if others came before it") func timeout() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.now = driver.now.advanced(milliseconds: 100)
        #expect(driver.arrive([Self.notification(2)]) == [.loadPicture(Self.url())])
        driver.now = driver.now.advanced(milliseconds: -100)
        let first = driver.fire(.picture)
        #expect(first.headlines == ["Nr 1"])
        driver.answer(first, id: 1)
        #expect(driver.waits[.picture] == .milliseconds(100))
        #expect(driver.fire(.picture).headlines == ["Nr 2"])
        #expect(driver.waits[.picture] == nil)
    }

    @Test("A clock that is set back does not make a popup wait longer") func clockSetBack() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.now = Timestamp(milliseconds: -1_000_000)
        #expect(driver.fire(.picture).headlines == ["Nr 1"])
    }

    @Test("Nothing is loaded without need") func nothingLoaded() {
        var several = Self.driver()
        #expect(several.arrive((1...4).map { Self.notification($0) }).headlines == ["4 new notifications"])
        var off = Self.driver(policy: PopupPolicy(hasPictures: false))
        #expect(off.arrive([Self.notification(1)]).headlines == ["Nr 1"])
        var locked = Self.driver(policy: PopupPolicy(locked: .hideText))
        locked.receive(.locked(true))
        #expect(locked.arrive([Self.notification(1)]).headlines == ["New notification"])
        var refused = Self.driver()
        #expect(refused.arrive([Self.notification(1, avatar: "http://example.com/a.png")]).headlines == ["Nr 1"])
        let unknown = ServerFeatures(capabilities: ["body"], isKnown: false)
        var asked = Self.driver(unknown)
        #expect(asked.arrive([Self.notification(1)]).headlines == ["Nr 1"])
    }

    @Test("What is held back loads its picture when it is shown") func held() {
        var driver = Self.driver()
        driver.receive(.held(.pause, exceptCritical: false))
        #expect(driver.arrive([Self.notification(1)]) == [])
        #expect(driver.receive(.released(.pause, now: driver.now)) == [.loadPicture(Self.url())])
    }

    @Test("A notification that was read before its popup is shown gets none") func withdrawnBefore() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(1))) == [])
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
        #expect(driver.fire(.picture) == [])
    }

    @Test("A popup that waits for its picture when the server ends is shown by the next one") func lostServer() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        #expect(driver.receive(.serverVanished) == [.needServer])
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
        driver.fire(.burst)
        let effects = driver.receive(.serverAppeared(server: "s2", Self.dunst, now: driver.now))
        #expect(effects == [.loadPicture(Self.url())])
    }

    // MARK: After the popup

    @Test("A late picture completes the open popup, which is still the same") func late() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.answer(driver.fire(.picture), id: 7)
        let effects = driver.receive(.pictureLoaded(Self.url(), file: "/p.png"))
        #expect(effects.headlines == ["Nr 1"] && Self.pictures(effects) == ["/p.png"] && effects.replaced == [7])
        #expect(driver.answer(effects, id: 7) == [])
        #expect(driver.showings == [NotificationID("1"): 1])
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [], "once")
        #expect(
            driver.invoke(7) == [
                .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 7),
            ]
        )
    }

    @Test("A picture that comes before the server's reply completes the popup after it") func beforeReply() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        let shown = driver.fire(.picture)
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
        let effects = driver.reply(to: shown.requests[0], id: 7)
        #expect(effects.replaced == [7] && Self.pictures(effects) == ["/p.png"])
    }

    @Test("On a full server a popup takes the room that was made for it, with its picture") func full() {
        var driver = Self.driver()
        driver.answer(driver.arrive([Self.notification(1, avatar: "")]), id: 1)
        _ = driver.arrive([Self.notification(2)])
        let rejected = driver.receive(.pictureLoaded(Self.url(), file: "/p.png"))
        let effects = driver.receive(.refusedAsFull(rejected.requests[0], now: driver.now))
        #expect(effects.headlines == ["Nr 2"] && effects.replaced == [1] && Self.pictures(effects) == ["/p.png"])
        #expect(driver.popups.closesReplaced(effects.requests[0]))
    }

    @Test("Where a replaced popup would appear again, a late picture is not shown") func noReplacement() {
        for features in [Self.gnome, ServerFeatures(capabilities: ["body"], name: "another")] {
            var driver = Self.driver(features)
            _ = driver.arrive([Self.notification(1)])
            driver.answer(driver.fire(.picture), id: 7)
            #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
        }
    }

    @Test("A closed popup is not completed") func closed() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.answer(driver.fire(.picture), id: 7)
        _ = driver.close(7, reason: Popups.expired)
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
    }

    @Test("A popup that is closed while it is completed stays closed") func closedMeanwhile() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.answer(driver.fire(.picture), id: 7)
        let effects = driver.receive(.pictureLoaded(Self.url(), file: "/p.png"))
        driver.receive(.sent(effects.requests[0]))
        #expect(driver.close(7, reason: Popups.dismissedByUser) == [.respond(.seen([PopupsDriver.reference(1)]))])
        #expect(driver.answer(effects, id: 7) == [.close(id: 7)])
        #expect(driver.invoke(7) == [])
        #expect(driver.kept["s1"] == [:])
    }

    @Test("A picture that does not come leaves the popup as it is") func failure() {
        var driver = Self.driver()
        _ = driver.arrive([Self.notification(1)])
        driver.answer(driver.fire(.picture), id: 7)
        #expect(driver.receive(.pictureLoaded(Self.url(), file: nil)) == [])
        #expect(driver.receive(.pictureLoaded(Self.url(), file: "/p.png")) == [])
    }

    @Test("One picture completes every popup that lacks it") func shared() {
        var driver = Self.driver()
        let wanted = driver.arrive([
            Self.notification(1), Self.notification(2), Self.notification(3, avatar: "https://b"),
        ])
        #expect(wanted == [.loadPicture(Self.url()), .loadPicture(Self.url()), .loadPicture(PictureURL("https://b")!)])
        driver.answer(driver.fire(.picture), id: 1)
        let effects = driver.receive(.pictureLoaded(Self.url(), file: "/p.png"))
        #expect(driver.showAll(effects, id: 1).calls.replaced == [1, 2])
        #expect(driver.receive(.pictureLoaded(PictureURL("https://b")!, file: "/b.png")).replaced == [3])
    }

    @Test("The servers that show no files, and those that replace popups in place") func quirks() {
        func quirks(_ name: String, _ version: String, vendor: String = "") -> ServerQuirks {
            ServerQuirks(name: name, vendor: vendor, version: version)
        }
        #expect(quirks("lxqt-notificationd", "1.2.0").needsPixels)
        #expect(!quirks("lxqt-notificationd", "2.1.0").needsPixels)
        for name in ["dunst", "mako", "Notification Daemon", "Xfce Notify Daemon", "lxqt-notificationd"] {
            #expect(quirks(name, "1.9.0").replacesInPlace)
        }
        #expect(quirks("Notification Daemon", "1.26.0", vendor: "MATE").replacesInPlace)
        #expect(!quirks("gnome-shell", "47").replacesInPlace)
        #expect(!quirks("Plasma", "6.4").replacesInPlace)
        #expect(!ServerQuirks().replacesInPlace)
    }
}
