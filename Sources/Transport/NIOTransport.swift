package import Logging
import NIOPosix

/// HTTP and WebSockets over one event loop, which is one thread.
///
/// Use ``withTransport(options:logger:_:)``, or call ``shutdown()`` when done; one that is merely dropped is shut down behind its back. Nothing happens while nothing is asked for:
/// there is no periodic timer; idle HTTP connections are closed once, after half a minute.
package final class NIOTransport: HTTPTransport, WebSocketTransport {
    let options: TransportOptions
    let logger: Logger
    let network: Network
    let trust: TLSTrust

    /// Takes a thread until ``shutdown()``. What is wrong with the options is told by whatever is tried with them, so that it can be
    /// set right meanwhile.
    package convenience init(options: TransportOptions = TransportOptions(), logger: Logger) {
        self.init(options: options, logger: logger, network: Network())
        if let complaint = options.proxies.complaint { logger.warning("\(complaint)") }
    }

    private init(options: TransportOptions, logger: Logger, network: Network) {
        self.options = options
        self.logger = logger
        self.network = network
        trust = TLSTrust(extraCAFile: options.extraCAFile)
    }

    /// A transport that trusts the certificates in another file besides the system's; nil: in none. It shares this one's thread and
    /// ends with it.
    package func trusting(_ extraCAFile: String?) -> NIOTransport {
        guard extraCAFile != options.extraCAFile else { return self }
        var options = options
        options.extraCAFile = extraCAFile
        return NIOTransport(options: options, logger: logger, network: network)
    }

    /// Runs `body` with a transport that lives as long.
    package static func withTransport<Result>(
        options: TransportOptions = TransportOptions(),
        logger: Logger,
        _ body: (NIOTransport) async throws -> Result
    ) async throws -> Result {
        let transport = NIOTransport(options: options, logger: logger)
        do {
            let result = try await body(transport)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    /// Ends every request and connection, and gives the thread back. To be called last.
    package func shutdown() async { await network.shutdown() }

    /// The proxy on the way to a URL, for messages; nil: there is none, or none that can be used.
    package func proxy(for url: String) -> String? {
        (try? options.proxies.proxy(for: Endpoint(url)))?.description
    }

    var eventLoops: MultiThreadedEventLoopGroup { network.eventLoops }
}
