import Inbox
import TestSupport
import Testing

/// What outlives the agent, and what came while nobody looked.
@Suite struct PopupsRestartTests {
    @Test func aClickStillWorksAfterARestart() {
        var desk = Desk()
        desk.show(1)
        desk.restart()
        desk.receive(.serverAppeared(server: "s1", Desk.features, now: Desk.now))
        #expect(desk.invoke(1) == [.activated(Desk.subject(1), Desk.url(1), token: nil), .close(id: 1)])
        #expect(desk.kept["s1"] == [:])
    }

    /// dunst tells a click only to the connection that showed the popup, so the next one shows it again in its place.
    @Test func popupsOfAServerThatWhispersAreTakenOver() {
        var desk = Desk()
        for number in 1...3 { desk.show(number) }
        desk.restart()
        let effects = desk.receive(.serverAppeared(server: "s1", Desk.features, closed: [2, 77], now: Desk.now))
        #expect(effects.headlines == ["Nr 1", "Nr 3"])
        #expect(effects.replaced == [1, 3])
        for (request, id) in zip(effects.requests, [UInt32(1), 3]) {
            #expect(desk.receive(.shown(request, id: id, now: Desk.now)) == [])
        }
        #expect(desk.showings.values.allSatisfy { $0 == 1 }, "they are shown already")
        #expect(desk.kept["s1"]?.keys.sorted() == [1, 3])
        #expect(desk.invoke(3) == [.activated(Desk.subject(3), Desk.url(3), token: nil), .close(id: 3)])
    }

    @Test func idsOfAnotherServerMeanNothingAfterARestart() {
        var desk = Desk()
        desk.show(1)
        desk.restart()
        desk.receive(.serverAppeared(server: "s2", Desk.features, now: Desk.now))
        #expect(desk.invoke(1, server: "s2") == [])
        #expect(desk.kept == [:], "they will never mean anything again")
    }

    @Test func whatWasShownIsNotShownAgain() {
        var desk = Desk()
        desk.show(1)
        let unanswered = desk.arrive(2)
        desk.restart()
        desk.receive(.serverAppeared(server: "s1", Desk.features, now: Desk.now))
        #expect(unanswered.headlines == ["Nr 2"])
        #expect(desk.arrive(1, 2, isCatchUp: true) == [])
        #expect(desk.fire(.settled).headlines == ["Nr 2"], "nobody knows whether it was shown")
    }

    @Test func whatWasMissedComesInOneGo() {
        var desk = Desk()
        #expect(desk.arrive(7, 8, isCatchUp: true) == [])
        #expect(desk.arrive(5, 6, isCatchUp: true) == [], "another store's")
        #expect(desk.arrive(9) == [])
        let effects = desk.fire(.settled)
        #expect(effects.headlines == ["5 new notifications"])
        #expect(effects.popups[0].body == "Nr 9\nNr 8\nNr 7\nNr 6\nNr 5")
    }

    @Test func fewMissedOnesComeOneByOneNewestLast() {
        var desk = Desk()
        desk.arrive(2, 1, isCatchUp: true)
        #expect(desk.fire(.settled).headlines == ["Nr 1", "Nr 2"])
    }

    @Test func theSettlingEnds() {
        var desk = Desk()
        for number in 1...Popups.settlingLimit { #expect(desk.arrive(number, isCatchUp: true) == []) }
        desk.waits = [:]
        desk.arrive(100, isCatchUp: true)
        #expect(desk.waits.isEmpty, "it is not put off for ever")
    }

    @Test func theBaselineIsNoNews() {
        var desk = Desk()
        desk.receive(.caughtUp(account: "work", newest: Desk.created(50)))
        #expect(desk.marks["work"]?.floor == Desk.created(50))
        desk.receive(.caughtUp(account: "work", newest: Desk.created(90)))
        #expect(desk.marks["work"]?.floor == Desk.created(50), "older ones may still come")
    }

    /// The next agent need not look further back than that.
    @Test func theFloorFollowsWhatIsComplete() {
        var desk = Desk()
        desk.now = Desk.created(9_000_000)
        let (old, new) = (Desk.item(1_000_000), Desk.item(9_000_000))
        desk.receive(.caughtUp(account: "work", newest: Desk.created(50)))
        desk.answer(desk.arrive([old]), id: 1)
        desk.answer(desk.arrive([new]), id: 2)
        desk.receive(.caughtUp(account: "work", newest: new.created))
        #expect(desk.marks["work"] == DeliveryMarks(floor: Desk.created(8_400_000), shown: [new.id: new.created]))
        desk.receive(.caughtUp(account: "work", newest: Desk.created(60)))
        #expect(desk.marks["work"]?.floor == Desk.created(8_400_000), "never back")
    }

    /// What is not shown yet must not be taken for shown after a restart.
    @Test func theBaselineStaysBelowWhatWaits() {
        var desk = Desk(server: nil)
        desk.arrive(40)
        desk.receive(.caughtUp(account: "work", newest: Desk.created(50)))
        #expect(desk.marks["work"]?.floor == Desk.created(39))
    }

    @Test func openPopupsAreLookedAtWhenTheAccountIsBack() {
        var desk = Desk()
        for number in 1...3 { desk.show(number) }
        desk.restart()
        desk.receive(.serverAppeared(server: "s1", Desk.features, now: Desk.now))
        #expect(desk.receive(.accountOnline("home")) == [])
        #expect(desk.receive(.accountOnline("work")) == [.examine([3, 2, 1].map { Desk.subject($0) })])
        #expect(desk.receive(.withdrawn(Desk.subject(2))) == [.close(id: 2)])
    }

    @Test func expiredWhileTheAgentWasGone() {
        var desk = Desk()
        desk.answer(desk.arrive([Desk.item(1, expires: 5_000)]), id: 1)
        desk.restart()
        let later = Timestamp(milliseconds: 6_000)
        #expect(desk.receive(.serverAppeared(server: "s1", Desk.features, now: later)) == [.close(id: 1)])
    }

    @Test func marksAreBoundedAndTheFloorCoversTheRest() {
        var marks = DeliveryMarks(floor: Desk.created(0))
        for number in 1...10_000 { marks.add(ItemID("\(number)"), created: Desk.created(number)) }
        #expect(marks.shown.count <= DeliveryMarks.capacity)
        let floor = marks.floor?.milliseconds ?? 0
        #expect(marks.shown.keys.map { Int64($0.rawValue) ?? 0 }.sorted() == Array(floor + 1...10_000))
    }

    /// The agent is killed anywhere, the server goes and comes, popups are held back and let go: at the end a server has said of every
    /// notification once that it shows it.
    @Test(arguments: 0..<100) func everythingIsShownOnce(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var desk = Desk()
        desk.receive(.caughtUp(account: "work", newest: Desk.created(0)))
        var screen = Screen()
        var count = 0
        for _ in 0..<300 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                count += 1
                screen.take(desk.arrive(count))
            case 8..<13: screen.answer(&desk, &random)
            case 13: screen.take(desk.fire(.burst))
            case 14: screen.take(desk.fire(.settled))
            case 15: desk.receive(.held(.quiet, exceptCritical: false))
            case 16: screen.take(desk.receive(.released(.quiet, now: desk.now)))
            case 17:
                screen.take(desk.receive(.serverVanished))
                screen.vanish()
            case 18: screen.appear(&desk)
            default:
                desk.restart()
                screen.meet(&desk, listing: count)
            }
        }
        screen.take(desk.receive(.released(.quiet, now: desk.now)))
        screen.appear(&desk)
        for _ in 0..<5 {
            screen.answer(&desk, &random)
            screen.take(desk.fire(.settled))
            screen.take(desk.fire(.burst))
        }
        let wrong = (0..<count).map { ItemID("\($0 + 1)") }.filter { desk.showings[$0] != 1 }
        #expect(wrong.isEmpty, "of \(count)")
    }

    /// The notification server.
    private struct Screen {
        /// What it was asked to show and has not answered.
        var open: [Popups.Request] = []
        private var lastID: UInt32 = 0
        private var servers = 1

        mutating func take(_ effects: [Popups.Effect]) { open += effects.requests }

        /// It shows what it was asked to, and answers; some popups are gone soon.
        mutating func answer(_ desk: inout Desk, _ random: inout SeededGenerator) {
            let waiting = open
            open = []
            for request in waiting {
                lastID += 1
                take(desk.receive(.shown(request, id: lastID, now: desk.now)))
                if Bool.random(using: &random) { _ = desk.close(lastID, reason: 1, server: "s\(servers)") }
            }
        }

        mutating func vanish() {
            open = []
            servers += 1
        }

        mutating func appear(_ desk: inout Desk) {
            take(desk.receive(.serverAppeared(server: "s\(servers)", Desk.features, now: desk.now)))
        }

        /// A new agent meets the server, and the service tells it what is newer than the floor and was not shown.
        mutating func meet(_ desk: inout Desk, listing count: Int) {
            open = []
            appear(&desk)
            let marks = desk.marks["work"] ?? DeliveryMarks()
            let missed = (0..<count).map { Desk.item($0 + 1) }.filter { item in
                (marks.floor.map { item.created > $0 } ?? false) && !marks.contains(item.id)
            }
            take(desk.arrive(missed, isCatchUp: true))
        }
    }
}
