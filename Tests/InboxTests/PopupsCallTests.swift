import Basics
import Inbox
import TestSupport
import Testing

/// `Notify` calls to a server that does not answer for a while, or never.
@Suite struct PopupsCallTests {
    private static let features = PopupsDriver.features

    /// The requests of notifications that arrived far apart, so that each has a popup of its own.
    private static func requests(_ driver: inout PopupsDriver, _ numbers: ClosedRange<Int>) -> [Popups.Request] {
        numbers.flatMap { number in
            driver.fire(.burst)
            return driver.arrive(number).requests
        }
    }

    @Test("A late reply to Notify counts as the popup's id: the click, the mark and the end of a read one follow it")
    func lateReply() {
        var driver = PopupsDriver()
        let requests = Self.requests(&driver, 1...3)
        for request in requests { #expect(driver.receive(.sent(request)) == []) }
        #expect(driver.receive(.read(PopupsDriver.reference(2))) == [])
        driver.now = driver.now.advanced(milliseconds: 110_000)
        #expect(driver.showings == [:], "nothing is confirmed yet")
        #expect(driver.receive(.shown(requests[0], id: 11, now: driver.now)) == [])
        #expect(driver.receive(.shown(requests[1], id: 12, now: driver.now)) == [.close(id: 12)])
        #expect(driver.receive(.shown(requests[2], id: 13, now: driver.now)) == [])
        #expect(
            driver.invoke(11)
                == [.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 11)]
        )
        #expect(driver.showings == ["1": 1, "2": 1, "3": 1])
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", Self.features, now: driver.now))
        #expect(driver.arrive(1, 2, 3) == [], "a restart shows nothing again")
    }

    @Test("A popup that was read before its call is not sent, and those behind it are")
    func readBeforeTheCall() {
        var driver = PopupsDriver()
        let requests = Self.requests(&driver, 1...3)
        driver.receive(.sent(requests[0]))
        driver.receive(.read(PopupsDriver.reference(2)))
        #expect(requests.map(driver.popups.needs) == [true, false, true])
        #expect(driver.receive(.unsent(requests[1], now: driver.now)) == [])
        #expect(!driver.popups.needs(requests[1]))
        #expect(driver.showings == [:])
    }

    @Test("What a server that ended has not confirmed is sent to the next one, in order and as often as needed")
    func serverEnds() {
        var driver = PopupsDriver(policy: PopupPolicy(groupAbove: 10))
        let requests = Self.requests(&driver, 1...5)
        driver.receive(.sent(requests[0]))
        for number in 2...4 {
            #expect(driver.receive(.serverVanished) == [.needServer])
            driver.fire(.burst)
            let effects = driver.receive(.serverAppeared(server: "s\(number)", Self.features, now: driver.now))
            #expect(effects.headlines == (1...5).map { "Nr \($0)" })
        }
    }

    // MARK: A server whose reply is lost

    @Test("A call without a reply is neither repeated nor confirmed; a later reply confirms it")
    func unanswered() {
        var driver = PopupsDriver(policy: PopupPolicy(markSeen: .shown))
        let requests = Self.requests(&driver, 1...2)
        driver.receive(.sent(requests[0]))
        #expect(driver.receive(.unanswered(requests[0], now: driver.now)) == [])
        #expect(driver.fire(.burst) == [])
        #expect(driver.arrive(1) == [], "it is known")
        #expect(driver.showings == [:])
        driver.receive(.sent(requests[1]))
        #expect(
            driver.receive(.shown(requests[1], id: 2, now: driver.now))
                == [.respond(.seen([PopupsDriver.reference(1)])), .respond(.seen([PopupsDriver.reference(2)]))]
        )
        #expect(driver.showings == ["1": 1, "2": 1])
        #expect(driver.receive(.serverVanished) == [])
    }

    @Test("A call without a reply is repeated when its server ends") func unansweredUntilTheEnd() {
        var driver = PopupsDriver()
        let request = driver.arrive(1).requests[0]
        driver.receive(.sent(request))
        driver.receive(.unanswered(request, now: driver.now))
        #expect(driver.receive(.serverVanished) == [.needServer])
        driver.fire(.burst)
        #expect(driver.receive(.serverAppeared(server: "s2", Self.features, now: driver.now)).headlines == ["Nr 1"])
    }

    @Test("Calls without replies do not keep others back, and are bounded") func manyUnanswered() {
        var driver = PopupsDriver()
        for number in 0..<(3 * Popups.inFlightLimit) {
            let requests = driver.arrive(number).requests
            #expect(requests.count == 1)
            driver.receive(.sent(requests[0]))
            driver.receive(.unanswered(requests[0], now: driver.now))
            driver.fire(.burst)
        }
        #expect(driver.showings.count == 2 * Popups.inFlightLimit)
    }

    // MARK: The agent ends meanwhile

    enum Next: CaseIterable, Sendable { case same, sameLater, other }

    @Test(
        "A popup without a reply when the agent ends is shown again only if another server runs then",
        arguments: Next.allCases
    )
    func ending(next: Next) {
        var driver = PopupsDriver()
        let requests = Self.requests(&driver, 1...3)
        driver.answer(driver.arrive(), id: 1)
        driver.receive(.sent(requests[0]))
        #expect(driver.receive(.ending) == [])
        driver.restart()
        let server: Popups.Event = .serverAppeared(
            server: next == .other ? "s2" : "s1",
            Self.features,
            closed: [],
            now: driver.now
        )
        var effects: [Popups.Effect] = []
        if next == .sameLater { effects += driver.arrive(1, 2) }
        effects += driver.receive(server)
        if next != .sameLater { effects += driver.arrive(1, 2) }
        #expect(effects.headlines == (next == .other ? ["Nr 1", "Nr 2"] : ["Nr 2"]))
        #expect(driver.showings == (next == .other ? [:] : ["1": 1]))
        driver.restart()
        driver.receive(server)
        #expect(driver.arrive(1).headlines == (next == .other ? ["Nr 1"] : []))
    }
}
