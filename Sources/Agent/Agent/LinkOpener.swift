import Basics
package import Desktop
import Inbox
package import Logging
import Synchronization

/// Opens the links of notifications, a few at a time.
package actor LinkOpener {
    /// The maximum number of links that are opened at the same time.
    package static let concurrencyLimit = 4
    /// The maximum number of waiting links; further ones are rejected.
    package static let waitingLimit = 20
    /// The timeout for opening one link.
    package static let deadline = Duration.seconds(30)
    /// The time that ``finish()`` waits.
    package static let finishTimeout = Duration.seconds(2)

    private struct Request: Sendable {
        /// The first one that is allowed is opened.
        var addresses: [String]
        /// The activation token of the click.
        var token: String?
        /// Receives the result; nil: the link was opened.
        var report: @Sendable (LinkFailure?) async -> Void
    }

    private let opener: @Sendable (_ url: String, _ token: String?) async throws -> String
    private let failed: @Sendable (LinkFailure) async -> Void
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var schemes: Set<String>
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
        self.init(schemes: schemes, clock: clock, logger: logger, failed: failed) { url, token in
            try await opener.open(url, token: token).rawValue
        }
    }

    /// - Parameter opener: Opens a URL and returns the method that succeeded.
    package init(
        schemes: Set<String>,
        clock: any Clock<Duration>,
        logger: Logger,
        failed: @escaping @Sendable (LinkFailure) async -> Void = { _ in },
        opener: @escaping @Sendable (_ url: String, _ token: String?) async throws -> String
    ) {
        self.opener = opener
        self.failed = failed
        self.schemes = schemes
        self.clock = clock
        self.logger = logger
    }

    /// Replaces the allowed schemes.
    package func allow(_ schemes: Set<String>) { self.schemes = schemes }

    /// Opens a link in the background, for a click. An empty one is ignored; a failure is shown to the user.
    ///
    /// - Parameter token: The activation token of the click.
    package nonisolated func open(_ address: String, token: String?) { open([address], token: token) }

    /// Opens the first link whose scheme is allowed in the background, for a click. Empty ones are ignored; a failure
    /// is shown to the user.
    ///
    /// - Parameter token: The activation token of the click.
    package nonisolated func open(_ addresses: [String], token: String?) {
        let addresses = addresses.filter { !$0.isEmpty }
        guard !addresses.isEmpty else { return }
        let request = Request(addresses: addresses, token: token) { [failed] failure in
            if let failure { await failed(failure) }
        }
        if !send(request) { logger.warning("link not opened: too many are waiting") }
    }

    private nonisolated func send(_ request: Request) -> Bool {
        unopened.withLock { $0.count += 1 }
        if requests.send(request) { return true }
        opened()
        return false
    }

    /// Opens the first link whose scheme is allowed, and returns when it is open.
    ///
    /// - Parameter token: The activation token of the click.
    package nonisolated func openNow(_ addresses: [String], token: String?) async throws(LinkFailure) {
        let addresses = addresses.filter { !$0.isEmpty }
        guard !addresses.isEmpty else { throw .noLink }
        let result = Mailbox<LinkFailure?>()
        guard send(Request(addresses: addresses, token: token, report: { result.send($0) })) else {
            throw .dropped
        }
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
        await withTaskGroup { group in
            var running = 0
            for await request in requests.messages {
                group.addTask { [schemes] in
                    await self.open(request, schemes)
                    self.opened()
                }
                running += 1
                if running == Self.concurrencyLimit {
                    await group.next()
                    running -= 1
                }
            }
        }
    }

    private nonisolated func open(_ request: Request, _ schemes: Set<String>) async {
        let urls = request.addresses.lazy.compactMap { OpenableURL($0, schemes: schemes) }
        do throws(LinkFailure) {
            guard let url = urls.first else {
                throw .notAllowed(scheme: OpenableURL.scheme(of: request.addresses[0]))
            }
            let method = try await open(url.text, request.token)
            logger.info("link opened", metadata: ["method": "\(method)"])
            await request.report(nil)
        } catch {
            if !Task.isCancelled {
                logger.error("link not opened", metadata: ["reason": "\(error.sentence)"])
            }
            await request.report(error)
        }
    }

    /// - Returns: The method that succeeded.
    private nonisolated func open(_ url: String, _ token: String?) async throws(LinkFailure) -> String {
        let result = await withTaskGroup(of: Result<String, LinkFailure>.self) { [opener, clock] group in
            group.addTask {
                do {
                    return .success(try await opener(url, token))
                } catch {
                    return .failure((error as? URLOpener.Failure).map { .failed($0) } ?? .dropped)
                }
            }
            group.addTask {
                try? await clock.sleep(for: Self.deadline)
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.dropped)
            group.cancelAll()
            return first
        }
        return try result.get()
    }
}
