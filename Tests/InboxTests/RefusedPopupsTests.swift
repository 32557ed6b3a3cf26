import Basics
import Testing

@testable import Inbox

/// Popups that a server reports as expired when it answers: it has not shown them.
@Suite struct RefusedPopupsTests {
    private typealias Driver = PopupsDriver

    /// What a server does with the calls of `Notify` that the effects contain.
    private static func show(_ effects: [Popups.Effect], from id: UInt32, _ driver: inout Driver) {
        driver.answer(effects, id: id)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        driver.fire(.burst)
    }

    /// The server reports a popup as expired before it answers, or just after that.
    private static func refuse(
        _ effects: [Popups.Effect],
        as id: UInt32,
        _ isReportedFirst: Bool,
        _ driver: inout Driver
    ) -> [Popups.Effect] {
        guard let request = effects.requests.last else { return [] }
        driver.receive(.sent(request))
        if isReportedFirst {
            return driver.close(id, reason: Popups.expired)
                + driver.receive(.shown(request, id: id, now: driver.now))
        }
        let answered = driver.receive(.shown(request, id: id, now: driver.now))
        driver.now = driver.now.advanced(milliseconds: Popups.refusalTime)
        return answered + driver.close(id, reason: Popups.expired)
    }

    @Test("A popup that is not shown waits until one of ours is closed", arguments: [false, true])
    func waits(isReportedFirst: Bool) {
        var driver = Driver()
        Self.show(driver.arrive(1), from: 1, &driver)
        let refused = driver.arrive(2)
        #expect(Self.refuse(refused, as: 2, isReportedFirst, &driver) == [.respond(.serverIsFull(true))])
        #expect(driver.kept["s1"]?.keys.sorted() == [1])
        driver.fire(.burst)
        #expect(driver.arrive(3) == [], "it waits, too")
        #expect(driver.waits[.full] == nil)
        driver.now = driver.now.advanced(milliseconds: 1_000)
        #expect(driver.close(1, reason: Popups.expired) == [])
        #expect(driver.waits[.full] == Popups.closingTime)
        let (again, others) = driver.showAll(driver.fire(.full), id: 3)
        #expect(again.headlines == ["Nr 2", "Nr 3"])
        #expect(others == [.respond(.serverIsFull(false))])
        #expect(driver.invoke(3).count == 2, "a click on it counts")
    }

    @Test("A popup that is not shown is not marked as seen by that, and is not on the disk as shown") func marks() {
        var driver = Driver(policy: PopupPolicy(markSeen: .shown))
        let refused = driver.arrive(1)
        #expect(Self.refuse(refused, as: 1, true, &driver) == [.respond(.serverIsFull(true))])
        #expect(driver.showings == [:])
        let again = driver.fire(.full)
        #expect(driver.answer(again, id: 2).contains(.respond(.seen([Driver.reference(1)]))))
        #expect(driver.showings == [NotificationID("1"): 1])
    }

    /// Others' popups have taken the room, or the user wants none: the server has it in its list.
    @Test("A popup that is not shown although none of ours is open is tried once more", arguments: [false, true])
    func others(isReportedFirst: Bool) {
        var driver = Driver()
        #expect(Self.refuse(driver.arrive(1), as: 1, isReportedFirst, &driver) == [.respond(.serverIsFull(true))])
        #expect(driver.waits[.full] == Popups.fullInterval)
        driver.waits[.burst] = nil
        let again = driver.fire(.full)
        #expect(again.headlines == ["Nr 1"])
        #expect(Self.refuse(again, as: 2, isReportedFirst, &driver) == [.respond(.serverIsFull(false))])
        #expect(driver.waits[.full] == nil)
        #expect(driver.kept["s1"] ?? [:] == [:])
        #expect(driver.showings.keys.map(\.rawValue) == ["1"], "it counts as shown")
    }

    @Test("More urgent popups do not wait for room") func urgency() {
        var driver = Driver(policy: PopupPolicy(criticalCategories: ["alarm"]))
        Self.show(driver.arrive(1), from: 1, &driver)
        #expect(Self.refuse(driver.arrive(2), as: 2, true, &driver) == [.respond(.serverIsFull(true))])
        let critical = driver.arrive([Driver.notification(3, category: "alarm")])
        #expect(critical.headlines == ["Nr 3"])
        #expect(driver.answer(critical, id: 3) == [], "the other one still waits")
    }

    @Test(
        "A popup that expires later, or that is dismissed, was shown",
        arguments: zip(
            [Popups.refusalTime + 1, 0, -60_000] as [Int64],
            [Popups.expired, Popups.dismissedByUser, Popups.expired]
        )
    )
    func shown(_ elapsed: Int64, _ reason: UInt32) {
        var driver = Driver()
        driver.show(1)
        driver.now = driver.now.advanced(milliseconds: elapsed)
        let seen: [Popups.Effect] = [.respond(.seen([Driver.reference(1)]))]
        #expect(driver.close(1, reason: reason) == (reason == Popups.expired ? [] : seen))
        #expect(driver.waits[.full] == nil)
    }

    // MARK: Budgie

    private static let budgie = ServerFeatures(
        capabilities: ["actions", "body", "body-markup"],
        name: "Budgie Notification Server",
        vendor: "Budgie Desktop Developers",
        version: "10.9.2"
    )

    @Test("Budgie gets two single popups and a summary instead of a fourth one") func summary() {
        var driver = Driver(server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.budgie, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        for number in 1...3 { Self.show(driver.arrive(number), from: UInt32(number), &driver) }
        for (number, id) in [(4, UInt32(3)), (5, 4), (6, 5)] {
            let effects = driver.arrive(number)
            #expect(effects.headlines == ["\(number - 2) new notifications"])
            #expect(effects.replaced == [id])
            // It is closed, and the summary has an id of its own.
            #expect(driver.close(id, reason: 3) == [])
            Self.show(effects, from: id + 1, &driver)
        }
        #expect(driver.kept["s1"]?.keys.sorted() == [1, 2, 6])
        #expect(driver.kept["s1"]?[6]?.open.count == 4)
    }

    @Test("Budgie gets no fourth popup before it has answered the first three") func unanswered() {
        var driver = Driver(policy: PopupPolicy(groupAbove: 100), server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.budgie, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        let (singles, others) = driver.showAll((1...10).flatMap { driver.arrive($0) }, id: 1)
        #expect(singles.headlines == ["Nr 1", "Nr 2", "Nr 3"])
        #expect(others == [])
        let summary = driver.fire(.burst)
        #expect(summary.headlines == ["10 new notifications"])
        #expect(summary.replaced == [3])
    }

    @Test("Popups of the previous run do not take the room on Budgie, where they last for seconds") func restart() {
        var driver = Driver(server: nil)
        driver.receive(.serverAppeared(server: "s1", Self.budgie, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        for number in 1...3 { Self.show(driver.arrive(number), from: UInt32(number), &driver) }
        driver.restart()
        driver.receive(.serverAppeared(server: "s1", Self.budgie, now: driver.now))
        driver.receive(.quietKnown(server: "s1", now: driver.now))
        #expect(driver.arrive(4).headlines == ["Nr 4"])
        #expect(driver.invoke(2).count == 2, "a click on one of them counts")
    }
}
