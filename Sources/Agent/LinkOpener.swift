package import Desktop
import Inbox
package import Logging

/// Opens the addresses of notifications, a few at a time.
package actor LinkOpener {
    /// At most this many are opened at once.
    package static let concurrencyLimit = 4
    /// At most this many wait; further ones are refused.
    package static let waitingLimit = 20
    /// An address that is not opened after this time is given up.
    package static let deadline = Duration.seconds(30)

    private typealias Request = (address: String, token: String?)

    private let opener: @Sendable (_ url: String, _ token: String?) async throws -> String
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var schemes: Set<String>
    private let requests: AsyncStream<Request>
    private let input: AsyncStream<Request>.Continuation

    /// - Parameter schemes: The schemes that may be opened, in lower case.
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

    /// - Parameter opener: Opens an address and returns the way it took.
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
        (requests, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// From now on these schemes may be opened, and no others.
    package func allow(_ schemes: Set<String>) { self.schemes = schemes }

    /// Opens an address in the background, if it is one that may be opened. Nothing happens for an empty one.
    ///
    /// - Parameter token: The activation token that goes with it.
    package nonisolated func open(_ address: String, token: String?) {
        guard !address.isEmpty else { return }
        if case .dropped = input.yield((address, token)) {
            logger.warning("an address was not opened: too many are waiting")
        }
    }

    /// Works until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            var running = 0
            for await (address, token) in requests {
                guard let url = OpenableURL(address, schemes: schemes) else {
                    logger.warning("an address was not opened: popups.open_schemes does not allow its scheme")
                    continue
                }
                group.addTask { [opener, clock, logger] in
                    await Self.open(url.text, token, opener, clock, logger)
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
                    let way = try await opener(url, token)
                    logger.info("opened an address", metadata: ["way": "\(way)"])
                } catch  where !Task.isCancelled {
                    logger.error("an address could not be opened", metadata: ["reason": "\(error)"])
                } catch {}
            }
            group.addTask {
                guard (try? await clock.sleep(for: deadline)) != nil else { return }
                let seconds = deadline.components.seconds
                logger.error("an address could not be opened in time", metadata: ["seconds": "\(seconds)"])
            }
            await group.next()
            group.cancelAll()
        }
    }
}
