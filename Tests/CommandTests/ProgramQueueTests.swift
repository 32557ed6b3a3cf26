import AgentInterface
import Glibc
import ProgramKit
import TestSupport
import Testing

@testable import feedbell

/// How many programs run for new notifications, and what a program gets.
@Suite struct ProgramQueueTests {
    private func notification(_ id: Int) -> NotificationRecord {
        var notification = NotificationRecord()
        notification.id = "n\(id)"
        return notification
    }

    @Test("Four run at once; the others start in order as programs end") func order() {
        var queue = ProgramQueue()
        for id in 1...4 { #expect(queue.arrived(notification(id)) == .start(notification(id))) }
        for id in 5...6 { #expect(queue.arrived(notification(id)) == nil) }
        #expect(queue.ended() == .start(notification(5)))
        #expect(queue.arrived(notification(7)) == nil)
        #expect(queue.ended() == .start(notification(6)))
        #expect(queue.ended() == .start(notification(7)))
        for _ in 1...4 { #expect(queue.ended() == nil) }
        #expect(queue == ProgramQueue())
    }

    @Test("A program that runs for long is reported while it runs, and is not ended") func slowProgram() async throws {
        let (sentences, sentence) = AsyncStream.makeStream(of: String.self)
        let gate = "/tmp/feedbell-slow-\(UInt64.random(in: 0...UInt64.max))"
        let words = ["sh", "-c", "until [ -e \(gate) ]; do sleep 0.02; done; rm \(gate)"]
        let programs = try ArrivalPrograms(words, slowness: .milliseconds(10)) { sentence.yield($0) }
        programs.arrived(notification(1))
        programs.close(isInterrupted: false)
        async let ended: Void = programs.run()
        let first = await sentences.next()
        #expect(first == "sh has been running for 0.01 s for the notification n1.")
        close(creat(gate, 0o600))
        await ended
    }

    @Test("A thousand wait; one more is discarded, until a program ends") func limit() {
        var queue = ProgramQueue()
        for id in 1...1004 { _ = queue.arrived(notification(id)) }
        #expect(queue.arrived(notification(1005)) == .discard(notification(1005)))
        #expect(queue.ended() == .start(notification(5)))
        #expect(queue.arrived(notification(1006)) == nil)
    }

    @Test("At the end nothing more starts, what waits is discarded, and running programs are waited for") func end() {
        var queue = ProgramQueue()
        for id in 1...7 { _ = queue.arrived(notification(id)) }
        let (discarded, effect) = queue.close()
        #expect(discarded == 3 && effect == nil && queue.running == 4)
        #expect(queue.arrived(notification(8)) == nil)
        for _ in 1...3 { #expect(queue.ended() == nil) }
        #expect(queue.ended() == .finish)
        var idle = ProgramQueue()
        #expect(idle.close() == (0, .finish))
    }

    @Test("The environment has no control characters and is limited, and the input is JSON") func environment() {
        var notification = notification(1)
        notification.title = "A\u{1B}[31m\nB"
        notification.body = "1\n2\u{202E}" + String(repeating: "x", count: 100_000)
        notification.tags = ["a b", "c\nd"]
        let program = ArrivalPrograms.program(["cat"], for: notification)
        #expect(program.environment["FEEDBELL_TITLE"] == "A[31m B")
        #expect(program.environment["FEEDBELL_BODY"]??.hasPrefix("1\n2x") == true)
        #expect(program.environment["FEEDBELL_BODY"]??.utf8.count == 4096)
        #expect(program.environment["FEEDBELL_TAGS"] == "a b\nc d")
        #expect(String(decoding: program.input, as: UTF8.self).hasPrefix("{\"body\":\"1\\n2\\u202e"))
    }

    @Test("A program that does not exist is rejected before anything is followed") func missing() {
        #expect(throws: Failure.self) { try ArrivalPrograms(["/nonexistent/program"]) }
    }
}
