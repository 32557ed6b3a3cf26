import Basics
import Inbox
import Testing

/// Changes that the service cannot reverse wait before they are sent, so that they can be taken back.
@Suite struct HeldChangesTests {
    private static let time = Duration.seconds(11)

    private func made(_ change: Change, at time: Int64 = 1) -> TimestampedChange {
        TimestampedChange(change, at: Timestamp(milliseconds: time))
    }

    private func held(_ changes: Change...) -> Outbox.Event { .held(changes.map { made($0) }, for: Self.time) }

    private func submitted(_ change: Change) -> Outbox.Event { .submitted(made(change), isOnline: true) }

    private func sent(_ effects: [Outbox.Effect]) -> [Change] {
        effects.compactMap { if case .send(let made, _) = $0 { made.change } else { nil } }
    }

    private func timers(_ effects: [Outbox.Effect]) -> [(timer: OutboxTimer, delay: Duration)] {
        effects.compactMap { if case .startTimer(let timer, let delay) = $0 { (timer, delay) } else { nil } }
    }

    @Test("All changes of a request are kept at once, and sent after one time") func sending() throws {
        var outbox = Outbox()
        let effects = outbox.receive(held(.archive("1"), .archive("2")))
        #expect(effects.compactMap(\.kept).map(\.change.change) == [.archive("1"), .archive("2")])
        #expect(sent(effects) == [] && timers(effects).map(\.delay) == [Self.time])
        #expect(outbox.count == 2 && outbox.dueCount == 0 && outbox.heldArchives == ["1", "2"])
        #expect(outbox.waiting == [.archive("1"), .archive("2")])
        #expect(sent(outbox.receive(.timerFired(try #require(timers(effects).first).timer))) == [.archive("1")])
        #expect(outbox.dueCount == 2 && outbox.heldArchives == [])
        #expect(sent(outbox.receive(.confirmed)) == [.archive("2")])
    }

    @Test("The service is reachable again, and other changes are sent, while some are held") func others() {
        var outbox = Outbox()
        _ = outbox.receive(held(.delete("1"), .archive("2")))
        #expect(outbox.receive(.reachable) == [])
        #expect(sent(outbox.receive(submitted(.read("2")))) == [.read("2")], "also one of a held archive")
        #expect(sent(outbox.receive(submitted(.read("1")))) == [], "one of a held delete waits")
        #expect(sent(outbox.receive(.confirmed)) == [])
        #expect(outbox.count == 3 && outbox.dueCount == 1)
    }

    @Test("What is taken back is not sent, and what it had superseded is made again") func withdrawn() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.interacted("in flight")))
        _ = outbox.receive(submitted(.read("1")))
        _ = outbox.receive(held(.delete("1")))
        #expect(outbox.changes.map(\.change) == [.interacted("in flight"), .delete("1")])
        let effects = outbox.receive(.withdrawn([.delete("1")]))
        #expect(effects.compactMap(\.forgotten) == [3])
        #expect(effects.compactMap(\.kept).map(\.change.change) == [.read("1")])
        #expect(sent(outbox.receive(.confirmed)) == [.read("1")])
        // Marking all as read is not held.
        _ = outbox.receive(submitted(.unread("2")))
        _ = outbox.receive(submitted(.allRead))
        _ = outbox.receive(.withdrawn([.allRead]))
        #expect(outbox.changes.map(\.change) == [.read("1"), .unread("2")])
    }

    @Test("A repeated one is held anew") func repeated() throws {
        var outbox = Outbox()
        let first = try #require(timers(outbox.receive(held(.archive("1")))).first)
        let second = try #require(timers(outbox.receive(held(.archive("1")))).first)
        #expect(outbox.count == 1)
        #expect(sent(outbox.receive(.timerFired(first.timer))) == [])
        #expect(sent(outbox.receive(.timerFired(second.timer))) == [.archive("1")])
    }

    @Test("At the end of the agent everything that is held is sent") func released() {
        var outbox = Outbox()
        _ = outbox.receive(held(.archive("1")))
        _ = outbox.receive(held(.delete("2")))
        #expect(sent(outbox.receive(.released)) == [.archive("1")])
        #expect(sent(outbox.receive(.confirmed)) == [.delete("2")])
    }

    @Test("An archive of what was archived elsewhere has nothing to do; a delete has") func archivedElsewhere() {
        var outbox = Outbox()
        _ = outbox.receive(held(.archive("1"), .archive("2"), .delete("3")))
        #expect(outbox.receive(.archivedElsewhere(["1", "3", "4"])) == [.forget(1)])
        #expect(outbox.changes.map(\.change) == [.archive("2"), .delete("3")])
        #expect(sent(outbox.receive(.released)) == [.archive("2")])
        #expect(outbox.receive(.archivedElsewhere(["2"])) == [], "it is in flight")
    }

    /// As of a killed agent, whose computer still has a request to deliver.
    @Test("What may still arrive is sent again after that, and nothing about its notification before it")
    func begun() throws {
        var outbox = Outbox()
        let entries: [Outbox.Entry] = [
            .init(number: 1, change: made(.archive("1"))), .init(number: 2, change: made(.unarchive("1"))),
            .init(number: 3, change: made(.read("1"))), .init(number: 4, change: made(.read("2"))),
        ]
        let effects = outbox.receive(.restored(entries, last: 9, begun: [1: .seconds(15)]))
        #expect(sent(effects) == [.read("2")])
        #expect(timers(effects).map(\.delay) == [.seconds(15)])
        #expect(outbox.receive(.withdrawn([.archive("1")])) == [], "it may be performed")
        #expect(sent(outbox.receive(.confirmed)) == [])
        #expect(sent(outbox.receive(.reachable)) == [])
        #expect(outbox.inFlight == nil && outbox.count == 3)
        let timer = try #require(timers(effects).first).timer
        #expect(sent(outbox.receive(.timerFired(timer))) == [.archive("1")])
        #expect(sent(outbox.receive(.confirmed)) == [.unarchive("1")])
        #expect(sent(outbox.receive(.confirmed)) == [.read("1")])
    }

    @Test("While marking all as read may still arrive, nothing is sent") func begunForAll() throws {
        var outbox = Outbox()
        let entry = Outbox.Entry(number: 1, change: made(.allRead))
        let effects = outbox.receive(.restored([entry], last: 9, begun: [1: .seconds(15)]))
        #expect(sent(outbox.receive(submitted(.archive("2")))) == [])
        #expect(sent(outbox.receive(.timerFired(try #require(timers(effects).first).timer))) == [.allRead])
    }

    @Test("After a restart the rest of the time is held") func restored() throws {
        var outbox = Outbox()
        let entries: [Outbox.Entry] = [
            .init(number: 1, change: made(.archive("1"))), .init(number: 2, change: made(.archive("2"))),
            .init(number: 3, change: made(.read("3"))), .init(number: 4, change: made(.delete("4"))),
        ]
        let holds: [Int64: Duration] = [1: .seconds(4), 2: .seconds(4), 4: .seconds(9)]
        let effects = outbox.receive(.restored(entries, last: 9, holds: holds))
        #expect(sent(effects) == [.read("3")])
        let timers = timers(effects).sorted { $0.delay < $1.delay }
        #expect(timers.map(\.delay) == [.seconds(4), .seconds(9)])
        #expect(outbox.dueCount == 1)
        #expect(sent(outbox.receive(.timerFired(try #require(timers.first).timer))) == [])
        #expect(sent(outbox.receive(.confirmed)) == [.archive("1")] && outbox.dueCount == 2)
    }
}
