package import Desktop
import Inbox
package import Logging

/// Opens the addresses of notifications, each in its own time.
package actor LinkOpener {
    private let opener: URLOpener
    private let logger: Logger
    private var schemes: Set<String>
    private let requests: AsyncStream<(address: String, token: String?)>
    private let input: AsyncStream<(address: String, token: String?)>.Continuation

    /// - Parameter schemes: The schemes that may be opened, in lower case.
    package init(opener: URLOpener, schemes: Set<String>, logger: Logger) {
        self.opener = opener
        self.schemes = schemes
        self.logger = logger
        (requests, input) = AsyncStream.makeStream()
    }

    /// From now on these schemes may be opened, and no others.
    package func allow(_ schemes: Set<String>) { self.schemes = schemes }

    /// Opens an address in the background, if it is one that may be opened. Nothing happens for an empty one.
    ///
    /// - Parameter token: The activation token that goes with it.
    package nonisolated func open(_ address: String, token: String?) {
        if !address.isEmpty { input.yield((address, token)) }
    }

    /// Works until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await (address, token) in requests {
                guard let url = OpenableURL(address, schemes: schemes) else {
                    logger.warning("an address was not opened: popups.open_schemes does not allow its scheme")
                    continue
                }
                group.addTask { [opener, logger] in
                    do {
                        let way = try await opener.open(url.text, token: token)
                        logger.info("opened an address", metadata: ["way": "\(way.rawValue)"])
                    } catch {
                        logger.error("an address could not be opened", metadata: ["reason": "\(error)"])
                    }
                }
            }
        }
    }
}
