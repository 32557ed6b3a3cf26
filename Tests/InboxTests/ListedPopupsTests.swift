import Basics
import Testing

@testable import Inbox

/// GNOME since 46, which closes the popups of a connection that ends: the next run of the agent lists them again.
@Suite struct ListedPopupsTests {
    private static let gnome = ServerFeatures(
        capabilities: ["actions", "body"],
        name: "gnome-shell",
        vendor: "GNOME",
        version: "48.7"
    )
    private static let singly = PopupPolicy(groupAbove: 100)

    /// An agent whose popups were shown by its previous run.
    private static func restarted(
        policy: PopupPolicy = singly,
        showing numbers: [Int],
        meanwhile: (inout PopupsDriver) -> Void = { _ in }
    ) -> (PopupsDriver, [Popups.Effect]) {
        var driver = PopupsDriver(policy: policy, server: nil)
        driver.receive(.serverAppeared(server: "s1", gnome, now: driver.now))
        for number in numbers {
            driver.show(number)
            driver.fire(.burst)
        }
        driver.restart(policy: policy)
        meanwhile(&driver)
        let effects = driver.receive(.serverAppeared(server: "s1", gnome, now: driver.now))
        return (driver, effects)
    }

    @Test("Popups of the previous run are listed again, in their order and without a banner") func listed() {
        var (driver, effects) = Self.restarted(showing: [1, 2, 3])
        let (calls, others) = driver.showAll(effects, id: 11)
        #expect(calls.headlines == ["Nr 1", "Nr 2", "Nr 3"])
        #expect(calls.popups.map(\.urgency) == [0, 0, 0])
        #expect(others == [])
        #expect(driver.kept["s1"]?.keys.sorted() == [11, 12, 13])
        #expect(driver.showings.values.allSatisfy { $0 == 1 })
        #expect(
            driver.invoke(12) == [
                .respond(.activated(PopupsDriver.reference(2), PopupsDriver.url(2), token: nil)), .close(id: 12),
            ]
        )
        #expect(driver.close(13, reason: 2) == [.respond(.seen([PopupsDriver.reference(3)]))])
        driver.restart(policy: Self.singly)
        #expect(driver.receive(.serverAppeared(server: "s1", Self.gnome, now: driver.now)).headlines == ["Nr 1"])
    }

    @Test("Their end with the connection is no dismissal, before and after the server is known") func closed() {
        var (driver, effects) = Self.restarted(showing: [1, 2]) { driver in
            #expect(driver.close(1, reason: 2) == [])
        }
        #expect(driver.close(2, reason: 2) == [])
        let (calls, others) = driver.showAll(effects, id: 11)
        #expect(calls.headlines == ["Nr 1", "Nr 2"] && others == [])
        #expect(driver.close(2, reason: 2) == [])
        #expect(driver.kept["s1"]?.keys.sorted() == [11, 12])
    }

    @Test("A popup that was clicked meanwhile is not listed") func clicked() {
        var (driver, effects) = Self.restarted(showing: [1, 2, 3]) { driver in
            #expect(driver.invoke(1) == [])
        }
        let click = { Popups.Effect.respond(.activated(PopupsDriver.reference($0), PopupsDriver.url($0), token: nil)) }
        #expect(effects.prefix(2) == [click(1), .close(id: 1)])
        #expect(effects.headlines == ["Nr 2"])
        driver.receive(.sent(effects.requests[0]))
        #expect(driver.invoke(2) == [click(2), .close(id: 2)])
        #expect(driver.receive(.read(PopupsDriver.reference(3))) == [.close(id: 3)])
        #expect(driver.answer(effects, id: 12) == [.close(id: 12)], "the third one is not listed")
        #expect(driver.kept["s1"] == [:])
    }

    @Test("Seven popups of the previous run leave room for three more") func room() {
        var (driver, effects) = Self.restarted(policy: PopupPolicy(), showing: Array(1...7))
        driver.answer(effects, id: 11)
        for number in 21...23 {
            let effects = driver.arrive(number)
            #expect(effects.headlines == ["Nr \(number)"])
            #expect(effects.replaced == [0])
            driver.answer(effects, id: UInt32(number))
            driver.fire(.burst)
        }
        let summary = driver.arrive(24)
        #expect(summary.headlines == ["2 new notifications"])
        #expect(summary.replaced == [23], "a summary takes the place of one with a banner")
    }

    @Test("The newest of a thread is shown with a banner, in the place of the listed one") func thread() {
        var effects = RuleEffects()
        effects.replace = .rule
        let policy = PopupPolicy(rules: Rules([Rule(RuleConditions(), effects)]))
        var (driver, listed) = Self.restarted(policy: policy, showing: [1])
        driver.answer(listed, id: 11)
        let shown = driver.arrive(2)
        #expect(shown.headlines == ["Nr 2"])
        #expect(shown.popups.map(\.urgency) == [1])
        #expect(shown.replaced == [0])
        #expect(driver.answer(shown, id: 12) == [.close(id: 11)])
        #expect(driver.arrive(3).replaced == [12])
    }

    @Test("What was sent and not answered before the restart is shown") func unanswered() {
        var driver = PopupsDriver(policy: Self.singly, server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.gnome, now: driver.now))
        let effects = driver.arrive(1)
        driver.receive(.sent(effects.requests[0]))
        driver.end()
        driver.restart(policy: Self.singly)
        driver.receive(.serverAppeared(server: "s1", Self.gnome, now: driver.now))
        #expect(driver.arrive(1).headlines == ["Nr 1"])
    }

    /// GNOME 48 would lose the entry, and others would show the later one without a banner, too.
    @Test("A popup of another urgency takes the place of one that is closed for it", arguments: [false, true])
    func changedUrgency(isLowFirst: Bool) throws {
        var (low, normal) = (RuleEffects(), RuleEffects())
        (low.urgency, low.replace, normal.replace) = (.low, .category, .category)
        let conditions = RuleConditions([.init(.title, [try TextPattern(isLowFirst ? "Nr 1" : "Nr 2")])])
        let rules = Rules([Rule(conditions, low), Rule(RuleConditions(), normal)])
        var driver = PopupsDriver(policy: PopupPolicy(rules: rules), server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.gnome, now: driver.now))
        let build = { PopupsDriver.notification($0, category: "build") }
        driver.answer(driver.arrive([build(1)]), id: 1)
        let next = driver.arrive([build(2)])
        #expect(next.popups.map(\.urgency) == [isLowFirst ? 1 : 0])
        #expect(next.replaced == [1])
        #expect(driver.popups.closesReplaced(next.requests[0]))
        #expect(driver.close(1, reason: 3) == [], "it was not seen")
        #expect(driver.answer(next, id: 2) == [])
        #expect(driver.kept["s1"]?.keys.sorted() == [2])
        if !isLowFirst { return }
        let same = driver.arrive([build(3)])
        #expect(same.replaced == [2])
        #expect(!driver.popups.closesReplaced(same.requests[0]))
    }

    // MARK: Evictions

    /// The driver, with popups that were shown, and a further one that is being shown.
    private static func showing(_ features: ServerFeatures, _ numbers: ClosedRange<Int>, next: Int) -> PopupsDriver {
        var driver = PopupsDriver(policy: singly, server: nil)
        driver.receive(.serverAppeared(server: "s1", features, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        for number in numbers { driver.show(number) }
        let effects = driver.arrive(next)
        driver.receive(.sent(effects.requests[0]))
        return driver
    }

    @Test("The end of the oldest popup while a new one is being shown is no dismissal") func eviction() {
        var driver = Self.showing(PopupsDriver.features, 1...3, next: 4)
        #expect(driver.close(2, reason: 2) == [.respond(.seen([PopupsDriver.reference(2)]))], "not the oldest")
        #expect(driver.close(1, reason: 2) == [])
        driver.receive(.shown(Popups.Request(number: 4), id: 4, now: driver.now))
        #expect(
            driver.close(3, reason: 2) == [.respond(.seen([PopupsDriver.reference(3)]))],
            "no new one is being shown"
        )
        #expect(driver.kept["s1"]?.keys.sorted() == [4])
    }

    /// The signal was sent before the reply, and is handled after it.
    @Test("The end of the oldest popup that arrives with the reply is no dismissal") func evictionWithReply() {
        var driver = Self.showing(PopupsDriver.features, 1...3, next: 4)
        driver.receive(.shown(Popups.Request(number: 4), id: 4, now: driver.now))
        let close = { (id: UInt32) in
            let signal = ServerSignal(server: "s1", id: id, .closed(2))
            return Popups.Event.signal(signal, isBesideReply: true, now: PopupsDriver.now)
        }
        #expect(driver.receive(close(2)) == [.respond(.seen([PopupsDriver.reference(2)]))], "not the oldest")
        #expect(driver.receive(close(1)) == [])
        #expect(driver.close(3, reason: 2) == [.respond(.seen([PopupsDriver.reference(3)]))])
        #expect(driver.receive(close(4)) == [.respond(.seen([PopupsDriver.reference(4)]))], "it is the new one")
    }

    @Test("A popup of the previous run, which may be closed, does not make an eviction a dismissal")
    func evictionAfterRestart() {
        var driver = PopupsDriver(policy: Self.singly)
        driver.show(1)
        driver.restart(policy: Self.singly)
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: driver.now))
        driver.show(2)
        let effects = driver.arrive(3)
        driver.receive(.sent(effects.requests[0]))
        #expect(driver.close(2, reason: 2) == [])
        driver.answer(effects, id: 3)
        let close = ServerSignal(server: "s1", id: 3, .closed(2))
        #expect(
            driver.receive(.signal(close, isBesideReply: true, now: driver.now))
                == [.respond(.seen([PopupsDriver.reference(3)]))],
            "it is the new one"
        )
    }

    @Test("Beyond what a server keeps, the end of the oldest popup is no dismissal, also later") func lateEviction() {
        let cinnamon = ServerFeatures(
            capabilities: ["actions", "body"],
            name: "cinnamon",
            vendor: "GNOME",
            version: "6"
        )
        var driver = Self.showing(cinnamon, 1...9, next: 10)
        driver.receive(.shown(Popups.Request(number: 10), id: 10, now: driver.now))
        let critical = PopupsDriver.notification(11, category: "alarm")
        driver.receive(.policyChanged(PopupPolicy(groupAbove: 100, criticalCategories: ["alarm"])))
        driver.answer(driver.arrive([critical]), id: 11)
        #expect(driver.close(1, reason: 2) == [])
        #expect(driver.close(2, reason: 0) == [.respond(.seen([PopupsDriver.reference(2)]))])
        #expect(driver.close(3, reason: 1) == [])
    }

    @Test("Reasons outside the specification mean nothing on other servers") func otherReasons() {
        var driver = PopupsDriver()
        for (number, reason) in [(1, UInt32(0)), (2, 4), (3, 5)] {
            driver.show(number)
            #expect(driver.close(UInt32(number), reason: reason) == [])
        }
    }

    // MARK: The arguments of Notify

    @Test("Budgie gets an escaped title, and the default action last") func arguments() {
        var popup = Popup(summary: "<b>a</b> & b", body: "")
        popup.buttons = ["default", "buy", "later"].map { Popup.Button(key: $0, label: $0, url: nil) }
        let budgie = ServerQuirks(name: "Budgie Notification Server", vendor: "", version: "10.9.2")
        #expect(budgie.summary(of: popup) == "&lt;b&gt;a&lt;/b&gt; &amp; b")
        #expect(budgie.actions(of: popup).map(\.key) == ["buy", "later", "default"])
        #expect(ServerQuirks().summary(of: popup) == popup.summary)
        #expect(ServerQuirks().actions(of: popup) == popup.buttons)
    }

    @Test(
        "Each server gets a title and a text that it shows as they are",
        arguments: [
            ("notify-osd", "Canonical Ltd", "<\u{2060}b>a<\u{2060}/b> & b", "&lt;b&gt;a&lt;/b&gt; &amp; b"),
            (
                "fnott", "dnkl", "&lt;\u{2060}b&gt;a&lt;\u{2060}/b&gt; &amp; b",
                "&lt;\u{2060}b&gt;a&lt;\u{2060}/b&gt; &amp; b"
            ),
            ("DeepinNotifications", "Deepin", "<b>a</b> & b", "<\u{2060}b>a<\u{2060}/b> & b"),
            ("cosmic-notifications", "System76", "<b>a</b> & b", "&lt;b>a&lt;/b> & b"),
            ("ukui-Notifications", "ukui3.0", "<\u{2060}b>a<\u{2060}/b> & b", "<\u{2060}b>a<\u{2060}/b> & b"),
            ("naughty", "awesome", "<b>a</b> & b", "&lt;b&gt;a&lt;/b&gt; &amp; b"),
        ]
    )
    func texts(_ name: String, _ vendor: String, _ title: String, _ text: String) {
        let capabilities: Set = ["actions", "body", "body-markup"]
        let features = ServerFeatures(capabilities: capabilities, name: name, vendor: vendor, version: "1")
        var notification = PopupsDriver.notification(1)
        notification.title = "<b>a</b> & b"
        notification.body = "&lt;b&gt;a&lt;/b&gt; &amp; b"
        let popup = PopupPolicy().popup(for: notification, features: features)
        #expect(features.quirks.summary(of: popup) == title)
        #expect(popup.body == text)
    }

    @Test("Only Budgie gets another urgency than that of a critical popup", arguments: [UInt8(0), 1, 2])
    func urgency(_ urgency: UInt8) {
        let popup = Popup(summary: "", body: "", urgency: urgency)
        let budgie = ServerQuirks(name: "Budgie Notification Server", vendor: "", version: "10.9.2")
        #expect(budgie.urgency(of: popup) == (urgency == Popup.critical ? 3 : urgency))
        #expect(ServerQuirks().urgency(of: popup) == urgency)
    }
}
