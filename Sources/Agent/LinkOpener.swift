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
    }

    private let opener: @Sendable (_ url: String, _ token: String?) async throws -> String
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

    /// - Parameter schemes: The allowed schemes, in lower case.
    package init(
        opener: URLOpener,
        schemes: Set<String>,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.init(schemes: schemes, clock: clock, logger: logger) { url, token in
            try await opener.open(url, token: token).rawValue
        }
    }

    /// - Parameter opener: Opens a URL and returns the method that succeeded.
    package init(
        schemes: Set<String>,
        clock: any Clock<Duration>,
        logger: Logger,
        opener: @escaping @Sendable (_ url: String, _ token: String?) async throws -> String
    ) {
        self.opener = opener
        self.schemes = schemes
        self.clock = clock
        self.logger = logger
    }

    /// Replaces the allowed schemes.
    package func allow(_ schemes: Set<String>) { self.schemes = schemes }

    /// Opens a link in the background if its scheme is allowed. An empty one is ignored.
    ///
    /// - Parameter token: The activation token of the click.
    package nonisolated func open(_ address: String, token: String?) { open([address], token: token) }

    /// Opens the first link whose scheme is allowed in the background. Empty ones are ignored.
    ///
    /// - Parameter token: The activation token of the click.
    package nonisolated func open(_ addresses: [String], token: String?) {
        let addresses = addresses.filter { !$0.isEmpty }
        guard !addresses.isEmpty else { return }
        unopened.withLock { $0.count += 1 }
        if !requests.send(Request(addresses: addresses, token: token)) {
            logger.warning("link not opened: too many are waiting")
            opened()
        }
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
                let urls = request.addresses.lazy.compactMap { [schemes] in OpenableURL($0, schemes: schemes) }
                guard let url = urls.first else {
                    logger.warning("link not opened: popups.open_schemes does not allow its scheme")
                    opened()
                    continue
                }
                group.addTask { [opener, clock, logger] in
                    await Self.open(url.text, request.token, opener, clock, logger)
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

    private static func open(
        _ url: String,
        _ token: String?,
        _ opener: @escaping @Sendable (String, String?) async throws -> String,
        _ clock: any Clock<Duration>,
        _ logger: Logger
    ) async {
        await withTaskGroup { group in
            group.addTask {
                do {
                    let method = try await opener(url, token)
                    logger.info("link opened", metadata: ["method": "\(method)"])
                } catch  where !Task.isCancelled {
                    logger.error("cannot open a link", metadata: ["reason": "\(error)"])
                } catch {}
            }
            group.addTask {
                guard (try? await clock.sleep(for: deadline)) != nil else { return }
                let seconds = deadline.components.seconds
                logger.error("opening a link timed out", metadata: ["seconds": "\(seconds)"])
            }
            await group.next()
            group.cancelAll()
        }
    }
}
