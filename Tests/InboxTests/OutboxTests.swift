import Basics
import Inbox
import TestSupport
import Testing

@Suite struct OutboxTests {
    let one = TimestampedChange(.interacted("1"), at: Timestamp(milliseconds: 1))
    let two = TimestampedChange(.interacted("2"), at: Timestamp(milliseconds: 2))
    let three = TimestampedChange(.interacted("3"), at: Timestamp(milliseconds: 3))
    let down = ServiceFailure(.transient, "down")
    let refused = ServiceFailure(.rejected, "no")

    private func keep(_ number: Int64, _ made: TimestampedChange) -> Outbox.Effect {
        .keep(Outbox.Entry(number: number, change: made))
    }

    private func submitted(_ change: Change, at time: Int64 = 3) -> Outbox.Event {
        .submitted(TimestampedChange(change, at: Timestamp(milliseconds: time)), isOnline: true)
    }

    private func submitted(_ made: TimestampedChange) -> Outbox.Event { .submitted(made, isOnline: true) }

    private func failed(_ failure: ServiceFailure, at time: Int64 = 4, jitter: Double = 1) -> Outbox.Event {
        .failed(failure, now: Timestamp(milliseconds: time), jitter: jitter)
    }

    private func sent(_ effects: [Outbox.Effect]) -> Change? {
        for case .send(let made, _) in effects { return made.change }
        return nil
    }

    private func waits(_ effects: [Outbox.Effect]) -> [(OutboxTimer, Duration)] {
        effects.compactMap { if case .startTimer(let timer, let delay) = $0 { (timer, delay) } else { nil } }
    }

    @Test("A change that waits is withdrawn, and one in flight stays") func withdrawn() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.archive("1")))
        _ = outbox.receive(submitted(.archive("2")))
        #expect(outbox.waiting == [.archive("2")])
        #expect(outbox.receive(.withdrawn([.archive("1"), .archive("2"), .archive("3")])) == [.forget(2)])
        #expect(outbox.changes.map(\.change) == [.archive("1")])
        #expect(outbox.receive(.confirmed) == [.forget(1)] && outbox.count == 0)
    }

    @Test("Changes are sent one after the other") func oneAfterTheOther() {
        var outbox = Outbox()
        #expect(outbox.receive(submitted(one)) == [keep(1, one), .send(one, isDelayed: false)])
        #expect(outbox.receive(submitted(two)) == [keep(2, two)])
        #expect(outbox.count == 2)
        #expect(outbox.receive(.confirmed) == [.forget(1), .send(two, isDelayed: true)])
        #expect(outbox.receive(.confirmed) == [.forget(2)])
        #expect(outbox.count == 0)
    }

    @Test("A change that fails is retried with growing waits, which a confirmation resets") func growingWaits() throws {
        var outbox = Outbox()
        var effects = outbox.receive(submitted(one))
        for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(sent(effects) == one.change)
            effects = outbox.receive(failed(down))
            let own = try #require(waits(effects).first)
            #expect(own.1 == .seconds(expected))
            // From the second failure on, the outbox waits for the service, too.
            effects = waits(effects).flatMap { outbox.receive(.timerFired($0.0)) }
        }
        #expect(outbox.receive(.confirmed) == [.forget(1)])
        _ = outbox.receive(submitted(two))
        #expect(waits(outbox.receive(failed(down))).map(\.1) == [.seconds(1)])
    }

    @Test("While the service asks for a pause all changes wait, also if it is reachable, and keep their order")
    func requestedPause() throws {
        var outbox = Outbox()
        for made in [one, two] { _ = outbox.receive(submitted(made)) }
        var busy = ServiceFailure(.transient, "busy")
        busy.retryAfter = .seconds(3_600)
        let pause = try #require(waits(outbox.receive(failed(busy, at: 4))).first)
        #expect(pause.1 == .seconds(3_600) && outbox.pausedUntil == Timestamp(milliseconds: 3_600_004))
        #expect(outbox.receive(submitted(three)) == [keep(3, three)])
        #expect(outbox.receive(.reachable) == [] && outbox.obstacle?.failure == busy)
        let effects = outbox.receive(.timerFired(pause.0))
        #expect(sent(effects) == one.change && outbox.pausedUntil == nil)
        #expect(sent(outbox.receive(.confirmed)) == two.change)
        #expect(sent(outbox.receive(.confirmed)) == three.change)
        #expect(waits(outbox.receive(failed(down))).map(\.1) == [.seconds(1)], "a pause is no failed attempt")
    }

    @Test("After two failures in a row nothing is sent until the next retry") func theServiceIsDown() throws {
        var outbox = Outbox()
        for made in [one, two, three] { _ = outbox.receive(submitted(made)) }
        var effects = outbox.receive(failed(down))
        #expect(sent(effects) == two.change)
        effects = outbox.receive(failed(down))
        #expect(sent(effects) == nil)
        let (own, service) = try (#require(waits(effects).first), #require(waits(effects).last))
        #expect(own.0 != service.0)
        #expect(sent(outbox.receive(.timerFired(own.0))) == nil, "the service is waited for")
        effects = outbox.receive(.timerFired(service.0))
        #expect(sent(effects) != nil)
        #expect(outbox.receive(.timerFired(own.0)) == [], "a wait counts once")
        // Online again: everything is tried at once.
        _ = outbox.receive(failed(down))
        #expect(sent(outbox.receive(.reachable)) == one.change)
        #expect(sent(outbox.receive(.confirmed)) == two.change)
        #expect(sent(outbox.receive(.confirmed)) == three.change)
    }

    @Test("An action that always fails delays no other notification's actions") func oneAlwaysFails() throws {
        var outbox = Outbox()
        _ = outbox.receive(submitted(one))
        _ = outbox.receive(submitted(.read("1")))
        _ = outbox.receive(submitted(two))
        for round in 0..<20 {
            let effects = outbox.receive(failed(down))
            #expect(sent(effects) == (round == 0 ? .read("1") : nil))
            if round == 0 {
                #expect(sent(outbox.receive(.confirmed)) == two.change)
                _ = outbox.receive(.confirmed)
            }
            #expect(outbox.obstacle?.failure == down)
            #expect(outbox.obstacle?.change == one)
            let wait = try #require(waits(effects).first)
            #expect(
                sent(outbox.receive(.timerFired(wait.0))) == one.change
                    || sent(outbox.receive(.reachable)) == one.change
            )
        }
    }

    @Test("After a day in which others were confirmed, a change is given up and reported") func givenUp() throws {
        let day: Int64 = 86_400_000
        var outbox = Outbox()
        _ = outbox.receive(submitted(one))
        // Nothing else is confirmed: the service may be away for days.
        for _ in 0..<20 {
            #expect(!outbox.receive(failed(down, at: 3 * day)).contains(.rejected(one, down)))
            #expect(sent(outbox.receive(.reachable)) == one.change)
        }
        _ = outbox.receive(submitted(two))
        #expect(sent(outbox.receive(failed(down, at: 3 * day))) == two.change)
        _ = outbox.receive(.confirmed)
        #expect(sent(outbox.receive(.reachable)) == one.change)
        #expect(outbox.receive(failed(down, at: 3 * day)) == [.forget(1), .rejected(one, down)])
        #expect(outbox.count == 0)
    }

    @Test("A change that failed for less than a day is never given up") func notYetGivenUp() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(one))
        _ = outbox.receive(submitted(two))
        _ = outbox.receive(failed(down))
        _ = outbox.receive(.confirmed)
        for _ in 0..<50 {
            _ = outbox.receive(.reachable)
            #expect(!outbox.receive(failed(down, at: 86_400_000)).contains(.rejected(one, down)))
        }
    }

    @Test("Refusals are reported and do not block") func refusals() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(one))
        _ = outbox.receive(submitted(two))
        #expect(
            outbox.receive(failed(refused)) == [.forget(1), .rejected(one, refused), .send(two, isDelayed: true)]
        )
    }

    @Test("A change is sent as delayed after a wait, a failure or a restart, or when it was made offline")
    func delayed() {
        var outbox = Outbox()
        let all = TimestampedChange(.allRead, at: Timestamp(milliseconds: 5))
        #expect(outbox.receive(submitted(all)).last == .send(all, isDelayed: false))
        _ = outbox.receive(failed(down))
        #expect(outbox.receive(.reachable) == [.send(all, isDelayed: true)])
        _ = outbox.receive(.confirmed)
        #expect(outbox.receive(.submitted(all, isOnline: false)).last == .send(all, isDelayed: true))
        var next = Outbox()
        #expect(next.receive(.restored([.init(number: 1, change: all)], last: 9)) == [.send(all, isDelayed: true)])
    }

    @Test("A repeated change replaces a waiting one and takes its time, or follows one in flight")
    func repetition() {
        var outbox = Outbox()
        let first = TimestampedChange(.allRead, at: Timestamp(milliseconds: 5))
        let second = TimestampedChange(.allRead, at: Timestamp(milliseconds: 6))
        let third = TimestampedChange(.allRead, at: Timestamp(milliseconds: 7))
        _ = outbox.receive(submitted(first))
        #expect(outbox.receive(submitted(second)) == [keep(2, second)], "the first may be done already")
        #expect(outbox.receive(submitted(third)) == [keep(2, third)])
        #expect(outbox.receive(.confirmed) == [.forget(1), .send(third, isDelayed: true)])
    }

    @Test("A later change of a notification supersedes earlier ones") func superseded() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(one))
        let changes: [Change] = [.read("1"), .read("1"), .unread("1"), .read("2"), .read("1"), .seen(["1", "2"])]
        for change in changes { _ = outbox.receive(submitted(change)) }
        #expect(outbox.changes.map(\.change) == [.interacted("1"), .read("2"), .read("1"), .seen(["1", "2"])])
        let effects = outbox.receive(submitted(.allRead))
        #expect(effects.prefix(2) == [.forget(4), .forget(5)], "two reads are superseded")
        _ = outbox.receive(submitted(.allRead))
        #expect(outbox.changes.map(\.change) == [.interacted("1"), .seen(["1", "2"]), .allRead])
    }

    @Test(
        "A pending change is discarded when a later one supersedes it",
        arguments: [
            (.read("1"), .unread("1"), true), (.unread("1"), .allRead, true), (.allRead, .unread("1"), false),
            (.archive("1"), .unarchive("1"), true), (.archive("1"), .read("1"), false),
            (.read("1"), .delete("1"), true), (.archive("1"), .delete("1"), true), (.read("2"), .delete("1"), false),
            (.interacted("1"), .delete("1"), false), (.seen(["1"]), .delete("1"), false),
            (.badgeReset, .badgeReset, true), (.read("1"), .badgeReset, false), (.badgeReset, .allRead, false),
            (.interacted("1"), .interacted("1"), true),
        ] as [(Change, Change, Bool)]
    )
    func supersession(earlier: Change, later: Change, isSuperseded: Bool) {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.interacted("in flight")))
        _ = outbox.receive(submitted(earlier))
        _ = outbox.receive(submitted(later))
        #expect(outbox.count == (isSuperseded ? 2 : 3))
        #expect(outbox.changes.last?.change == later)
    }

    @Test(
        "A change waits for an earlier one only if the result depends on their order",
        arguments: [
            (.interacted("1"), .unread("1"), true), (.read("1"), .interacted("1"), false),
            (.interacted("1"), .archive("1"), false), (.interacted("1"), .delete("1"), true),
            (.interacted("1"), .interacted("2"), false), (.seen(["1", "2"]), .interacted("2"), false),
            (.allRead, .unread("1"), true), (.allRead, .interacted("1"), false), (.interacted("1"), .allRead, false),
        ] as [(Change, Change, Bool)]
    )
    func order(earlier: Change, later: Change, waits: Bool) {
        var outbox = Outbox()
        _ = outbox.receive(submitted(earlier))
        _ = outbox.receive(submitted(later))
        #expect(sent(outbox.receive(failed(down))) == (waits ? nil : later))
    }

    @Test("An action in flight is never superseded") func inFlight() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.read("1")))
        _ = outbox.receive(submitted(.unread("1")))
        #expect(outbox.changes.map(\.change) == [.read("1"), .unread("1")])
        _ = outbox.receive(submitted(.read("1")))
        #expect(outbox.changes.map(\.change) == [.read("1"), .read("1")])
    }

    @Test("What was kept comes first, in its order, and new numbers follow the old ones") func restored() {
        var outbox = Outbox()
        let old = [Outbox.Entry(number: 9, change: two), Outbox.Entry(number: 4, change: one)]
        #expect(outbox.receive(.restored(old, last: 11)) == [.send(one, isDelayed: true)])
        #expect(outbox.changes == [one, two])
        let new = TimestampedChange(.badgeReset, at: Timestamp(milliseconds: 5))
        #expect(outbox.receive(submitted(new)) == [keep(12, new)])
        #expect(outbox.receive(.confirmed) == [.forget(4), .send(two, isDelayed: true)])
    }

    /// An observer of `keep` and `forget` always has the same entries as the outbox: killed at any moment, nothing is
    /// lost.
    @Test("The state store contains the pending actions", arguments: 0..<50 as Range<UInt64>)
    func storedActions(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (outbox, disk, begun) = (Outbox(), [Int64: TimestampedChange](), [OutboxTimer]())
        let changes: [Change] = [
            .read("1"), .unread("1"), .read("2"), .archive("1"), .unarchive("1"), .delete("2"), .allRead, .badgeReset,
            .interacted("1"), .seen(["1", "2"]),
        ]
        for step in 0..<200 {
            let event: Outbox.Event =
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: .confirmed
                case 1: failed(down, jitter: 0.5)
                case 2: failed(refused, jitter: 0.5)
                case 3: .reachable
                case 4: begun.randomElement(using: &generator).map { .timerFired($0) } ?? .reachable
                case 5:
                    .held(
                        [Change.archive("1"), .delete("2")].map {
                            TimestampedChange($0, at: .init(milliseconds: Int64(step)))
                        },
                        for: .seconds(11)
                    )
                case 6: .withdrawn([try #require(changes.randomElement(using: &generator))])
                case 7: Bool.random(using: &generator) ? .released : .archivedElsewhere(["1"])
                default: submitted(try #require(changes.randomElement(using: &generator)), at: Int64(step))
                }
            for effect in outbox.receive(event) {
                switch effect {
                case .keep(let entry): disk[entry.number] = entry.change
                case .forget(let number): disk[number] = nil
                case .startTimer(let timer, _): begun.append(timer)
                case .send, .rejected: break
                }
            }
            #expect(disk.sorted { $0.key < $1.key }.map(\.value) == outbox.changes)
        }
        // Once the service confirms everything, the outbox becomes empty.
        var remaining = outbox.count
        _ = outbox.receive(.reachable)
        _ = outbox.receive(.released)
        while remaining > 0, outbox.inFlight != nil {
            _ = outbox.receive(.confirmed)
            remaining -= 1
        }
        #expect(outbox.count == 0)
    }

    @Test("Unexpected events are ignored") func strayEvents() {
        var outbox = Outbox()
        #expect(outbox.receive(.confirmed) == [])
        #expect(outbox.receive(failed(down, jitter: 5)) == [])
        #expect(outbox.receive(.reachable) == [])
    }
}
