import Basics
import Inbox
import TestSupport
import Testing

@Suite struct PreferenceOutboxTests {
    private typealias Entry = PreferenceOutbox.Entry

    private let down = ServiceFailure(.transient, "down")
    private let offersOff = PreferenceChange.category("offers", isOn: false)
    private let offersOn = PreferenceChange.category("offers", isOn: true)
    private let mailOff = PreferenceChange.channel("email", inCategory: "offers", isOn: false)
    private let lawOff = PreferenceChange.category("law", isOn: false)
    private let mailRequired = PreferenceChange.overall(channel: "email", onlyRequired: true)

    /// Submits changes and lets the second pass.
    private func sent(_ changes: PreferenceChange...) throws -> PreferenceOutbox {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        var effects: [PreferenceOutbox.Effect] = []
        for change in changes { effects += outbox.receive(.submitted(change)) }
        _ = outbox.receive(.timerFired(try #require(effects.timers.last?.0)))
        return outbox
    }

    @Test("Changes of one target are sent together one second after the last")
    func debounce() throws {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        let first = outbox.receive(.submitted(mailOff))
        #expect(first.first == .keep(Entry(number: 1, change: mailOff)), "on the disk before anything else")
        let early = try #require(first.timers.first)
        #expect(early.1 == .seconds(1))
        let second = outbox.receive(.submitted(lawOff)) + outbox.receive(.submitted(offersOff))
        #expect(outbox.receive(.timerFired(early.0)) == [], "more came meanwhile")
        let last = try #require(second.timers.last)
        #expect(
            outbox.receive(.timerFired(last.0)) == [
                .send([Entry(number: 1, change: mailOff), Entry(number: 3, change: offersOff)]),
                .send([Entry(number: 2, change: lawOff)]),
            ]
        )
        #expect(outbox.count == 3)
        #expect(outbox.receive(.confirmed([2])) == [.forget(2)])
        #expect(outbox.receive(.confirmed([1, 3])) == [.forget(1), .forget(3)])
        #expect(outbox.count == 0)
    }

    @Test("Of several changes of a value, the last is kept") func lastChange() {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        for change in [offersOff, mailOff, mailRequired, offersOn] { _ = outbox.receive(.submitted(change)) }
        #expect(outbox.changes == [mailOff, mailRequired, offersOn])
        #expect(outbox.receive(.submitted(offersOn)) == [], "the same once more")
        #expect(
            outbox.receive(.submitted(offersOff)).prefix(2) == [.forget(4), .keep(Entry(number: 5, change: offersOff))]
        )
        #expect(outbox.changes == [mailOff, mailRequired, offersOff])
    }

    @Test("A change that is repeated after another change of its category is sent again")
    func repeatedAfterAnotherOfItsCategory() {
        let mailOn = PreferenceChange.channel("email", inCategory: "offers", isOn: true)
        var outbox = PreferenceOutbox(delay: .seconds(1))
        for change in [mailOn, offersOff] { _ = outbox.receive(.submitted(change)) }
        #expect(
            outbox.receive(.submitted(mailOn)).prefix(2) == [.forget(1), .keep(Entry(number: 3, change: mailOn))]
        )
        #expect(outbox.changes == [offersOff, mailOn])
        #expect(outbox.receive(.submitted(mailOn)) == [], "the same once more")
    }

    @Test("A change in flight is not superseded, and a later one waits for it") func changeInFlight() throws {
        var outbox = try sent(offersOff)
        let timer = try #require(outbox.receive(.submitted(offersOn)).timers.first)
        #expect(outbox.changes == [offersOff, offersOn])
        #expect(outbox.receive(.timerFired(timer.0)) == [], "one request of a target at a time")
        var failing = outbox
        #expect(outbox.receive(.confirmed([1])) == [.forget(1), .send([Entry(number: 2, change: offersOn)])])
        let effects = failing.receive(.failed([1], down, jitter: 1))
        #expect(effects.first == .forget(1), "it is superseded")
        #expect(failing.changes == [offersOn])
    }

    @Test("Failed changes are retried with growing waits of at most 300 seconds") func growingWaits() throws {
        var outbox = try sent(offersOff, lawOff)
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            let wait = outbox.receive(.failed([1], down, jitter: 1)).timers
            #expect(wait.map(\.1) == [.seconds(seconds)])
            let refused = ServiceFailure(.unauthorized, "no")
            #expect(outbox.receive(.failed([2], refused, jitter: 1)) == [], "one wait for all")
            #expect(outbox.obstacle == refused)
            #expect(outbox.receive(.timerFired(try #require(wait.first?.0))).count == 2)
            #expect(outbox.obstacle == nil)
        }
        #expect(outbox.receive(.confirmed([1])) == [.forget(1)])
        #expect(outbox.receive(.failed([2], down, jitter: 0)).timers.map(\.1) == [.milliseconds(500)])
    }

    @Test("Changes made during an outage are kept and sent with the others")
    func outage() throws {
        var outbox = try sent(offersOff)
        let wait = outbox.receive(.failed([1], down, jitter: 1)).timers
        #expect(outbox.receive(.submitted(lawOff)) == [.keep(Entry(number: 2, change: lawOff))])
        #expect(
            outbox.receive(.reachable) == [
                .send([Entry(number: 1, change: offersOff)]), .send([Entry(number: 2, change: lawOff)]),
            ]
        )
        #expect(outbox.receive(.timerFired(try #require(wait.first?.0))) == [], "that wait is over")
    }

    @Test(
        "Refusals are reported and do not block",
        arguments: [ServiceFailure.Kind.rejected, .notFound, .unsupported, .notEditable]
    )
    func refusals(kind: ServiceFailure.Kind) throws {
        let refused = ServiceFailure(kind, "no")
        var outbox = try sent(mailOff, offersOff, lawOff)
        #expect(
            outbox.receive(.failed([1, 2], refused, jitter: 0)) == [
                .forget(1), .forget(2), .rejected(.category("offers"), refused),
            ]
        )
        #expect(outbox.changes == [lawOff])
        #expect(outbox.obstacle == nil)
    }

    @Test("Kept changes are sent after a restart, and new numbers follow the old ones") func restored() {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        let old = [
            Entry(number: 9, change: offersOff), Entry(number: 4, change: mailOff), Entry(number: 5, change: lawOff),
        ]
        #expect(
            outbox.receive(.restored(old, last: 11)) == [
                .send([Entry(number: 4, change: mailOff), Entry(number: 9, change: offersOff)]),
                .send([Entry(number: 5, change: lawOff)]),
            ]
        )
        #expect(outbox.receive(.submitted(mailRequired)).first == .keep(Entry(number: 12, change: mailRequired)))
    }

    // MARK: Flush

    @Test("flush() sends at once and waits for what it sent") func flush() throws {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        #expect(outbox.receive(.flush(id: 1)) == [.flushed(id: 1, nil)], "nothing to wait for")
        _ = outbox.receive(.submitted(offersOff))
        #expect(outbox.receive(.flush(id: 2)) == [.send([Entry(number: 1, change: offersOff)])])
        _ = outbox.receive(.submitted(lawOff))
        #expect(
            outbox.receive(.confirmed([1])) == [.forget(1), .flushed(id: 2, nil)],
            "what came later is not waited for"
        )
        let refused = ServiceFailure(.rejected, "no")
        _ = outbox.receive(.flush(id: 3))
        #expect(outbox.receive(.failed([2], refused, jitter: 0)).last == .flushed(id: 3, refused))
    }

    @Test("flush() returns the error that blocks it") func flushFailure() throws {
        var outbox = try sent(offersOff)
        _ = outbox.receive(.submitted(lawOff))
        #expect(outbox.receive(.flush(id: 1)) == [.send([Entry(number: 2, change: lawOff)])])
        _ = outbox.receive(.submitted(offersOn))
        #expect(outbox.receive(.flush(id: 2)) == [], "its target is being sent")
        #expect(outbox.receive(.confirmed([2])) == [.forget(2)])
        let effects = outbox.receive(.failed([1], down, jitter: 1))
        #expect(effects.suffix(2) == [.flushed(id: 1, down), .flushed(id: 2, down)])
        #expect(outbox.changes == [offersOn], "it stays")
        #expect(outbox.receive(.flush(id: 3)) == [.send([Entry(number: 3, change: offersOn)])], "a further attempt")
        #expect(outbox.receive(.confirmed([3])) == [.forget(3), .flushed(id: 3, nil)])
    }

    @Test("flush() does not wait for a superseded change") func supersededChange() throws {
        var outbox = try sent(offersOff)
        let timer = try #require(outbox.receive(.submitted(mailOff)).timers.first)
        _ = outbox.receive(.timerFired(timer.0))
        _ = outbox.receive(.flush(id: 1))
        _ = outbox.receive(.submitted(.channel("email", inCategory: "offers", isOn: true)))
        #expect(outbox.receive(.confirmed([1])) == [.forget(1), .flushed(id: 1, nil)])
    }

    @Test("Unexpected events are ignored") func strayEvents() {
        var outbox = PreferenceOutbox(delay: .seconds(1))
        #expect(outbox.receive(.confirmed([1])) == [])
        #expect(outbox.receive(.failed([1], down, jitter: 5)) == [])
        #expect(outbox.receive(.reachable) == [])
        #expect(outbox == PreferenceOutbox(delay: .seconds(1)))
    }

    // MARK: Any order

    /// An observer of `keep` and `forget` always has what the outbox has; no target is in two requests at once; a
    /// service that comes back in the end has the user's last values, and every flush was answered once.
    @Test("No change is lost in any order of events", arguments: 0..<100 as Range<UInt64>)
    func randomOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (outbox, disk) = (PreferenceOutbox(delay: .seconds(1)), [Int64: PreferenceChange]())
        var requests: [[Entry]] = []
        var timers: [OutboxTimer] = []
        var (wanted, service) = ([String: PreferenceChange](), [String: PreferenceChange]())
        var (asked, answered) = (UInt64(0), [UInt64]())

        func slot(_ change: PreferenceChange) -> String {
            switch change {
            case .category(let category, _): "category \(category)"
            case .channel(let channel, let category, _): "\(channel) of \(category)"
            case .overall(let channel, _): "channel \(channel)"
            case .digest(let change, let category): "\(change.parts) of the digest of \(category)"
            case .property(let property, _, let category): "property \(property) of \(category)"
            case .topic(let topic, _): "topic \(topic)"
            }
        }
        func perform(_ effects: [PreferenceOutbox.Effect]) {
            for effect in effects {
                switch effect {
                case .keep(let entry): disk[entry.number] = entry.change
                case .forget(let number): disk[number] = nil
                case .send(let entries):
                    #expect(entries.allSatisfy { disk[$0.number] == $0.change }, "on the disk before it is sent")
                    #expect(Set(entries.map(\.change.target)).count == 1)
                    #expect(!requests.contains { $0.first?.change.target == entries.first?.change.target })
                    requests.append(entries)
                case .startTimer(let timer, _): timers.append(timer)
                case .flushed(let id, _): answered.append(id)
                case .rejected: Issue.record("nothing was refused")
                }
            }
            #expect(disk.sorted { $0.key < $1.key }.map(\.value) == outbox.changes)
        }
        func answer(isDone: Bool, isTold: Bool) {
            guard let request = requests.indices.randomElement(using: &generator).map({ requests.remove(at: $0) })
            else { return }
            if isDone { for entry in request { service[slot(entry.change)] = entry.change } }
            let numbers = request.map(\.number)
            perform(outbox.receive(isTold ? .confirmed(numbers) : .failed(numbers, down, jitter: 0.5)))
        }

        for _ in 0..<300 {
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: answer(isDone: true, isTold: true)
            case 1: answer(isDone: Bool.random(using: &generator), isTold: false)
            case 2:
                if let timer = timers.randomElement(using: &generator) { perform(outbox.receive(.timerFired(timer))) }
            case 3:
                asked += 1
                perform(outbox.receive(.flush(id: asked)))
            case 4:
                // Killed: a request in flight may have taken effect.
                guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
                for request in requests where Bool.random(using: &generator) {
                    for entry in request { service[slot(entry.change)] = entry.change }
                }
                (outbox, requests, timers) = (PreferenceOutbox(delay: .seconds(1)), [], [])
                answered = Array(1..<(asked + 1))
                let kept = disk.map { Entry(number: $0.key, change: $0.value) }
                perform(outbox.receive(.restored(kept, last: disk.keys.max() ?? 0)))
            case 5: perform(outbox.receive(.reachable))
            default:
                let (name, isOn) = ("\(Int.random(in: 0..<3, using: &generator))", Bool.random(using: &generator))
                let change: PreferenceChange =
                    switch Int.random(in: 0..<7, using: &generator) {
                    case 0: .category(name, isOn: isOn)
                    case 2: .digest(.init(id: "a", time: isOn ? "09:00" : "10:00"), inCategory: name)
                    case 3: .digest(.init(id: "a", weekdays: isOn ? ["mo"] : ["tu"]), inCategory: name)
                    case 4: .property("p", .integer(isOn ? 1 : 0), inCategory: name)
                    case 5: .topic(name, isSubscribed: isOn)
                    case 1: .channel("email", inCategory: name, isOn: isOn)
                    default: .overall(channel: name, onlyRequired: isOn)
                    }
                wanted[slot(change)] = change
                perform(outbox.receive(.submitted(change)))
            }
        }
        while outbox.count > 0 {
            asked += 1
            perform(outbox.receive(.flush(id: asked)))
            while !requests.isEmpty { answer(isDone: true, isTold: true) }
        }
        #expect(service == wanted)
        #expect(disk.isEmpty)
        #expect(answered.sorted() == Array(1..<(asked + 1)))
    }
}

extension [PreferenceOutbox.Effect] {
    fileprivate var timers: [(OutboxTimer, Duration)] {
        compactMap { if case .startTimer(let timer, let delay) = $0 { (timer, delay) } else { nil } }
    }
}
