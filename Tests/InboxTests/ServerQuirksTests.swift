import Basics
import Testing

@testable import Inbox

/// Notification servers that differ from others.
@Suite struct ServerQuirksTests {
    private static let mate = features("Notification Daemon", "MATE", "1.26.0")
    private static let mako = features("mako", "emersion", "0.0.0")
    private static let gnome = features("gnome-shell", "GNOME", "43.9")
    private static let xfce = features("Xfce Notify Daemon", "Xfce", "0.7.3")

    private static func features(_ name: String, _ vendor: String, _ version: String) -> ServerFeatures {
        ServerFeatures(capabilities: ["actions", "body"], name: name, vendor: vendor, version: version)
    }

    private static func driver(_ features: ServerFeatures, policy: PopupPolicy = PopupPolicy()) -> PopupsDriver {
        var driver = PopupsDriver(policy: policy, server: nil)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        return driver
    }

    private static func activated(_ number: Int) -> Popups.Effect {
        .respond(.activated(PopupsDriver.reference(number), PopupsDriver.url(number), token: nil))
    }

    @Test("Servers are known by name, vendor and version") func table() {
        func quirks(_ name: String, _ vendor: String, _ version: String) -> ServerQuirks {
            ServerQuirks(name: name, vendor: vendor, version: version)
        }
        #expect(quirks("Notification Daemon", "MATE", "1.26.0").reportsDismissalAsExpiry)
        #expect(!quirks("Notification Daemon", "MATE", "1.26.0").keepsExpired)
        #expect(quirks("Notification Daemon", "GNOME", "3.20.0").keepsExpired)
        #expect(!quirks("Notification Daemon", "GNOME", "3.20.0").reportsDismissalAsExpiry)
        #expect(quirks("Notification Daemon", "GNOME", "3.20.0").leavesClosed)
        #expect(!quirks("Notification Daemon", "MATE", "1.26.0").leavesClosed)
        #expect(quirks("gnome-shell", "GNOME", "47.1").keptPopups == 3)
        #expect(quirks("gnome-shell", "GNOME", "48.beta").keptPopups == 10)
        #expect(!quirks("gnome-shell", "GNOME", "45.9").closesWithSender)
        #expect(quirks("gnome-shell", "GNOME", "46.0").closesWithSender)
        #expect(quirks("cinnamon", "GNOME", "6.4.10").dismissalReasons == [0, 2])
        #expect(quirks("cinnamon", "GNOME", "6.4.10").keptPopups == 10)
        #expect(quirks("cinnamon", "GNOME", "6.4.10").discardsWhenQuiet)
        #expect(quirks("Budgie Notification Server", "Budgie Desktop Developers", "10.9.2").discardsWhenQuiet)
        #expect(quirks("lxqt-notificationd", "lxqt.org", "2.0.1").needsPixels)
        #expect(!quirks("lxqt-notificationd", "lxqt.org", "2.1.0").needsPixels)
        #expect(quirks("Plasma", "KDE", "6.3.9").needsResident)
        #expect(!quirks("Plasma", "KDE", "6.4").needsResident)
        #expect(!quirks("Plasma", "KDE", "6.3.9").forgetsSender)
        #expect(quirks("Plasma", "KDE", "6.7.4").forgetsSender)
        #expect(quirks("naughty", "awesome", "v4.3").needsIconPath)
        #expect(quirks("dunst", "knopwob", "1.9.0 (2022-06-27)").needsIconPath)
        #expect(quirks("lxqt-notificationd", "lxqt.org", "1.2.0").discardsWhenQuiet)
        #expect(quirks("another", "", "x.y.z") == ServerQuirks())
    }

    // MARK: MATE

    @Test(
        "On MATE an expiry before the end of the timeout is a dismissal",
        arguments: [
            (PopupPolicy.Timeout.serverDefault, 6_000, true), (.serverDefault, 7_000, false),
            (.serverDefault, 60_000, false), (.after(milliseconds: 2_000), 1_000, true),
            (.after(milliseconds: 2_000), 2_100, false), (.never, 1_000_000, true),
        ]
    )
    func earlyExpiry(_ timeout: PopupPolicy.Timeout, _ elapsed: Int64, isSeen: Bool) {
        var driver = Self.driver(Self.mate, policy: PopupPolicy(timeout: timeout))
        let effects = driver.arrive(1)
        #expect(effects.popups.map(\.timeout) == [timeout == .never ? 0 : timeout == .serverDefault ? 7_000 : 2_000])
        driver.answer(effects, id: 1)
        driver.now = driver.now.advanced(milliseconds: elapsed)
        #expect(
            driver.close(1, reason: Popups.expired) == (isSeen ? [.respond(.seen([PopupsDriver.reference(1)]))] : [])
        )
        #expect(driver.kept["s1"] == [:])
    }

    @Test("Elsewhere an expiry is no dismissal") func ordinaryExpiry() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.now = driver.now.advanced(milliseconds: 5_000)
        #expect(driver.close(1, reason: Popups.expired) == [])
    }

    // MARK: notification-daemon

    @Test("On notification-daemon popups are transient") func transient() {
        let daemon = Self.features("Notification Daemon", "GNOME", "3.20.0")
        for (features, isTransient) in [(daemon, true), (PopupsDriver.features, false)] {
            let popup = PopupPolicy().popup(for: PopupsDriver.notification(1), features: features)
            #expect(popup.isTransient == isTransient)
        }
    }

    // MARK: mako

    @Test("On mako a popup that is shown again can be clicked", arguments: [false, true])
    func restored(isAfterRestart: Bool) {
        var driver = Self.driver(Self.mako)
        driver.show(1)
        driver.show(2)
        #expect(driver.close(1, reason: 2) == [.respond(.seen([PopupsDriver.reference(1)]))])
        #expect(driver.receive(.seenElsewhere(PopupsDriver.reference(1))) == [], "the service confirms it")
        #expect(driver.close(1, reason: 2) == [], "it was shown again")
        if isAfterRestart {
            driver.restart()
            driver.receive(.serverAppeared(server: "s1", Self.mako, now: driver.now))
        }
        #expect(driver.invoke(1) == [Self.activated(1), .close(id: 1)])
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(1))) == [.close(id: 1)])
        #expect(driver.invoke(1) == [])
        #expect(driver.kept["s1"]?.keys.sorted() == [2])
    }

    @Test("A closed popup is not replaced by a summary, and few are kept") func closedPopups() {
        var driver = Self.driver(Self.mako)
        driver.answer(driver.arrive(1, 2, 3, 4), id: 1)
        _ = driver.close(1, reason: 2)
        driver.fire(.burst)
        let summary = driver.arrive(5, 6, 7, 8)
        #expect(summary.headlines == ["4 new notifications"])
        #expect(summary.replaced == [0])
        driver.answer(summary, id: 5)
        _ = driver.close(5, reason: 2)
        driver.fire(.burst)
        for number in 100..<200 {
            driver.show(number)
            driver.fire(.burst)
            _ = driver.close(UInt32(number), reason: 1)
        }
        #expect(driver.kept["s1"]?.count == Popups.closedLimit)
        #expect(driver.invoke(199) == [Self.activated(199), .close(id: 199)])
        #expect(driver.invoke(149) == [])
    }

    // MARK: GNOME

    @Test("GNOME gets two single popups and a summary, with its titles on one line") func threePopups() {
        var driver = Self.driver(Self.gnome)
        for number in 1...3 {
            #expect(driver.arrive(number).headlines == ["Nr \(number)"])
            let request = Popups.Request(number: UInt64(number))
            driver.receive(.shown(request, id: UInt32(number), now: driver.now))
            driver.fire(.burst)
        }
        for number in 4...6 {
            let effects = driver.arrive(number)
            #expect(effects.headlines == ["\(number - 2) new notifications"])
            #expect(effects.replaced == [3])
            driver.answer(effects, id: 3)
            driver.fire(.burst)
            guard number == 5 else { continue }
            #expect(effects.popups.map(\.body) == ["Nr 5 · Nr 4 · Nr 3"])
        }
        #expect(
            driver.invoke(3) == [
                .respond(.seen([3, 4, 5, 6].map { PopupsDriver.reference($0) })),
                .respond(.openInbox(accounts: ["work"], newest: PopupsDriver.reference(6), token: nil)), .close(id: 3),
            ]
        )
        #expect(driver.arrive(7).headlines == ["Nr 7"])
    }

    @Test("Several notifications share the last place on GNOME") func lastPlace() {
        var driver = Self.driver(Self.gnome)
        driver.show(1)
        driver.show(2)
        driver.fire(.burst)
        let effects = driver.arrive(3, 4)
        #expect(effects.headlines == ["2 new notifications"])
        #expect(effects.replaced == [0])
    }

    @Test("Popups of the previous run are not replaced on GNOME, which refuses it") func foreignPopups() {
        var driver = Self.driver(Self.gnome)
        driver.answer(driver.arrive(1, 2, 3, 4), id: 1)
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", Self.gnome, now: driver.now))
        #expect(driver.arrive(5, 6, 7, 8).replaced == [0])
        #expect(driver.invoke(1).count == 3, "a click on it counts")
    }

    // MARK: notify-osd

    private static let notifyOSD = ServerFeatures(
        capabilities: ["body"],
        name: "notify-osd",
        vendor: "Canonical Ltd",
        version: "1.0"
    )

    @Test("On notify-osd a summary takes the place of the popup on the screen, not of one that waits for its turn")
    func queuedPopups() {
        var driver = Self.driver(Self.notifyOSD)
        driver.answer(driver.arrive(1, 2, 3), id: 1)
        driver.arrive(4, 5)
        let summary = driver.fire(.burst)
        #expect(summary.headlines == ["5 new notifications"])
        #expect(summary.replaced == [1])
        #expect(!driver.popups.closesReplaced(summary.requests[0]))
        #expect(driver.answer(summary, id: 1) == [.close(id: 2), .close(id: 3)])
    }

    @Test("On notify-osd a popup that waits for its turn is closed for a later one of its thread") func queuedThread() {
        var effects = RuleEffects()
        effects.replace = .category
        var driver = Self.driver(Self.notifyOSD, policy: PopupPolicy(rules: Rules([Rule(RuleConditions(), effects)])))
        driver.show(1)
        driver.answer(driver.arrive([PopupsDriver.notification(2, category: "build")]), id: 2)
        for (number, closes) in [(3, true), (4, false)] {
            let next = driver.arrive([PopupsDriver.notification(number, category: "build")])
            #expect(next.replaced == [2])
            #expect(driver.popups.closesReplaced(next.requests[0]) == closes)
            _ = driver.close(1, reason: 1)
            driver.answer(next, id: 2)
            driver.fire(.burst)
        }
    }

    // MARK: Pantheon and quickshell

    @Test("A server that joins the lines of a text gets the titles of a summary with dots between them")
    func separator() {
        for name in ["io.elementary.notifications", "quickshell"] {
            let features = Self.features(name, "", "")
            let popup = PopupPolicy().summary(of: 2, titles: ["Nr 2", "Nr 1"], features: features)
            #expect(popup.body == "Nr 2 · Nr 1", "\(name)")
        }
    }

    // MARK: Do-not-disturb

    @Test("A server that discards popups gets none before its do-not-disturb is known") func unknownQuiet() {
        var driver = PopupsDriver(server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.xfce, now: driver.now))
        #expect(driver.arrive(1) == [])
        #expect(driver.receive(.quietKnown(server: "s0", now: driver.now)) == [], "that of another server")
        #expect(driver.receive(.quietKnown(server: "s1", now: driver.now)).headlines == ["Nr 1"])
        driver.fire(.burst)
        #expect(driver.receive(.serverVanished) == [.needServer], "the call was not answered")
        driver.receive(.serverAppeared(server: "s2", Self.xfce, now: driver.now))
        driver.receive(.held(.doNotDisturb, exceptCritical: false))
        #expect(driver.receive(.quietKnown(server: "s2", now: driver.now)) == [])
        #expect(driver.receive(.released(.doNotDisturb, now: driver.now)).headlines == ["Nr 1"])
    }

    // MARK: Seen elsewhere

    @Test("A popup is closed when its notification was seen elsewhere, unless popups mark it as seen")
    func seenElsewhere() {
        for markSeen in PopupPolicy.MarkSeen.allCases {
            var driver = PopupsDriver(policy: PopupPolicy(markSeen: markSeen))
            driver.show(1)
            let effects = driver.receive(.seenElsewhere(PopupsDriver.reference(1)))
            #expect(effects == (markSeen == .shown ? [] : [.close(id: 1)]))
        }
    }
}
