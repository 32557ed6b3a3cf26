import Basics
import Inbox
import TestSupport
import Testing

/// Many notifications at once, and times without popups.
@Suite struct PopupsFloodTests {
    @Test("A burst becomes one summary") func burst() {
        var driver = PopupsDriver()
        let effects = driver.arrive(1, 2, 3, 4)
        #expect(effects.headlines == ["4 new notifications"])
        driver.answer(effects, id: 5)
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(1))) == [], "the others are still there")
        _ = driver.send(token: "t", of: 5)
        #expect(
            driver.invoke(5) == [
                .respond(.seen([2, 3, 4].map { PopupsDriver.reference($0) })),
                .respond(.openInbox(accounts: ["work"], newest: PopupsDriver.reference(4), token: "t")), .close(id: 5),
            ]
        )
    }

    /// Three are shown one by one; further ones wait for the end of the window. The summary takes the place of the
    /// three, and each summary replaces the last one.
    @Test("A stream becomes a few popups, and then one summary in their place") func stream() {
        var driver = PopupsDriver()
        for number in 1...3 { #expect(driver.answer(driver.arrive(number), id: UInt32(number)) == []) }
        #expect(driver.waits == [.burst: .seconds(2)])
        for number in 4...9 { #expect(driver.arrive(number) == []) }
        let first = driver.fire(.burst)
        #expect(first.headlines == ["9 new notifications"])
        #expect(first.popups[0].body == "Nr 9\nNr 8\nNr 7\nNr 6\nNr 5\n… and 4 more")
        #expect(first.replaced == [3])
        #expect(driver.answer(first, id: 10) == [.close(id: 1), .close(id: 2)])
        #expect(driver.kept["s1"]?.keys.sorted() == [10])
        for number in 11...14 { #expect(driver.arrive(number) == []) }
        let second = driver.fire(.burst)
        #expect(second.headlines == ["13 new notifications"])
        #expect(second.popups[0].body == "Nr 14\nNr 13\nNr 12\nNr 11\nNr 9\n… and 8 more")
        #expect(second.replaced == [10])
        driver.answer(second, id: 11)
        #expect(driver.kept["s1"]?[10] == nil)
        #expect(
            driver.invoke(11) == [
                .respond(.seen((Array(1...9) + Array(11...14)).map { PopupsDriver.reference($0) })),
                .respond(.openInbox(accounts: ["work"], newest: PopupsDriver.reference(14), token: nil)),
                .close(id: 11),
            ]
        )
        #expect(driver.fire(.burst) == [])
        #expect(driver.arrive(15).headlines == ["Nr 15"], "a new window")
    }

    @Test("Notifications read elsewhere are not counted in the summary")
    func readElsewhere() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive(1, 2, 3, 4), id: 5)
        driver.receive(.withdrawn(PopupsDriver.reference(2)))
        driver.fire(.burst)
        #expect(driver.arrive(6, 7, 8, 9).headlines == ["7 new notifications"])
    }

    @Test("A summary that was closed is followed by a new popup") func closedSummary() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive(1, 2, 3, 4), id: 5)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        #expect(driver.close(5, reason: 1) == [])
        driver.fire(.burst)
        let effects = driver.arrive(6, 7, 8, 9)
        #expect(effects.headlines == ["4 new notifications"])
        #expect(effects.replaced == [0])
    }

    /// At once: together, or one after the other, or the last ones a moment later.
    @Test(
        "More notifications at once than group_above become one summary, and as many do not",
        arguments: [
            ([[1, 2, 3, 4, 5, 6]], 6), ([[1], [2], [3], [4], [5], [6]], 6), ([[1, 2, 3], [4]], 4),
            ([[1], [2, 3, 4]], 4),
            ([[1], [2, 3]], nil), ([[1, 2, 3]], nil),
        ] as [([[Int]], Int?)]
    )
    func group(_ arrivals: [[Int]], _ total: Int?) {
        var driver = PopupsDriver()
        var open: Set<UInt32> = []
        var headlines: [UInt32: String] = [:]
        func perform(_ effects: [Popups.Effect]) {
            for case .notify(let request, let popup, let replaced) in effects {
                let id = replaced == 0 ? UInt32(headlines.count + 1) : replaced
                open.insert(id)
                headlines[id] = popup.summary
                let effects = driver.reply(to: request, id: id)
                for case .close(let id) in effects { open.remove(id) }
                perform(effects)
            }
        }
        for group in arrivals { perform(driver.arrive(group.map { PopupsDriver.notification($0) })) }
        perform(driver.fire(.burst))
        perform(driver.fire(.burst))
        let expected = total.map { ["\($0) new notifications"] } ?? arrivals.flatMap(\.self).map { "Nr \($0)" }
        #expect(open.sorted().compactMap { headlines[$0] } == expected)
    }

    @Test("Popups that were closed meanwhile are not in the summary, and then fewer are shown one by one")
    func closedBeforeTheSummary() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive(1, 2, 3), id: 1)
        for number in 4...5 { #expect(driver.arrive(number) == []) }
        _ = driver.close(1, reason: 2)
        #expect(driver.receive(.withdrawn(PopupsDriver.reference(2))) == [.close(id: 2)])
        #expect(driver.showAll(driver.fire(.burst)).calls.headlines == ["Nr 4", "Nr 5"])
    }

    @Test("A popup that is clicked while the summary is sent in its place opens its link") func clickWhileMerging() {
        var driver = PopupsDriver()
        driver.answer(driver.arrive(1, 2, 3), id: 1)
        driver.arrive(4)
        let summary = driver.fire(.burst)
        #expect(
            driver.invoke(1) == [
                .respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 1),
            ]
        )
        #expect(driver.answer(summary, id: 3) == [.close(id: 2)])
        #expect(driver.kept["s1"]?.keys.sorted() == [3])
    }

    @Test("Notifications of different urgency are in separate summaries") func separateUrgencies() {
        var driver = PopupsDriver(policy: PopupPolicy(groupAbove: 2, criticalCategories: ["incidents"]))
        let notifications = (1...6).map {
            PopupsDriver.notification($0, category: $0.isMultiple(of: 2) ? "incidents" : "news")
        }
        let effects = driver.showAll(driver.arrive(notifications)).calls
        #expect(effects.headlines == ["3 new notifications", "3 new notifications"])
        #expect(effects.popups.map(\.urgency) == [2, 1])
        #expect(effects.popups.map(\.body) == ["Nr 6\nNr 4\nNr 2", "Nr 5\nNr 3\nNr 1"])
    }

    @Test(
        "Popups wait while they are suppressed, except critical ones where those are allowed",
        arguments: [
            (PopupHolds.Reason.pause, false, [String]()), (.quiet, false, []), (.quiet, true, ["Nr 2"]),
            (.doNotDisturb, true, ["Nr 2"]),
        ]
    )
    func suppression(_ hold: PopupHolds.Reason, _ exceptCritical: Bool, _ shown: [String]) {
        var driver = PopupsDriver(policy: PopupPolicy(criticalCategories: ["incidents"]))
        #expect(driver.receive(.held(hold, exceptCritical: exceptCritical)) == [])
        #expect(
            driver.arrive([PopupsDriver.notification(1), PopupsDriver.notification(2, category: "incidents")]).headlines
                == shown
        )
        driver.receive(.serverVanished)
        driver.showAll(driver.receive(.serverAppeared(server: "s3", PopupsDriver.features, now: PopupsDriver.now)))
        driver.showAll(driver.fire(.burst))
        let released = driver.receive(.released(hold, now: PopupsDriver.now))
        #expect(driver.showAll(released).calls.headlines.contains("Nr 1"))
    }

    @Test("Popups wait until every reason for suppression has ended")
    func suppressionReasons() {
        var driver = PopupsDriver()
        driver.receive(.held(.pause, exceptCritical: false))
        driver.receive(.held(.doNotDisturb, exceptCritical: true))
        for number in 1...7 { driver.arrive(number) }
        #expect(driver.receive(.released(.pause, now: PopupsDriver.now)) == [])
        #expect(driver.receive(.released(.doNotDisturb, now: PopupsDriver.now)).headlines == ["7 new notifications"])
    }

    @Test(
        "What came while the screen was locked is one summary afterwards; a single one is itself",
        arguments: [([1], ["Nr 1"]), ([1, 2], ["2 new notifications"]), ([], [])]
    ) func locked(_ numbers: [Int], _ shown: [String]) {
        var driver = PopupsDriver()
        driver.receive(.locked(true))
        driver.receive(.held(.locked, exceptCritical: false))
        for number in numbers { #expect(driver.arrive(number) == []) }
        driver.receive(.locked(false))
        let released = driver.receive(.released(.locked, now: PopupsDriver.now))
        #expect(driver.showAll(released).calls.headlines == shown)
        driver.fire(.burst)
        #expect(driver.showAll(driver.arrive(8, 9)).calls.headlines.count == 2)
    }

    @Test("The summary of a locked time waits for the end of a burst, and for the notification server")
    func lockedLater() {
        for knowsServer in [true, false] {
            var driver = PopupsDriver(server: knowsServer ? "s1" : nil)
            if knowsServer { driver.show(7) }
            driver.receive(.held(.locked, exceptCritical: false))
            for number in 1...2 { #expect(driver.arrive(number) == []) }
            let released = driver.receive(.released(.locked, now: PopupsDriver.now))
            #expect(driver.showAll(released).calls.headlines == (knowsServer ? ["Nr 7"] : []))
            let effects =
                knowsServer
                ? driver.fire(.burst)
                : driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
            #expect(effects.headlines == ["\(knowsServer ? 3 : 2) new notifications"])
        }
    }

    @Test("While the screen is locked, critical popups and those that ignore quiet hours wait, too")
    func lockedCritical() {
        var effects = RuleEffects()
        effects.ignoresQuiet = true
        let rules = Rules([Rule(RuleConditions(), effects)])
        var driver = PopupsDriver(policy: PopupPolicy(criticalCategories: ["incidents"], rules: rules))
        driver.receive(.held(.locked, exceptCritical: false))
        #expect(driver.arrive([PopupsDriver.notification(1, category: "incidents")]) == [])
        #expect(driver.arrive(2) == [])
        let released = driver.receive(.released(.locked, now: PopupsDriver.now))
        #expect(driver.showAll(released).calls.popups.map(\.urgency) == [Popup.critical, 1])
    }

    @Test("A slow server receives a summary of the rest") func slowServer() {
        var driver = PopupsDriver(policy: PopupPolicy(groupAbove: Popups.queueLimit + 1))
        let first = driver.arrive(0)
        for number in 1..<200 { #expect(driver.arrive(number) == []) }
        #expect(driver.fire(.burst) == [], "nothing is sent to a server that answers nothing")
        let singles = (0...Popups.queueLimit).map { "Nr \($0)" }
        #expect(driver.showAll(first).calls.headlines == singles + ["135 new notifications"])
    }

    @Test("Of very many waiting notifications, the oldest are only counted") func waitingLimit() {
        var driver = PopupsDriver(server: nil)
        for number in 0..<5_000 { driver.arrive(number) }
        let effects = driver.receive(.serverAppeared(server: "s1", PopupsDriver.features, now: PopupsDriver.now))
        #expect(effects.headlines == ["5000 new notifications"])
        driver.answer(effects, id: 1)
        #expect(driver.kept["s1"]?[1]?.open.references.count == Popups.waitingLimit)
        #expect(driver.marks["work"]?.shown.count ?? 0 <= DeliveryMarks.capacity)
    }
}
