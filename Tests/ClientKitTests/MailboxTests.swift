import Basics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MailboxTests {
    private func received<Message>(_ mailbox: Mailbox<Message>) async -> [Message] {
        mailbox.close()
        return await mailbox.messages.reduce(into: []) { $0.append($1) }
    }

    @Test(
        "What exceeds the limit is dropped, and the sender learns it",
        arguments: [
            (Mailbox<Int>.Limit.unbounded, [true, true, true, true], [1, 2, 3, 4]),
            (.bufferingNewest(2), [true, true, false, false], [3, 4]),
            (.bufferingOldest(2), [true, true, false, false], [1, 2]),
            (.bufferingNewest(0), [false, false, false, false], []),
            (.bufferingOldest(0), [false, false, false, false], []),
        ]
    ) func limits(limit: Mailbox<Int>.Limit, isKept: [Bool], messages: [Int]) async {
        let mailbox = Mailbox<Int>(limit)
        #expect((1...4).map { mailbox.send($0) } == isKept)
        #expect(await received(mailbox) == messages)
        #expect(!mailbox.send(5), "it is closed")
        #expect(await mailbox.messages.next() == nil)
    }

    @Test("Many messages are received in order, while others are sent") func order() async {
        let mailbox = Mailbox<Int>()
        for number in 0..<5_000 { mailbox.send(number) }
        var iterator = mailbox.messages.makeAsyncIterator()
        for number in 0..<20_000 {
            #expect(await iterator.next() == number)
            if number < 15_000 { mailbox.send(number + 5_000) }
        }
        #expect(await received(mailbox).isEmpty)
    }

    @Test("Each of several tasks that wait receives a message, whatever the limit")
    func severalReceivers() async {
        let mailbox = Mailbox<Int>(.bufferingOldest(0))
        let sum = await withTaskGroup { group in
            for _ in 1...4 { group.addTask { await mailbox.messages.next() ?? 0 } }
            // A message is kept only by a task that waits for it.
            for number in 1...4 { while !mailbox.send(number) { await Task.yield() } }
            return await group.reduce(0, +)
        }
        #expect(sum == 10)
    }

    @Test("Cancellation ends the wait after the messages that were sent") func cancellation() async {
        let mailbox = Mailbox<Int>()
        mailbox.send(1)
        let messages = await withTaskGroup { group in
            group.addTask { await mailbox.messages.reduce(into: []) { $0.append($1) } }
            group.cancelAll()
            return await group.next()
        }
        #expect(messages == [1])
    }

    @Test("Every wait for a completion ends with it, with a cancelled one, or at once") func completion() async {
        for isCancelled in [false, true] {
            let completion = Completion()
            await withDiscardingTaskGroup { group in
                for _ in 1...3 { group.addTask { await completion.wait() } }
                if isCancelled { group.cancelAll() } else { completion.finish() }
            }
            await completion.wait()
            completion.finish()
        }
    }

    @Test("A wait for a completion ends at its limit") func limitedWait() async {
        let clock = ManualClock()
        let isOver = await withTaskGroup { group in
            group.addTask { await Completion().wait(atMost: .seconds(5), clock: clock) }
            group.addTask {
                await clock.sleepers(1)
                clock.advance(by: .seconds(5))
                return true
            }
            return await group.allSatisfy { $0 }
        }
        #expect(isOver)
    }
}
