import Basics
package import Inbox
package import Logging
import Synchronization

/// Opens the links of notifications, a few at a time.
package actor LinkOpener {
    /// The maximum number of links that are opened at the same time, beside those that the desktop asks the user about.
    package static let concurrencyLimit = 4
    /// The maximum number of waiting links; further ones are rejected.
    package static let waitingLimit = 20
    /// The timeout for opening one link, unless the desktop asks the user.
    package static let deadline = Duration.seconds(20)
    /// The time that the user has to choose a program.
    package static let choiceTimeout = Duration.seconds(600)
    /// The time that ``finish()`` waits.
    package static let finishTimeout = Duration.seconds(2)

    /// Opens a URL and returns the method that succeeded.
    ///
    /// - Parameter asked: Called when the desktop may ask the user which program to use.
    package typealias Opener =
        @Sendable (_ url: String, _ token: String?, _ asked: @escaping @Sendable () -> Void) async throws -> String

    private struct Request: Sendable {
        /// What to open, or why a click opens nothing.
        var url: Result<OpenableURL, LinkFailure>
        /// The activation token of the click.
        var token: String?
        /// Gets the result; nil: the link was opened. Closed: a failure is shown to the user.
        var result: Mailbox<LinkFailure?>
    }

    private let opener: Opener
    private let failed: @Sendable (LinkFailure) async -> Void
    private let clock: any Clock<Duration>
    private let logger: Logger
    /// The allowed schemes, in lower case.
    package private(set) var schemes: Set<String>
    private let requests = Mailbox<Request>(.bufferingOldest(LinkOpener.waitingLimit))
    private struct Unopened {
        var count = 0
        var waiters = Waiters()
    }
    /// The requests that are waiting or being performed.
    private let unopened = Mutex(Unopened())

    /// - Parameters:
    ///   - schemes: The allowed schemes, in lower case.
    ///   - failed: Tells the user that a click opened nothing.
    package init(
        opener: URLOpener,
        schemes: Set<String>,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger,
        failed: @escaping @Sendable (LinkFailure) async -> Void
    ) {
        self.init(schemes: schemes, clock: clock, logger: logger, failed: failed) { url, token, asked in
            try await opener.open(url, token: token, asked: asked).rawValue
        }
    }

    package init(
        schemes: Set<String>,
        clock: any Clock<Duration>,
        logger: Logger,
        failed: @escaping @Sendable (LinkFailure) async -> Void = { _ in },
        opener: @escaping Opener
    ) {
        self.opener = opener
        self.failed = failed
        self.schemes = schemes
        self.clock = clock
        self.logger = logger
    }

    /// Replaces the allowed schemes.
    package func allow(_ schemes: Set<String>) { self.schemes = schemes }

    /// Opens a link in the background, for a click. A failure is shown to the user.
    ///
    /// - Parameters:
    ///   - url: With an allowed scheme.
    ///   - token: The activation token of the click.
    package nonisolated func open(_ url: OpenableURL, token: String?) { click(.success(url), token) }

    /// Tells the user in the background why a click opens nothing.
    package nonisolated func refuse(_ failure: LinkFailure) { click(.failure(failure), nil) }

    private nonisolated func click(_ url: Result<OpenableURL, LinkFailure>, _ token: String?) {
        let request = Request(url: url, token: token, result: Mailbox())
        request.result.close()
        if !send(request) { logger.warning("link not opened: too many are waiting") }
    }

    private nonisolated func send(_ request: Request) -> Bool {
        unopened.withLock { $0.count += 1 }
        if requests.send(request) { return true }
        opened()
        return false
    }

    /// Opens a link, and returns when it is open. While the desktop asks the user, it returns after ``deadline``; what
    /// fails later is shown to the user.
    ///
    /// - Parameters:
    ///   - url: With an allowed scheme.
    ///   - token: The activation token of the click.
    package nonisolated func openNow(_ url: OpenableURL, token: String?) async throws(LinkFailure) {
        let result = Mailbox<LinkFailure?>()
        guard send(Request(url: .success(url), token: token, result: result)) else { throw .dropped }
        var results = result.messages.makeAsyncIterator()
        if let failure = await results.next() ?? .dropped { throw failure }
    }

    /// A request has ended.
    private nonisolated func opened() {
        unopened.withLock { unopened in
            unopened.count -= 1
            if unopened.count == 0 { unopened.waiters.wakeAll() }
        }
    }

    /// Returns when the links so far are opened, after ``finishTimeout`` at the latest. Call it before the task of
    /// ``run()`` is cancelled.
    package func finish() async {
        let end = unopened.withLock { $0.count > 0 ? $0.waiters.add() : nil }
        _ = await end?.wait(atMost: Self.finishTimeout, clock: clock)
    }

    /// Opens links until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            let leaving = Mailbox<Void>()
            var freePlaces = Self.concurrencyLimit
            for await request in requests.messages {
                group.addTask {
                    let place = Place { leaving.send() }
                    await self.open(request, place)
                    place.leave()
                    self.opened()
                }
                freePlaces -= 1
                guard freePlaces == 0 else { continue }
                for await _ in leaving.messages { break }
                freePlaces += 1
            }
        }
    }

    /// One of the ``concurrencyLimit`` places, which a request leaves when it waits for the user.
    private final class Place: Sendable {
        private let isLeft = Mutex(false)
        private let left: @Sendable () -> Void

        init(_ left: @escaping @Sendable () -> Void) { self.left = left }

        var isTaken: Bool { isLeft.withLock { !$0 } }

        func leave() {
            let isFirst = isLeft.withLock { isLeft in
                defer { isLeft = true }
                return !isLeft
            }
            if isFirst { left() }
        }
    }

    private nonisolated func open(_ request: Request, _ place: Place) async {
        let failure: LinkFailure?
        do throws(LinkFailure) {
            let method = try await opening(request, place)
            logger.info("link opened", metadata: ["method": "\(method)"])
            failure = nil
        } catch {
            if !Task.isCancelled {
                logger.error("link not opened", metadata: ["reason": "\(error.sentence)"])
            }
            failure = error
        }
        if !request.result.send(failure), let failure { await failed(failure) }
    }

    private enum Outcome: Sendable {
        case opened(method: String)
        case failed(LinkFailure)
        case late
    }

    /// - Returns: The method that succeeded.
    private nonisolated func opening(_ request: Request, _ place: Place) async throws(LinkFailure) -> String {
        let url = try request.url.get().text
        let outcome = await withTaskGroup(of: Outcome.self) { [opener, clock] group in
            func wait(_ time: Duration) {
                group.addTask {
                    try? await clock.sleep(for: time)
                    return .late
                }
            }
            group.addTask {
                do {
                    return .opened(method: try await opener(url, request.token) { place.leave() })
                } catch {
                    return .failed((error as? URLOpener.Failure).map(LinkFailure.failed) ?? .dropped)
                }
            }
            wait(Self.deadline)
            var outcome = await group.next()
            if case .late = outcome, !place.isTaken {
                // The user is choosing a program: callers have waited long enough.
                request.result.send(nil)
                request.result.close()
                wait(Self.choiceTimeout)
                outcome = await group.next()
            }
            group.cancelAll()
            return outcome ?? .failed(.dropped)
        }
        switch outcome {
        case .opened(let method): return method
        case .failed(let failure): throw failure
        case .late: throw .timedOut
        }
    }
}
