import Agent
import Basics
import Desktop
import Logging
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LinkOpenerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` beside an opener that takes `duration` for each address; passes the addresses that it starts with.
    private func with(
        duration: Duration,
        _ body: (LinkOpener, ManualClock, Mailbox<String>.Messages) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let started = Mailbox<String>()
        let opener = LinkOpener(schemes: ["https"], clock: clock, logger: logger) { url, _ in
            started.send(url)
            try await clock.sleep(for: duration)
            return "test"
        }
        try await withThrowingTaskGroup { group in
            group.addTask { await opener.run() }
            try await body(opener, clock, started.messages)
            group.cancelAll()
        }
    }

    private func url(_ number: Int) -> String { "https://example.com/\(number)" }

    @Test("At most four links are opened at once, and at most twenty wait") func limits() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            for number in 1...4 { opener.open(url(number), token: nil) }
            for _ in 1...4 { _ = await started.next() }
            // Twenty wait; the rest is refused.
            for number in 5...200 { opener.open(url(number), token: nil) }
            var opened: Set<String> = []
            for _ in 1...5 {
                // Four work, and each has a deadline.
                await clock.sleepers(8)
                #expect(clock.sleeperCount == 8)
                clock.advance(by: .seconds(1))
                for _ in 1...4 { if let url = await started.next() { opened.insert(url) } }
            }
            #expect(opened == Set((5...24).map(url)))
            opener.open(url(999), token: nil)
            await clock.sleepers(8)
            clock.advance(by: .seconds(1))
            #expect(await started.next() == url(999))
        }
    }

    @Test("A link that does not open within the deadline is dropped, and the next one is opened")
    func deadline() async throws {
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            for number in 1...5 { opener.open(url(number), token: nil) }
            for _ in 1...4 { #expect(await started.next() != url(5)) }
            await clock.sleepers(8)
            clock.advance(by: LinkOpener.deadline)
            #expect(await started.next() == url(5))
        }
    }

    @Test("The end waits until the links so far are opened, for two seconds at most") func finish() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            await opener.finish()
            for number in 1...5 { opener.open(url(number), token: nil) }
            opener.open("ftp://example.com/", token: nil)
            let end = Completion()
            await withTaskGroup { group in
                group.addTask {
                    await opener.finish()
                    end.finish()
                }
                for _ in 1...4 { _ = await started.next() }
                await clock.sleepers(9)
                clock.advance(by: .seconds(1))
                #expect(await started.next() == url(5))
                await clock.sleepers(3)
                clock.advance(by: .seconds(1))
                await end.wait()
            }
        }
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            opener.open(url(1), token: nil)
            _ = await started.next()
            await withTaskGroup { group in
                group.addTask { await opener.finish() }
                await clock.sleepers(3)
                clock.advance(by: LinkOpener.finishTimeout)
            }
        }
    }

    @Test(
        "Who waits for a link learns why none was opened",
        arguments: [
            ([], .noLink), ([""], .noLink), (["file:///etc/passwd"], .notAllowed(scheme: "file")),
            (["no address"], .notAllowed(scheme: nil)), (["https://example.com"], .failed(.noDisplay)),
            (["file:///x", "https://example.com"], .failed(.noDisplay)),
        ] as [([String], LinkFailure)]
    )
    func failures(addresses: [String], expected: LinkFailure) async {
        let shown = Mailbox<LinkFailure>()
        let opener = LinkOpener(
            schemes: ["https"],
            clock: ManualClock(),
            logger: logger,
            failed: { shown.send($0) },
            opener: { _, _ in throw URLOpener.Failure.noDisplay }
        )
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await opener.run() }
            let failure = await #expect(throws: LinkFailure.self) {
                try await opener.openNow(addresses, token: nil)
            }
            #expect(failure == expected)
            // A click has no caller that waits: the failure is reported to the user.
            if expected != .noLink {
                opener.open(addresses, token: nil)
                #expect(await shown.messages.next() == expected)
            }
            group.cancelAll()
        }
    }

    @Test("Who waits for a link learns when it is open, and when that takes too long") func waiting() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            async let opened: Void = opener.openNow([url(1)], token: nil)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            try await opened
        }
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            async let opened: Void = opener.openNow([url(1)], token: nil)
            await clock.sleepers(2)
            clock.advance(by: LinkOpener.deadline)
            do {
                try await opened
                Issue.record("it is open")
            } catch {
                #expect(error as? LinkFailure == .timedOut)
            }
        }
    }
}
