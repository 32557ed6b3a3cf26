import Inbox
import TestSupport
import Testing

/// Many at once, and times at which nothing is to be shown.
@Suite struct PopupsFloodTests {
    @Test func manyAtOnceBecomeOne() {
        var desk = Desk()
        let effects = desk.arrive(1, 2, 3, 4)
        #expect(effects.headlines == ["4 new notifications"])
        desk.answer(effects, id: 5)
        #expect(desk.receive(.withdrawn(Desk.subject(1))) == [], "the others are still there")
        #expect(desk.invoke(5) == [.seen([2, 3, 4].map { Desk.subject($0) }), .close(id: 5)])
    }

    /// Three come one by one, what follows within the window waits for its end, and the next summary takes the place of the last one.
    @Test func aStreamIsAFewPopupsAndOneSummary() {
        var desk = Desk()
        for number in 1...3 { #expect(desk.answer(desk.arrive(number), id: UInt32(number)) == []) }
        #expect(desk.waits == [.burst: .seconds(2)])
        for number in 4...9 { #expect(desk.arrive(number) == []) }
        let first = desk.fire(.burst)
        #expect(first.headlines == ["6 new notifications"])
        #expect(first.popups[0].body == "Nr 9\nNr 8\nNr 7\nNr 6\nNr 5")
        #expect(first.replaced == [0])
        desk.answer(first, id: 10)
        for number in 11...14 { #expect(desk.arrive(number) == []) }
        let second = desk.fire(.burst)
        #expect(second.headlines == ["10 new notifications"])
        #expect(second.popups[0].body == "Nr 14\nNr 13\nNr 12\nNr 11\nNr 9")
        #expect(second.replaced == [10])
        desk.answer(second, id: 11)
        #expect(desk.kept["s1"]?[10] == nil)
        #expect(desk.invoke(11) == [.seen((Array(4...9) + Array(11...14)).map { Desk.subject($0) }), .close(id: 11)])
        #expect(desk.fire(.burst) == [])
        #expect(desk.arrive(15).headlines == ["Nr 15"], "a new window")
    }

    @Test func whatWasReadElsewhereIsNotCountedAgain() {
        var desk = Desk()
        desk.answer(desk.arrive(1, 2, 3, 4), id: 5)
        desk.receive(.withdrawn(Desk.subject(2)))
        desk.fire(.burst)
        #expect(desk.arrive(6, 7, 8, 9).headlines == ["7 new notifications"])
    }

    @Test func aClosedSummaryIsNotReplaced() {
        var desk = Desk()
        desk.answer(desk.arrive(1, 2, 3, 4), id: 5)
        #expect(desk.close(5, reason: 1) == [])
        desk.fire(.burst)
        let effects = desk.arrive(6, 7, 8, 9)
        #expect(effects.headlines == ["4 new notifications"])
        #expect(effects.replaced == [0])
    }

    @Test func whatFitsIntoTheNextWindowComesOneByOne() {
        var desk = Desk()
        desk.answer(desk.arrive(1, 2, 3), id: 1)
        #expect(desk.arrive(4) == [])
        #expect(desk.fire(.burst).headlines == ["Nr 4"])
    }

    @Test func urgenciesAreNeverMerged() {
        var desk = Desk(policy: PopupPolicy(groupAbove: 2, criticalCategories: ["incidents"]))
        let items = (1...6).map { Desk.item($0, category: $0.isMultiple(of: 2) ? "incidents" : "news") }
        let effects = desk.arrive(items)
        #expect(effects.headlines == ["3 new notifications", "3 new notifications"])
        #expect(effects.popups.map(\.urgency) == [2, 1])
        #expect(effects.popups.map(\.body) == ["Nr 6\nNr 4\nNr 2", "Nr 5\nNr 3\nNr 1"])
    }

    @Test(arguments: [
        (Popups.Hold.pause, false, [String]()), (.quiet, false, []), (.quiet, true, ["Nr 2"]),
        (.doNotDisturb, true, ["Nr 2"]),
    ])
    func holdsHoldBack(_ hold: Popups.Hold, _ exceptCritical: Bool, _ shown: [String]) {
        var desk = Desk(policy: PopupPolicy(criticalCategories: ["incidents"]))
        #expect(desk.receive(.held(hold, exceptCritical: exceptCritical)) == [])
        #expect(desk.arrive([Desk.item(1), Desk.item(2, category: "incidents")]).headlines == shown)
        desk.receive(.serverVanished)
        desk.receive(.serverAppeared(server: "s3", Desk.features, now: Desk.now))
        desk.fire(.burst)
        #expect(desk.receive(.released(hold, now: Desk.now)).headlines.contains("Nr 1"))
    }

    @Test func everyHoldHasToEnd() {
        var desk = Desk()
        desk.receive(.held(.pause, exceptCritical: false))
        desk.receive(.held(.doNotDisturb, exceptCritical: true))
        for number in 1...7 { desk.arrive(number) }
        #expect(desk.receive(.released(.pause, now: Desk.now)) == [])
        #expect(desk.receive(.released(.doNotDisturb, now: Desk.now)).headlines == ["7 new notifications"])
    }

    @Test func aSlowServerGetsASummaryOfTheRest() {
        var desk = Desk(policy: PopupPolicy(groupAbove: Popups.inFlightLimit))
        var requests: [Popups.Request] = []
        for number in 0..<Popups.inFlightLimit { requests += desk.arrive(number).requests }
        #expect(requests.count == Popups.inFlightLimit)
        for number in 100..<200 { #expect(desk.arrive(number) == []) }
        #expect(desk.fire(.burst) == [], "nothing is sent to a server that answers nothing")
        #expect(
            desk.receive(.shown(requests[0], id: 1, now: Desk.now)).headlines == ["100 new notifications"]
        )
    }

    /// Of very many the oldest are counted only.
    @Test func memoryIsBounded() {
        var desk = Desk(server: nil)
        for number in 0..<5_000 { desk.arrive(number) }
        let effects = desk.receive(.serverAppeared(server: "s1", Desk.features, now: Desk.now))
        #expect(effects.headlines == ["5000 new notifications"])
        desk.answer(effects, id: 1)
        #expect(desk.kept["s1"]?[1]?.open.subjects.count == Popups.waitingLimit)
        #expect(desk.marks["work"]?.shown.count ?? 0 <= DeliveryMarks.capacity)
    }
}
