import Basics
import Inbox
import TestSupport
import Testing

/// Popups across restarts of the agent, and notifications missed meanwhile.
@Suite struct PopupsRestartTests {
    @Test("A click after a restart opens the link") func click() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(
            driver.invoke(1) == [
                .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 1),
            ]
        )
        #expect(driver.kept["s1"] == [:])
    }

    @Test("The link of a popup is known after a restart, before and after its server is known again") func link() {
        var driver = PopupsDriver()
        driver.show(1)
        #expect(driver.popups.open(showing: PopupsDriver.reference(1))?.link == PopupsDriver.url(1))
        driver.restart()
        #expect(driver.popups.open(showing: PopupsDriver.reference(1))?.link == PopupsDriver.url(1))
        #expect(driver.popups.open(showing: PopupsDriver.reference(2)) == nil)
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(driver.popups.open(showing: PopupsDriver.reference(1))?.link == PopupsDriver.url(1))
        driver.receive(.withdrawn(PopupsDriver.reference(1)))
        #expect(driver.popups.open(showing: PopupsDriver.reference(1)) == nil)
    }

    /// dunst sends a click only to the connection that showed the popup, so the next run replaces the popup.
    @Test("Popups of a server that sends unicast signals are replaced after a restart")
    func unicastServer() {
        var driver = PopupsDriver()
        for number in 1...3 { driver.show(number) }
        driver.restart()
        let effects = driver.receive(
            .serverAppeared(server: "s1", PopupsDriver.features, closed: [2, 77], now: PopupsDriver.now)
        )
        #expect(effects.headlines == ["Nr 1"] && effects.replaced == [1])
        let next = driver.reply(to: effects.requests[0], id: 1)
        #expect(next.headlines == ["Nr 3"] && next.replaced == [3])
        #expect(driver.reply(to: next.requests[0], id: 3) == [])
        #expect(driver.showings.values.allSatisfy { $0 == 1 }, "they are shown already")
        #expect(driver.kept["s1"]?.keys.sorted() == [1, 3])
        #expect(
            driver.invoke(3) == [
                .respond(.activated(PopupsDriver.reference(3), PopupsDriver.url(3), token: nil)), .close(id: 3),
            ]
        )
    }

    /// Plasma 6.7 no longer reports clicks on popups whose sender has left the bus.
    @Test(
        "Popups are replaced after a restart only where clicks on them would be lost",
        arguments: [("6.7.4", [UInt32(1), 2]), ("6.3.6", [])]
    )
    func forgottenSender(_ version: String, _ replaced: [UInt32]) {
        let plasma = ServerFeatures(capabilities: ["actions"], name: "Plasma", vendor: "KDE", version: version)
        var driver = PopupsDriver(server: nil)
        driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        driver.show(1)
        driver.show(2)
        driver.restart()
        let effects = driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        let (calls, others) = driver.showAll(effects, id: 1)
        #expect(calls.replaced == replaced && others == [])
        #expect(calls.popups.allSatisfy { $0.sound == .silent })
        #expect(driver.showings.values.allSatisfy { $0 == 1 }, "they are shown already")
        #expect(driver.invoke(2).count == 2)
    }

    /// Plasma rejects a popup that equals one of the last second.
    @Test("A popup that cannot be replaced after a restart is replaced later, once") func rejectedReplacement() {
        let plasma = ServerFeatures(capabilities: ["actions"], name: "Plasma", vendor: "KDE", version: "6.7.4")
        var driver = PopupsDriver(server: nil)
        driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        for number in 1...3 { driver.show(number) }
        driver.restart()
        var effects = driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        effects = driver.reply(to: effects.requests[0], id: 1)
        for _ in 2...3 {
            effects = driver.receive(.failed(effects.requests[0], now: driver.now))
            #expect(driver.waits[.revival] == Popups.revivalDelay)
        }
        #expect(driver.close(3, reason: Popups.dismissedByUser) == [.respond(.seen([PopupsDriver.reference(3)]))])
        let again = driver.fire(.revival)
        #expect(again.replaced == [2])
        driver.receive(.failed(again.requests[0], now: driver.now))
        #expect(driver.waits[.revival] == nil)
    }

    @Test("Not more than the newest popups are replaced after a restart") func manyForgotten() {
        let plasma = ServerFeatures(capabilities: ["actions"], name: "Plasma", vendor: "KDE", version: "6.7.4")
        var driver = PopupsDriver(server: nil)
        driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        for number in 1...(Popups.revivalLimit + 5) {
            driver.show(number)
            driver.fire(.burst)
        }
        driver.restart()
        let effects = driver.receive(.serverAppeared(server: "s1", plasma, now: driver.now))
        let calls = driver.showAll(effects, id: 6).calls
        #expect(calls.replaced == (6...(Popups.revivalLimit + 5)).map { UInt32($0) })
    }

    @Test("Ids of another server are ignored after a restart") func otherServer() {
        var driver = PopupsDriver()
        driver.show(1)
        driver.restart()
        driver.receive(.serverAppeared(server: "s2", PopupsDriver.features, now: PopupsDriver.now))
        #expect(driver.invoke(1, server: "s2") == [])
        #expect(driver.kept == [:], "they will never mean anything again")
    }

    @Test("A shown notification is not shown again") func noRepetition() {
        var driver = PopupsDriver()
        driver.show(1)
        let unanswered = driver.arrive(2)
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(unanswered.headlines == ["Nr 2"])
        #expect(driver.arrive(1, 2, isCatchUp: true) == [])
        #expect(driver.fire(.catchUp).headlines == ["Nr 2"], "it is unknown whether it was shown")
    }

    @Test("Missed notifications are shown together") func catchUp() {
        var driver = PopupsDriver()
        #expect(driver.arrive(7, 8, isCatchUp: true) == [])
        #expect(driver.arrive(5, 6, isCatchUp: true) == [], "another store's")
        #expect(driver.arrive(9) == [])
        let effects = driver.fire(.catchUp)
        #expect(effects.headlines == ["5 new notifications"])
        #expect(effects.popups[0].body == "Nr 9\nNr 8\nNr 7\nNr 6\nNr 5")
    }

    @Test("A few missed notifications are shown one by one, newest last")
    func shortCatchUp() {
        var driver = PopupsDriver()
        driver.arrive(2, 1, isCatchUp: true)
        #expect(driver.showAll(driver.fire(.catchUp)).calls.headlines == ["Nr 1", "Nr 2"])
    }

    @Test("The popups of a catch-up are not postponed indefinitely") func settlingLimit() {
        var driver = PopupsDriver()
        for number in 1...Popups.catchUpExtensionLimit { #expect(driver.arrive(number, isCatchUp: true) == []) }
        driver.waits = [:]
        driver.arrive(100, isCatchUp: true)
        #expect(driver.waits.isEmpty, "it is not postponed indefinitely")
    }

    @Test("The first load sets the watermark and later loads do not raise it")
    func baseline() {
        var driver = PopupsDriver()
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(50)))
        #expect(driver.marks["work"]?.watermark == PopupsDriver.created(50))
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(90)))
        #expect(driver.marks["work"]?.watermark == PopupsDriver.created(50), "older ones may still come")
    }

    /// The next agent need not look further back than that.
    @Test("The watermark follows completed notifications") func watermark() {
        var driver = PopupsDriver()
        driver.now = PopupsDriver.created(9_000_000)
        let (old, new) = (PopupsDriver.notification(1_000_000), PopupsDriver.notification(9_000_000))
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(50)))
        driver.answer(driver.arrive([old]), id: 1)
        driver.answer(driver.arrive([new]), id: 2)
        driver.receive(.caughtUp(account: "work", newest: new.created))
        #expect(
            driver.marks["work"]
                == DeliveryMarks(watermark: PopupsDriver.created(8_400_000), shown: [new.id: new.created])
        )
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(60)))
        #expect(driver.marks["work"]?.watermark == PopupsDriver.created(8_400_000), "never back")
    }

    /// A notification that was not shown yet must not count as shown after a restart.
    @Test("The watermark stays below pending notifications") func pendingWatermark() {
        var driver = PopupsDriver(server: nil)
        driver.arrive(40)
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(50)))
        #expect(driver.marks["work"]?.watermark == PopupsDriver.created(39))
    }

    @Test("Open popups are revalidated when the account is online again")
    func revalidation() {
        var driver = PopupsDriver()
        for number in 1...3 { driver.show(number) }
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(driver.receive(.accountOnline("home")) == [])
        #expect(
            driver.receive(.accountOnline("work")) == [
                .respond(.revalidate([3, 2, 1].map { PopupsDriver.reference($0) }))
            ]
        )
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(2))) == [.close(id: 2)])
    }

    @Test("A popup that expired before a restart is closed") func expired() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive([PopupsDriver.notification(1, expires: 5_000)]), id: 1)
        driver.restart()
        let later = Timestamp(milliseconds: 6_000)
        #expect(driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: later)) == [.close(id: 1)])
    }

    @Test("Marks are limited and the watermark covers the rest") func boundedMarks() {
        var marks = DeliveryMarks(watermark: PopupsDriver.created(0))
        for number in 1...10_000 { marks.add(NotificationID("\(number)"), created: PopupsDriver.created(number)) }
        #expect(marks.shown.count <= DeliveryMarks.capacity)
        let watermark = marks.watermark?.milliseconds ?? 0
        #expect(marks.shown.keys.map { Int64($0.rawValue) ?? 0 }.sorted() == Array(watermark + 1...10_000))
    }

    /// The agent is killed at any time, the server ends and returns, popups are suppressed and released: at the end a
    /// server has confirmed every notification once.
    @Test("Every notification is shown once, in any order of failures and restarts", arguments: 0..<100) func shownOnce(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var driver = PopupsDriver()
        driver.receive(.caughtUp(account: "work", newest: PopupsDriver.created(0)))
        var screen = Screen()
        var count = 0
        for _ in 0..<300 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                count += 1
                screen.take(driver.arrive(count))
            case 8..<13: screen.answer(&driver, &random)
            case 13: screen.take(driver.fire(.burst))
            case 14: screen.take(driver.fire(.catchUp))
            case 15: driver.receive(.held(.quiet, exceptCritical: false))
            case 16: screen.take(driver.receive(.released(.quiet, now: driver.now)))
            case 17:
                screen.take(driver.receive(.serverVanished))
                screen.vanish()
            case 18: screen.appear(&driver)
            default:
                driver.restart()
                screen.meet(&driver, listing: count)
            }
        }
        screen.take(driver.receive(.released(.quiet, now: driver.now)))
        screen.appear(&driver)
        for _ in 0..<5 {
            screen.answer(&driver, &random)
            screen.take(driver.fire(.catchUp))
            screen.take(driver.fire(.burst))
        }
        let wrong = (0..<count).map { NotificationID("\($0 + 1)") }.filter { driver.showings[$0] != 1 }
        #expect(wrong.isEmpty, "of \(count)")
    }

    /// The notification server.
    private struct Screen {
        /// The calls without an answer.
        var open: [Popups.Request] = []
        private var lastID: UInt32 = 0
        private var servers = 1

        mutating func take(_ effects: [Popups.Effect]) { open += effects.requests }

        /// Answers the pending calls; some popups close soon.
        mutating func answer(_ driver: inout PopupsDriver, _ random: inout SeededGenerator) {
            while let request = open.popLast() {
                lastID += 1
                take(driver.receive(.shown(request, id: lastID, now: driver.now)))
                driver.now = driver.now.advanced(milliseconds: Popups.refusalTime + 1)
                if Bool.random(using: &random) { _ = driver.close(lastID, reason: 1, server: "s\(servers)") }
            }
        }

        mutating func vanish() {
            open = []
            servers += 1
        }

        mutating func appear(_ driver: inout PopupsDriver) {
            take(driver.receive(.serverAppeared(server: "s\(servers)", PopupsDriver.features, now: driver.now)))
        }

        /// A restart with a server, and a catch-up of notifications above the watermark that were not shown.
        mutating func meet(_ driver: inout PopupsDriver, listing count: Int) {
            open = []
            appear(&driver)
            let marks = driver.marks["work"] ?? DeliveryMarks()
            let missed = (0..<count).map { PopupsDriver.notification($0 + 1) }.filter { notification in
                (marks.watermark.map { notification.created > $0 } ?? false) && !marks.contains(notification.id)
            }
            take(driver.arrive(missed, isCatchUp: true))
        }
    }
}
