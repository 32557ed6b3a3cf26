import Basics
package import ClientKit
package import Logging

/// The realtime feed of a user: connects, reconnects indefinitely, and reports what the server sends.
///
/// The delays between attempts are those of ``ReconnectPolicy`` for each carrier: short after a loss, spread over a
/// longer time after an end that the server announced, long after a refusal. Ably's libraries wait for 15 seconds and
/// more instead.
package actor RealtimeFeed: RealtimeSource {
    private let connector: any RealtimeConnector
    private let http: any HTTPTransport
    private let environment: ClientEnvironment
    private let logger: Logger

    /// Signalled to connect now.
    private let retry = WakeSignal()
    private var isWaiting = false
    /// The time since events are received; nil: the present connection does not receive any.
    private var uptime: (@Sendable () -> Duration)?

    /// The feed of the user of `api`, at the hosts and with the transports of its requests. Call ``run(_:)`` next.
    ///
    /// - Parameters:
    ///   - carrier: nil: the one that the service's configuration names, see ``RealtimeCarrier``.
    ///   - tokens: Keeps the token of the service's own socket.
    package init(
        carrier: RealtimeCarrier? = nil,
        api: any InboxAPI,
        tokens: InboxTokenStorage = InboxTokenStorage(),
        context: RequestContext
    ) {
        self.init(
            carrier: carrier,
            api: api,
            webSocket: context.webSocket,
            http: context.http,
            ablyREST: context.hosts.ablyREST,
            ablyRealtime: context.hosts.ablyRealtime,
            socket: context.hosts.socket,
            inboxTokens: tokens,
            environment: context.environment,
            logger: context.logger
        )
    }

    /// The feed of the user of `api`. Call ``run(_:)`` next.
    ///
    /// - Parameters:
    ///   - carrier: nil: the one that the service's configuration names, see ``RealtimeCarrier``.
    ///   - ablyREST: The base URL of Ably's REST API.
    ///   - ablyRealtime: The base URL of Ably's realtime connections.
    ///   - ablyHosts: The same with its fallback hosts; nil: those of Ably's own hosts.
    ///   - ablyRESTHosts: The base URLs of Ably's REST API in the same way.
    ///   - socket: The URL of the service's own socket.
    ///   - inboxTokens: Keeps its token.
    package init(
        carrier: RealtimeCarrier? = nil,
        api: any InboxAPI,
        webSocket: any WebSocketTransport,
        http: any HTTPTransport,
        ablyREST: String = "https://rest.ably.io",
        ablyRealtime: String = "wss://realtime.ably.io",
        ablyHosts: HostFallback.Hosts? = nil,
        ablyRESTHosts: HostFallback.Hosts? = nil,
        socket: String = "wss://ws.magicbell.com",
        inboxTokens: InboxTokenStorage = InboxTokenStorage(),
        environment: ClientEnvironment,
        logger: Logger
    ) {
        self.http = http
        self.environment = environment
        self.logger = logger
        let driver = SocketDriver(webSocket: webSocket, clock: environment.clock)
        let exchange = AblyTokenExchange(
            http: http,
            hosts: ablyRESTHosts ?? HostFallback.Hosts(of: ablyREST),
            environment: environment
        )
        let ably = AblyConnector(
            api: api,
            tokens: AblyTokens(api: api, exchange: exchange, environment: environment),
            driver: driver,
            hosts: ablyHosts ?? HostFallback.Hosts(of: ablyRealtime),
            internet: InternetCheck(http: http),
            environment: environment,
            logger: logger
        )
        let inboxSocket = InboxSocketConnector(
            api: api,
            driver: driver,
            host: socket,
            storage: inboxTokens,
            logger: logger
        )
        connector =
            switch carrier {
            case .ably: ably
            case .socket: inboxSocket
            case nil: AutomaticConnector(api: api, ably: ably, socket: inboxSocket)
            }
    }

    package func run(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async {
        var policy = ReconnectPolicy(scale: environment.waitScale)
        var hasRetriedAtOnce = false
        await connector.startOver()
        while !Task.isCancelled {
            uptime = nil
            await report(.connecting)
            var end = await connector.connect { await self.receive($0, report) }
            if Task.isCancelled { return }
            logger.debug("realtime connection ended", metadata: ["reason": "\(end.error.message)"])
            let uptime = uptime?()
            if uptime != nil {
                // The cause may have broken the idle HTTP connections, too.
                http.retireConnections()
            } else if end.cause == .lost {
                end.cause = .failed
            }
            if let uptime, uptime >= ReconnectPolicy.steadyUptime { hasRetriedAtOnce = false }
            if end.isRetriedAtOnce, !hasRetriedAtOnce {
                hasRetriedAtOnce = true
                continue
            }
            let delay = policy.delay(
                after: end.cause,
                uptime: uptime,
                retryAfter: end.error.retryAfter,
                jitter: environment.jitter()
            )
            isWaiting = true
            await report(.lost(end.error, nextAttempt: environment.date(after: delay)))
            await retry.wait(atMost: delay, clock: environment.clock)
            isWaiting = false
        }
    }

    package func reconnect() async {
        if isWaiting { retry.signal() }
    }

    private func receive(_ update: RealtimeUpdate, _ report: @Sendable (RealtimeUpdate) async -> Void) async {
        if case .connected = update { uptime = uptime ?? environment.clock.stopwatch() }
        await report(update)
    }
}
