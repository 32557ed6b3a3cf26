import Inbox
import TestSupport
import Testing

@Suite struct OutboxTests {
    let one = MadeChange(.interacted("1"), at: Timestamp(milliseconds: 1))
    let two = MadeChange(.interacted("2"), at: Timestamp(milliseconds: 2))
    let down = ProviderFailure(.transient, "down")

    private func keep(_ number: Int64, _ made: MadeChange) -> Outbox.Effect {
        .keep(Outbox.Entry(number: number, made: made))
    }

    private func submitted(_ change: Change) -> Outbox.Event {
        .submitted(MadeChange(change, at: Timestamp(milliseconds: 3)))
    }

    @Test func oneAfterTheOther() {
        var outbox = Outbox()
        #expect(outbox.receive(.submitted(one)) == [keep(1, one), .send(one)])
        #expect(outbox.receive(.submitted(two)) == [keep(2, two)])
        #expect(outbox.receive(.submitted(one)) == [], "already in work")
        #expect(outbox.count == 2)
        #expect(outbox.receive(.confirmed) == [.forget(1), .send(two)])
        #expect(outbox.receive(.confirmed) == [.forget(2)])
        #expect(outbox.count == 0)
    }

    @Test func triesAgainInOrderWithGrowingWaits() {
        var outbox = Outbox()
        _ = outbox.receive(.submitted(one))
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(1))])
        #expect(outbox.receive(.submitted(two)) == [keep(2, two)], "order is kept while waiting")
        #expect(outbox.receive(.retry) == [.send(one)])
        #expect(outbox.receive(.failed(down, jitter: 0)) == [.wait(.seconds(1))])
        #expect(outbox.receive(.retry) == [.send(one)])
        for _ in 0..<20 {
            _ = outbox.receive(.failed(down, jitter: 1))
            _ = outbox.receive(.retry)
        }
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(300))])
        #expect(outbox.receive(.retry) == [.send(one)])
        #expect(outbox.receive(.confirmed) == [.forget(1), .send(two)])
        #expect(outbox.receive(.failed(down, jitter: 1)) == [.wait(.seconds(1))], "a success resets the waits")
    }

    @Test func refusalsAreReportedAndDoNotBlock() {
        var outbox = Outbox()
        let refused = ProviderFailure(.rejected, "no")
        _ = outbox.receive(.submitted(one))
        _ = outbox.receive(.submitted(two))
        #expect(outbox.receive(.failed(refused, jitter: 0)) == [.forget(1), .rejected(one, refused), .send(two)])
    }

    @Test func theLastChangeToANotificationCounts() {
        var outbox = Outbox()
        _ = outbox.receive(.submitted(one))
        let changes: [Change] = [.read("1"), .read("1"), .unread("1"), .read("2"), .read("1"), .seen(["1", "2"])]
        for change in changes { _ = outbox.receive(submitted(change)) }
        #expect(outbox.changes.map(\.change) == [.interacted("1"), .read("2"), .read("1"), .seen(["1", "2"])])
        let effects = outbox.receive(submitted(.allRead))
        #expect(effects.prefix(2) == [.forget(4), .forget(5)], "two reads are void")
        _ = outbox.receive(submitted(.allRead))
        #expect(outbox.changes.map(\.change) == [.interacted("1"), .seen(["1", "2"]), .allRead])
    }

    @Test(
        arguments: [
            (.read("1"), .unread("1"), true), (.unread("1"), .allRead, true), (.allRead, .unread("1"), false),
            (.archive("1"), .unarchive("1"), true), (.archive("1"), .read("1"), false),
            (.read("1"), .delete("1"), true), (.archive("1"), .delete("1"), true), (.read("2"), .delete("1"), false),
            (.interacted("1"), .delete("1"), false), (.seen(["1"]), .delete("1"), false),
            (.badgeReset, .badgeReset, true), (.read("1"), .badgeReset, false), (.badgeReset, .allRead, false),
            (.interacted("1"), .interacted("1"), true),
        ] as [(Change, Change, Bool)]
    )
    func whatBecomesVoidIsNotSent(earlier: Change, later: Change, isVoid: Bool) {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.interacted("in work")))
        _ = outbox.receive(submitted(earlier))
        _ = outbox.receive(submitted(later))
        #expect(outbox.count == (isVoid ? 2 : 3))
        #expect(outbox.changes.last?.change == later)
    }

    @Test func whatIsInWorkIsNeverVoid() {
        var outbox = Outbox()
        _ = outbox.receive(submitted(.read("1")))
        _ = outbox.receive(submitted(.unread("1")))
        #expect(outbox.changes.map(\.change) == [.read("1"), .unread("1")])
        _ = outbox.receive(submitted(.read("1")))
        #expect(outbox.changes.map(\.change) == [.read("1"), .read("1")])
    }

    /// What was kept comes first, in its order; new numbers follow the old ones, even those of what nobody understands any more.
    @Test func restored() {
        var outbox = Outbox()
        let old = [Outbox.Entry(number: 9, made: two), Outbox.Entry(number: 4, made: one)]
        #expect(outbox.receive(.restored(old, last: 11)) == [.send(one)])
        #expect(outbox.changes == [one, two])
        let new = MadeChange(.badgeReset, at: Timestamp(milliseconds: 5))
        #expect(outbox.receive(.submitted(new)) == [keep(12, new)])
        #expect(outbox.receive(.confirmed) == [.forget(4), .send(two)])
    }

    /// A kept outbox is always what an observer of `keep` and `forget` has: killed at any moment, nothing is lost.
    @Test(arguments: 0..<50 as Range<UInt64>) func theDiskHasWhatTheOutboxHas(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (outbox, disk) = (Outbox(), [Int64: MadeChange]())
        let changes: [Change] = [
            .read("1"), .unread("1"), .read("2"), .archive("1"), .unarchive("1"), .delete("2"), .allRead, .badgeReset,
            .interacted("1"), .seen(["1", "2"]),
        ]
        for step in 0..<200 {
            let event: Outbox.Event =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .confirmed
                case 1: .failed(down, jitter: 0.5)
                case 2: .failed(ProviderFailure(.rejected, "no"), jitter: 0.5)
                case 3: .retry
                default:
                    .submitted(
                        MadeChange(changes.randomElement(using: &generator)!, at: Timestamp(milliseconds: Int64(step)))
                    )
                }
            for effect in outbox.receive(event) {
                switch effect {
                case .keep(let entry): disk[entry.number] = entry.made
                case .forget(let number): disk[number] = nil
                case .send, .wait, .rejected: break
                }
            }
            #expect(disk.sorted { $0.key < $1.key }.map(\.value) == outbox.changes)
        }
    }

    @Test func strayEventsMeanNothing() {
        var outbox = Outbox()
        #expect(outbox.receive(.confirmed) == [])
        #expect(outbox.receive(.failed(down, jitter: 5)) == [])
        #expect(outbox.receive(.retry) == [])
    }
}
