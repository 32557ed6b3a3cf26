import Basics
import Inbox
import TestSupport
import Testing

/// `Notify` calls to a server that does not answer for a while, or never.
@Suite struct PopupsCallTests {
    private static let features = PopupsDriver.features

    /// Sends the popup of the first notification. The others, which arrive far apart, wait for its reply.
    private static func send(_ driver: inout PopupsDriver, before others: ClosedRange<Int>) -> Popups.Request {
        let request = driver.arrive(1).requests[0]
        #expect(driver.receive(.sent(request)) == [])
        for number in others {
            #expect(driver.fire(.burst) == [])
            #expect(driver.arrive(number) == [])
        }
        return request
    }

    @Test("A late reply to Notify counts as the popup's id: the click, the mark and the end of a read one follow it")
    func lateReply() {
        var driver = PopupsDriver()
        let first = Self.send(&driver, before: 2...3)
        driver.now = driver.now.advanced(milliseconds: 110_000)
        #expect(driver.showings == [:], "nothing is confirmed yet")
        let second = driver.reply(to: first, id: 11).requests[0]
        driver.receive(.sent(second))
        #expect(driver.receive(.read(PopupsDriver.reference(2))) == [])
        let next = driver.reply(to: second, id: 12)
        #expect(next.first == .close(id: 12) && next.headlines == ["Nr 3"])
        #expect(driver.answer(next, id: 13) == [])
        #expect(
            driver.invoke(11)
                == [.respond(.activated(PopupsDriver.reference(1), PopupsDriver.url(1), token: nil)), .close(id: 11)]
        )
        #expect(driver.showings == ["1": 1, "2": 1, "3": 1])
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", Self.features, now: driver.now))
        #expect(driver.arrive(1, 2, 3) == [], "a restart shows nothing again")
    }

    @Test("A popup that was read before its turn is not sent, and those behind it are") func readBeforeItsTurn() {
        var driver = PopupsDriver()
        let first = Self.send(&driver, before: 2...3)
        driver.receive(.read(PopupsDriver.reference(2)))
        #expect(driver.showAll(driver.reply(to: first, id: 1), id: 3).calls.headlines == ["Nr 3"])
        #expect(driver.showings == ["1": 1, "3": 1])
    }

    @Test("A popup that was read while its call is prepared is not sent, but the next one") func readBeforeTheCall() {
        var driver = PopupsDriver()
        let first = driver.arrive(1)
        driver.arrive(2)
        let next = driver.receive(.read(PopupsDriver.reference(1)))
        #expect(next.headlines == ["Nr 2"])
        #expect(!driver.popups.needs(first.requests[0]) && driver.popups.needs(next.requests[0]))
        #expect(driver.showings == [:])
    }

    @Test("Clicks and the ends of open popups do not wait for a reply") func silentServer() {
        var driver = PopupsDriver()
        for number in 11...13 {
            driver.show(number)
            driver.fire(.burst)
        }
        let request = Self.send(&driver, before: 2...3)
        #expect(driver.close(12, reason: 2) == [.respond(.seen([PopupsDriver.reference(12)]))])
        #expect(driver.invoke(11).last == .close(id: 11))
        #expect(driver.receive(.read(PopupsDriver.reference(13))) == [.close(id: 13)])
        #expect(driver.reply(to: request, id: 1).headlines == ["Nr 2"])
    }

    @Test("What a server that ended has not confirmed is sent to the next one, in order and as often as needed")
    func serverEnds() {
        var driver = PopupsDriver(policy: PopupPolicy(groupAbove: 10))
        var effects: [Popups.Effect] = []
        _ = Self.send(&driver, before: 2...5)
        for number in 2...4 {
            #expect(driver.receive(.serverVanished) == [.needServer])
            driver.fire(.burst)
            effects = driver.receive(.serverAppeared(server: "s\(number)", Self.features, now: driver.now))
            #expect(effects.headlines == ["Nr 1"])
        }
        #expect(driver.showAll(effects, id: 1).calls.headlines == (1...5).map { "Nr \($0)" })
    }

    // MARK: A server whose reply is lost

    @Test("A call without a reply is neither repeated nor confirmed; a later reply confirms it")
    func unanswered() {
        var driver = PopupsDriver(policy: PopupPolicy(markSeen: .shown))
        let request = Self.send(&driver, before: 2...2)
        let next = driver.receive(.unanswered(request, now: driver.now))
        #expect(next.headlines == ["Nr 2"])
        #expect(driver.fire(.burst) == [])
        #expect(driver.arrive(1) == [], "it is known")
        #expect(driver.showings == [:])
        #expect(
            driver.answer(next, id: 2)
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
        for number in 0..<(3 * Popups.unansweredLimit) {
            let requests = driver.arrive(number).requests
            #expect(requests.count == 1)
            driver.receive(.sent(requests[0]))
            driver.receive(.unanswered(requests[0], now: driver.now))
            driver.fire(.burst)
        }
        #expect(driver.showings.count == 2 * Popups.unansweredLimit)
    }

    // MARK: The agent ends meanwhile

    enum Next: CaseIterable, Sendable { case same, sameLater, other }

    @Test(
        "A popup without a reply when the agent ends is shown again only if another server runs then",
        arguments: Next.allCases
    )
    func ending(next: Next) {
        var driver = PopupsDriver()
        _ = Self.send(&driver, before: 2...3)
        driver.end()
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
        #expect(effects.headlines == [next == .other ? "Nr 1" : "Nr 2"])
        #expect(driver.showings == (next == .other ? [:] : ["1": 1]))
        driver.restart()
        driver.receive(server)
        #expect(driver.arrive(1).headlines == (next == .other ? ["Nr 1"] : []))
    }
}
