import Basics

/// The realtime connection of a feed, which runs it (``Feed/stayConnected()``).
struct FeedConnection {
    let driver: SessionDriver
    let url: String
    /// Signalled to connect now.
    let retry = WakeSignal()
    /// Whether the next attempt to connect is awaited.
    var isWaiting = false
    /// The token of the last CONNECT.
    var offeredToken: String?
    /// The time since the socket was joined; nil: the present connection is not joined.
    var uptime: (@Sendable () -> Duration)?

    init(service: APIClient) {
        let context = service.context
        driver = SessionDriver(
            webSocket: context.webSocket,
            clock: context.environment.clock,
            logger: context.logger
        )
        url = SessionDriver.url(host: service.scope.hosts.socket)
    }

    /// Ends the wait before the next attempt to connect.
    func reconnect() {
        if isWaiting { retry.signal() }
    }
}
