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
    /// - Parameters:
    ///   - eventLoop: The program's event loop, which must outlive the transport; nil: a thread is started, which
    ///     ``shutdown()`` ends.
    ///   - desktopProxies: Asked before each new connection for which the variables set no proxy and no exception.
    package convenience init(
        options: TransportOptions = TransportOptions(),
        eventLoop: (any EventLoop)? = nil,
        desktopProxies: DesktopProxies? = nil,
        logger: Logger
    ) {
        let freshness = TimeAmount(options.freshness)
        let network = Network(eventLoop: eventLoop, freshness: freshness, desktopProxies: desktopProxies)
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
        desktopProxies: DesktopProxies? = nil,
        logger: Logger,
        _ body: (NIOTransport) async throws -> Result
    ) async throws -> Result {
        let transport = NIOTransport(options: options, desktopProxies: desktopProxies, logger: logger)
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

    /// The proxy for a URL, for messages, with what sets it; nil: none, or an unusable one. If there are several ways,
    /// all proxies.
    ///
    /// - Parameter desktop: The desktop's settings, in the user's language.
    package func proxy(for url: String, desktop: String) async -> String? {
        let proxies = (try? await route(to: Endpoint(url)))?.ways.compactMap(\.self) ?? []
        let texts = proxies.map { "\($0.name) (\($0.source == ProxyServer.desktop ? desktop : $0.source))" }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// - Parameter mayBeKept: Whether a connection that is kept is used.
    func route(to endpoint: Endpoint, mayBeKept: Bool = false) async throws(TransportError) -> Route {
        let proxy = try options.proxies.proxy(for: endpoint)
        guard let desktopProxies = network.desktopProxies, options.proxies.leaveOpen(endpoint) else {
            return Route(endpoint, through: [proxy], resolver: network)
        }
        if mayBeKept, let ways = await network.keptWays(to: endpoint) {
            return Route(endpoint, through: ways, resolver: network)
        }
        let answer = await desktopProxies("https://\(endpoint.authority)/")
        // No answer would then be no reason to connect directly.
        if Task.isCancelled { throw .cancelled(host: endpoint.host) }
        return Route(endpoint, through: try ProxyServer.ways(in: answer ?? []), resolver: network)
    }

    package var eventLoop: any EventLoop { network.eventLoop }
}
