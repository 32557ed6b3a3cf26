import Agent
import Basics
import DBus
import Inbox
import Logging
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct LinkOpenerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` beside an opener that takes `duration` for each address; passes the addresses that it starts with.
    ///
    /// - Parameters:
    ///   - asksUser: Whether the desktop asks the user for a program in this time.
    ///   - failure: How it ends; nil: the address is open.
    private func with(
        duration: Duration,
        asksUser: Bool = false,
        failure: URLOpener.Failure? = nil,
        shown: Mailbox<LinkFailure> = Mailbox(),
        _ body: (LinkOpener, ManualClock, Mailbox<String>.Messages) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let started = Mailbox<String>()
        let opener = LinkOpener(schemes: ["https"], clock: clock, logger: logger, failed: { shown.send($0) }) {
            url,
            _,
            asked in
            started.send(url)
            if asksUser { asked() }
            try await clock.sleep(for: duration)
            if let failure { throw failure }
            return "test"
        }
        try await withThrowingTaskGroup { group in
            group.addTask { await opener.run() }
            try await body(opener, clock, started.messages)
            group.cancelAll()
        }
    }

    private func text(_ number: Int) -> String { "https://example.com/\(number)" }

    private func openNow(_ url: OpenableURL, with opener: LinkOpener) async -> LinkFailure? {
        do throws(LinkFailure) {
            try await opener.openNow(url, token: nil)
            return nil
        } catch {
            return error
        }
    }

    private func url(_ number: Int) throws -> OpenableURL {
        try #require(OpenableURL(text(number), schemes: ["https"]))
    }

    @Test(
        "A failure is a sentence for the log; only the user is not told keys of the configuration",
        arguments: [
            (.failed(.noOpener(program: "xdg-open")), "Cannot find xdg-open. Install xdg-utils or a desktop portal."),
            (.noLink, "The notification has no link."),
            (
                .notAllowed(scheme: "ftp"),
                "Links of the scheme \"ftp\" are not opened. To allow them, add it to popups.open_schemes."
            ),
        ] as [(LinkFailure, String)]
    )
    func sentences(failure: LinkFailure, sentence: String) { #expect(failure.sentence == sentence) }

    @Test("At most four links are opened at once, and at most twenty wait") func limits() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            for number in 1...4 { try opener.open(url(number), token: nil) }
            for _ in 1...4 { _ = await started.next() }
            // Twenty wait; the rest is refused.
            for number in 5...200 { try opener.open(url(number), token: nil) }
            var opened: Set<String> = []
            for _ in 1...5 {
                // Four work, and each has a deadline.
                await clock.sleepers(8)
                #expect(clock.sleeperCount == 8)
                clock.advance(by: .seconds(1))
                for _ in 1...4 { if let url = await started.next() { opened.insert(url) } }
            }
            #expect(opened == Set((5...24).map(text)))
            try opener.open(url(999), token: nil)
            await clock.sleepers(8)
            clock.advance(by: .seconds(1))
            #expect(await started.next() == text(999))
        }
    }

    @Test("A link that does not open within the deadline is dropped, and the next one is opened")
    func deadline() async throws {
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            for number in 1...5 { try opener.open(url(number), token: nil) }
            for _ in 1...4 { #expect(await started.next() != text(5)) }
            await clock.sleepers(8)
            clock.advance(by: LinkOpener.deadline)
            #expect(await started.next() == text(5))
        }
    }

    @Test("The end waits until the links so far are opened, for two seconds at most") func finish() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            await opener.finish()
            for number in 1...5 { try opener.open(url(number), token: nil) }
            opener.refuse(.noLink)
            let end = Completion()
            await withTaskGroup { group in
                group.addTask {
                    await opener.finish()
                    end.finish()
                }
                for _ in 1...4 { _ = await started.next() }
                await clock.sleepers(9)
                clock.advance(by: .seconds(1))
                #expect(await started.next() == text(5))
                await clock.sleepers(3)
                clock.advance(by: .seconds(1))
                await end.wait()
            }
        }
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            try opener.open(url(1), token: nil)
            _ = await started.next()
            await withTaskGroup { group in
                group.addTask { await opener.finish() }
                await clock.sleepers(3)
                clock.advance(by: LinkOpener.finishTimeout)
            }
        }
    }

    @Test("Who waits for a link learns why none was opened; at a click, the user is told") func failures() async throws
    {
        let shown = Mailbox<LinkFailure>()
        try await with(duration: .seconds(1), failure: .noDisplay, shown: shown) { opener, clock, _ in
            let link = try url(1)
            async let end = openNow(link, with: opener)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            let reason = await end
            #expect(reason == .failed(.noDisplay))
            try opener.open(url(2), token: nil)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            #expect(await shown.messages.next() == .failed(.noDisplay))
            opener.refuse(.invalid)
            #expect(await shown.messages.next() == .invalid)
        }
    }

    @Test("Links that the desktop asks the user about keep no others waiting, and have no deadline but ten minutes")
    func askedUser() async throws {
        let shown = Mailbox<LinkFailure>()
        try await with(duration: .seconds(1_000), asksUser: true, shown: shown) { opener, clock, started in
            for number in 1...12 {
                try opener.open(url(number), token: nil)
                #expect(await started.next() == text(number))
            }
            await clock.sleepers(12, for: LinkOpener.deadline)
            clock.advance(by: LinkOpener.deadline)
            await clock.sleepers(12, for: LinkOpener.choiceTimeout)
            clock.advance(by: LinkOpener.choiceTimeout)
            for _ in 1...12 { #expect(await shown.messages.next() == .timedOut) }
        }
    }

    @Test("Who waits for a link that the user has to choose a program for waits 20 seconds; later the user is told")
    func askedCaller() async throws {
        let shown = Mailbox<LinkFailure>()
        try await with(duration: .seconds(60), asksUser: true, failure: .cancelledByUser, shown: shown) {
            opener,
            clock,
            _ in
            let link = try url(1)
            async let opened: Void = opener.openNow(link, token: nil)
            await clock.sleepers(2)
            clock.advance(by: LinkOpener.deadline)
            try await opened
            await clock.sleepers(2)
            clock.advance(by: .seconds(40))
            #expect(await shown.messages.next() == .failed(.cancelledByUser))
            #expect(LinkOpener.deadline < Bus.defaultTimeout, "the timeout of callers")
        }
    }

    @Test("Who waits for a link learns when it is open, and when that takes too long") func waiting() async throws {
        try await with(duration: .seconds(1)) { opener, clock, started in
            let link = try url(1)
            async let opened: Void = opener.openNow(link, token: nil)
            await clock.sleepers(2)
            clock.advance(by: .seconds(1))
            try await opened
        }
        try await with(duration: .seconds(1_000)) { opener, clock, started in
            let link = try url(1)
            async let opened: Void = opener.openNow(link, token: nil)
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
