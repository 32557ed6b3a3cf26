import Basics
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    private func all<Message>(_ mailbox: Mailbox<Message>) async -> [Message] {
        var all: [Message] = []
        for await message in mailbox.messages { all.append(message) }
        return all
    }

    @Test("Messages arrive in their order, and those that were sent before the mailbox is closed too")
    func order() async {
        let mailbox = Mailbox<Int>()
        for number in 1...100 { #expect(mailbox.send(number)) }
        mailbox.close()
        #expect(!mailbox.send(101))
        #expect(await all(mailbox) == Array(1...100))
    }

    @Test("Messages from several tasks all arrive, each task's in its order") func severalTasks() async {
        let mailbox = Mailbox<(task: Int, number: Int)>()
        async let received = all(mailbox)
        await withTaskGroup { group in
            for task in 0..<4 {
                group.addTask { for number in 0..<500 { mailbox.send((task, number)) } }
            }
        }
        mailbox.close()
        let messages = await received
        for task in 0..<4 { #expect(messages.filter { $0.task == task }.map(\.number) == Array(0..<500)) }
    }

    @Test("A full mailbox keeps the oldest or the newest messages, and says that one was dropped")
    func limits() async {
        let oldest = Mailbox<Int>(.bufferingOldest(2))
        #expect([1, 2, 3].map { oldest.send($0) } == [true, true, false])
        oldest.close()
        #expect(await all(oldest) == [1, 2])
        let newest = Mailbox<Int>(.bufferingNewest(2))
        #expect([1, 2, 3].map { newest.send($0) } == [true, true, false])
        newest.close()
        #expect(await all(newest) == [2, 3])
    }

    @Test("A receiver waits for the next message") func waiting() async {
        let mailbox = Mailbox<String>()
        async let first = mailbox.messages.next()
        mailbox.send("a")
        #expect(await first == "a")
        async let end = mailbox.messages.next()
        mailbox.close()
        #expect(await end == nil)
    }

    @Test("Cancellation ends the wait and closes the mailbox", arguments: [false, true])
    func cancellation(isEarly: Bool) async {
        let mailbox = Mailbox<Int>()
        let hasBegun = Completion()
        await withTaskGroup(of: Int?.self) { group in
            if isEarly { group.cancelAll() }
            group.addTask {
                hasBegun.finish()
                return await mailbox.messages.next()
            }
            await hasBegun.wait()
            group.cancelAll()
            #expect(await group.next() == .some(nil))
        }
        #expect(!mailbox.send(1))
    }

    @Test("Messages that are received slowly are not kept after that") func backlog() async {
        final class Payload: Sendable {}
        let mailbox = Mailbox<Payload>()
        weak var early: Payload?
        do {
            let first = Payload()
            early = first
            mailbox.send(first)
        }
        for _ in 0..<100 { mailbox.send(Payload()) }
        for _ in 0..<60 { _ = await mailbox.messages.next() }
        #expect(early == nil)
        mailbox.close()
        #expect(await all(mailbox).count == 41)
    }
}
