package import Logging
package import NIOCore

/// HTTP and WebSockets over one event loop, which is one thread.
///
/// Use ``withTransport(options:logger:_:)``, or call ``shutdown()`` when done; a released transport shuts down in the
/// background. It is idle between requests: there is no periodic timer; idle HTTP connections are closed once, after 30
/// seconds.
package final class NIOTransport: HTTPTransport, WebSocketTransport {
    let options: TransportOptions
    let logger: Logger
    let network: Network
    let trust: TLSTrust
    /// nil: hosts may have any address.
    let restriction: AddressRestriction?

    /// Invalid options are reported by the requests that use them, so that the user can correct them meanwhile.
    ///
    /// - Parameter eventLoop: The program's event loop, which must outlive the transport; nil: a thread is started,
    ///   which ``shutdown()`` ends.
    package convenience init(
        options: TransportOptions = TransportOptions(),
        eventLoop: (any EventLoop)? = nil,
        logger: Logger
    ) {
        let network = Network(eventLoop: eventLoop, freshness: TimeAmount(options.freshness))
        self.init(options: options, logger: logger, network: network)
        if let problem = options.proxies.problem { logger.warning("\(problem)") }
    }

    /// - Parameter trust: nil: what the options say.
    init(
        options: TransportOptions = TransportOptions(),
        logger: Logger,
        network: Network,
        trust: TLSTrust? = nil,
        restriction: AddressRestriction? = nil
    ) {
        self.options = options
        self.logger = logger
        self.network = network
        self.trust = trust ?? TLSTrust(extraCAFile: options.extraCAFile, system: options.authorities)
        self.restriction = restriction
    }

    /// A transport that also trusts the certificates in this file, besides the system's; nil: only the system's. It
    /// shares this transport's thread and ends with it.
    package func trusting(_ extraCAFile: String?) -> NIOTransport {
        guard extraCAFile != options.extraCAFile else { return self }
        var options = options
        options.extraCAFile = extraCAFile
        return NIOTransport(options: options, logger: logger, network: network, restriction: restriction)
    }

    /// A transport for HTTP requests to hosts that others choose. It shares this transport's thread and ends with it,
    /// but no connections.
    package func restricted(by restriction: AddressRestriction) -> NIOTransport {
        NIOTransport(options: options, logger: logger, network: network, trust: trust, restriction: restriction)
    }

    /// Runs `body` with a transport, and shuts it down afterwards.
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

    /// Ends every request and connection, and the thread if the transport started one. Call it last.
    package func shutdown() async { await network.shutdown() }

    /// The proxy for a URL, for messages; nil: none, or an unusable one.
    package func proxy(for url: String) -> String? {
        (try? options.proxies.proxy(for: Endpoint(url)))?.description
    }

    func route(to endpoint: Endpoint) throws(TransportError) -> Route {
        Route(endpoint, through: try options.proxies.proxy(for: endpoint), resolver: network)
    }

    package var eventLoop: any EventLoop { network.eventLoop }
}
