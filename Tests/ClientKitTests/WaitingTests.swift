import Basics
import TestSupport
import Testing

/// The waits of tests.
@Suite(.timeLimit(.minutes(5))) struct WaitingTests {
    @Test("A minute without anything new ends a wait, which says what it waited for and what it saw")
    func nothingNew() async {
        let (clock, seen) = (ManualClock(), SeenValues())
        let (sentences, facts) = (Mailbox<String>(), Mailbox<Void>())
        await withTaskGroup { group in
            group.addTask {
                await waiting(for: "a third value", seen: { seen.description }, clock: clock) { sentence, _ in
                    sentences.send(sentence)
                    facts.close()
                } _: {
                    for await _ in facts.messages {}
                }
            }
            // The second value comes after 40 seconds.
            for second in 1...100 {
                await clock.sleepers(1)
                if second == 1 || second == 40 { seen.note("value of second \(second)") }
                clock.advance(by: .seconds(1))
            }
        }
        let saw = "value of second 40, the last of 2 values"
        #expect(
            await sentences.messages.next()
                == "nothing new for 60 s while the test waited for a third value; seen: \(saw)"
        )
    }

    @Test("A wait returns the first value that fits, and counts those before it") func values() async throws {
        var looks = 0
        let value = try await waiting(for: "3") {
            looks += 1
            return looks
        } until: {
            $0 == 3
        }
        #expect(value == 3 && looks == 3)
        let mailbox = Mailbox<Int>()
        for number in 1...4 { mailbox.send(number) }
        #expect(await mailbox.messages.next { $0 == 2 } == 2)
        #expect(await mailbox.messages.pick { $0 > 3 ? "\($0)" : nil } == "4")
    }

    @Test("A value lasts once several readings in succession fit and are equal") func lastingValue() async throws {
        var values = [1, 1, 1, 2, 2, 3, 2, 2, 2]
        try await lasting("one", readings: 3, every: .zero, seeing: { values.removeFirst() }, where: { $0 > 1 })
        #expect(values.isEmpty)
    }
}
