import Basics
import Inbox
import TestSupport
import Testing

@Suite struct PopupsTests {
    @Test("A click opens the link once, with its activation token, and closes the popup") func click() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        #expect(driver.send(token: "tok", of: 2) == [])
        #expect(
            driver.invoke(2) == [
                .respond(.activated(PopupsDriver.reference(2), PopupsDriver.url(2), token: "tok")), .close(id: 2),
            ]
        )
        #expect(driver.invoke(2) == [], "once is enough")
        #expect(driver.close(2, reason: 2) == [])
    }

    @Test("Signals with an unknown server, id or action are ignored")
    func foreignSignals() {
        var driver = PopupsDriver()
        driver.show(1)
        #expect(driver.invoke(1, server: "s9") == [])
        #expect(driver.invoke(77) == [])
        #expect(driver.invoke(1, "never-offered") == [])
    }

    @Test(
        "Only a dismissal marks a notification as seen, and only if configured",
        arguments: [
            (UInt32(2), PopupPolicy.MarkSeen.dismissed, true), (1, .dismissed, false), (3, .dismissed, false),
            (2, .never, false),
        ]
    )
    func dismissal(_ reason: UInt32, _ markSeen: PopupPolicy.MarkSeen, _ isSeen: Bool) {
        var driver = PopupsDriver(policy: PopupPolicy(markSeen: markSeen))
        driver.show(1)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        #expect(driver.close(1, reason: reason) == (isSeen ? [.respond(.seen([PopupsDriver.reference(1)]))] : []))
    }

    @Test(
        "Only a click counts as a click, and no other end of a popup",
        arguments: [PopupPolicy.MarkSeen.never, .shown, .dismissed],
        [1, 2, 3, 4, 99] as [UInt32]
    )
    func onlyAClickCounts(markSeen: PopupPolicy.MarkSeen, reason: UInt32) {
        var driver = PopupsDriver(policy: PopupPolicy(markSeen: markSeen))
        var effects: [Popups.Effect] = []
        for number in 1...4 { effects += driver.show(number) }
        effects += driver.send(token: "tok", of: 1)
        effects += driver.close(1, reason: reason)
        effects += driver.invoke(1)
        effects += driver.receive(.withdrawn(PopupsDriver.reference(2)))
        effects += driver.invoke(2)
        effects += driver.receive(.locked(true)) + driver.receive(.locked(false))
        effects += driver.receive(.serverVanished)
        effects += driver.receive(.serverAppeared(server: "s2", PopupsDriver.features, now: driver.now))
        effects += driver.close(3, reason: reason, server: "s2")
        effects += driver.receive(.accountRemoved("work"))
        #expect(!effects.contains { if case .respond(.activated) = $0 { true } else { false } }, "\(effects)")
    }

    @Test("A shown popup marks its notification as seen, if configured") func seenWhenShown() {
        var driver = PopupsDriver(policy: PopupPolicy(markSeen: .shown))
        #expect(driver.show(1) == [.respond(.seen([PopupsDriver.reference(1)]))])
    }

    @Test("Popup ids are invalid after their server ends") func lostServer() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        #expect(driver.receive(.serverVanished) == [])
        #expect(
            driver.receive(.serverAppeared(server: "s5", PopupsDriver.features, now: PopupsDriver.now)) == [],
            "nothing is shown twice"
        )
        driver.answer(driver.arrive(3), id: 1)
        #expect(driver.invoke(1) == [], "the old server is gone")
        #expect(driver.invoke(2, server: "s5") == [])
        #expect(
            driver.invoke(1, server: "s5") == [
                .respond(.activated(PopupsDriver.reference(3), PopupsDriver.url(3), token: nil)), .close(id: 1),
            ]
        )
    }

    @Test("Popups wait for a notification server") func noServer() {
        var driver = PopupsDriver(server: nil)
        #expect(driver.arrive(1) == [.needServer])
        #expect(driver.arrive(2) == [.needServer])
        let effects = driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(driver.showAll(effects).calls.headlines == ["Nr 1", "Nr 2"])
    }

    @Test("A pending Notify call is repeated with the next server")
    func pendingNotify() {
        var driver = PopupsDriver()
        let request = driver.arrive(1).requests[0]
        #expect(driver.receive(.serverVanished) == [.needServer])
        #expect(driver.receive(.failed(request, now: PopupsDriver.now)) == [.needServer])
        driver.fire(.burst)
        let effects = driver.receive(.serverAppeared(server: "s2", PopupsDriver.features, now: PopupsDriver.now))
        #expect(effects.headlines == ["Nr 1"])
    }

    @Test("A refused popup is retried once") func refusedPopup() {
        var driver = PopupsDriver()
        #expect(driver.receive(.failed(driver.arrive(1).requests[0], now: PopupsDriver.now)) == [])
        let again = driver.fire(.burst)
        #expect(again.headlines == ["Nr 1"])
        #expect(driver.receive(.failed(again.requests[0], now: PopupsDriver.now)) == [])
        #expect(driver.fire(.burst) == [])
        #expect(driver.receive(.serverVanished) == [])
    }

    @Test("A click that arrives before the answer to Notify counts") func clickBeforeAnswer() {
        var driver = PopupsDriver()
        let effects = driver.arrive(1)
        driver.receive(.sent(effects.requests[0]))
        #expect(driver.send(token: "early", of: 9) == [])
        #expect(driver.invoke(9) == [])
        #expect(
            driver.answer(effects, id: 9)
                == [
                    .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: "early")), .close(id: 9),
                ]
        )
        #expect(driver.kept["s1"] == [:])
    }

    @Test("An expired notification is not shown") func expiredArrival() {
        var driver = PopupsDriver()
        #expect(
            driver.arrive([PopupsDriver.notification(1, expires: 1_000), PopupsDriver.notification(2, expires: 1_001)])
                .headlines == [
                    "Nr 2"
                ]
        )
    }

    @Test("A popup is closed when its notification expires") func expiry() {
        var driver = PopupsDriver()
        let notifications = [
            PopupsDriver.notification(1, expires: 9_000), PopupsDriver.notification(2, expires: 5_000),
            PopupsDriver.notification(3),
        ]
        driver.answer(driver.arrive(notifications), id: 1)
        #expect(driver.waits[.expiry] == .seconds(4))
        #expect(driver.fire(.expiry) == [.close(id: 2)])
        #expect(driver.waits[.expiry] == .seconds(4))
        // The clock is set forward.
        #expect(driver.receive(.fired(.expiry, now: Timestamp(milliseconds: 3_600_000))) == [.close(id: 1)])
    }

    @Test("A popup closes when its notification is removed elsewhere")
    func removedElsewhere() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.show(2)
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(1))) == [.close(id: 1)])
        let effects = driver.arrive(3)
        driver.receive(.sent(effects.requests[0]))
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(3))) == [])
        #expect(driver.answer(effects, id: 3) == [.close(id: 3)])
        #expect(driver.receive(.accountRemoved("work")) == [.close(id: 2)])
    }

    @Test("A summary closes with the last of its notifications") func summaryClose() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive(1, 2, 3, 4), id: 5)
        for number in 1...3 { #expect(driver.receive(.withdrawn(PopupsDriver.reference(number))) == []) }
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(4))) == [.close(id: 5)])
    }

    @Test("Popups on a locked screen hide their contents") func lockedScreen() throws {
        var driver = PopupsDriver(policy: PopupPolicy(groupAbove: 2, locked: .hideText))
        driver.receive(.locked(true))
        var notification = PopupsDriver.notification(1)
        notification.body = "secret"
        notification.actions = [.init(id: "approve", name: "Approve the raise", url: "https://example.com/yes")]
        let effects = driver.arrive([notification])
        let popup = try #require(effects.popups.first)
        driver.answer(effects, id: 1)
        #expect(popup.summary == "New notification")
        #expect(popup.body == "")
        #expect(popup.buttons.map(\.label) == ["Open"])
        driver.fire(.burst)
        let later = driver.arrive(2, 3, 4)
        let summary = try #require(later.popups.first)
        driver.answer(later, id: 2)
        #expect(summary.summary == "3 new notifications")
        #expect(summary.body == "")
        driver.showAll(driver.receive(.locked(false)))
        driver.fire(.burst)
        #expect(driver.arrive(5).headlines == ["Nr 5"])
    }

    @Test("No notification is activated more often than announced, in any order of events") func randomOrder() {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var driver = PopupsDriver(server: nil)
            var open: [Popups.Request] = []
            var announced = 0
            var activated = 0
            for _ in 0..<200 {
                let id = UInt32.random(in: 0...6, using: &random)
                let server = "s\(Int.random(in: 1...2, using: &random))"
                let request = open.randomElement(using: &random)
                let events: [Popups.Event] = [
                    .arrived(
                        account: "work",
                        [PopupsDriver.notification(announced)],
                        isCatchUp: id.isMultiple(of: 3),
                        now: driver.now
                    ),
                    .serverAppeared(server: server, PopupsDriver.features, now: driver.now), .serverVanished,
                    .signal(ServerSignal(server: server, id: id, .action("default")), now: PopupsDriver.now),
                    .signal(ServerSignal(server: server, id: id, .closed(2)), now: PopupsDriver.now),
                    .signal(ServerSignal(server: server, id: id, .token("t")), now: PopupsDriver.now),
                    .withdrawn(PopupsDriver.reference(Int(id))),
                    request.map { .shown($0, id: id, now: driver.now) } ?? .serverVanished,
                    request.map { .failed($0, now: driver.now) } ?? .serverVanished,
                    .held(.pause, exceptCritical: false), .released(.pause, now: driver.now),
                    .fired(.burst, now: driver.now), .fired(.catchUp, now: driver.now), .accountOnline("work"),
                ]
                let event = events.randomElement(using: &random)!
                if case .arrived = event { announced += 1 }
                for effect in driver.receive(event) {
                    if case .notify(let request, _, _) = effect { open.append(request) }
                    if case .respond(.activated) = effect { activated += 1 }
                }
            }
            #expect(activated <= announced)
        }
    }
}
