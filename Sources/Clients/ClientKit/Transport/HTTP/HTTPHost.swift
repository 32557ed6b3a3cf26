import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// The connections to one host, kept for further requests. For the event loop.
///
/// There is no periodic timer: an idle connection is closed once, after ``idleTimeout``.
final class HTTPHost {
    /// The maximum number of connections; further requests wait.
    private static let maximum = 4
    private static let connectTimeout = TimeAmount.seconds(10)
    private static let idleTimeout = TimeAmount.seconds(30)
    /// The shortest time after which a request that a kept connection does not answer is sent over another one.
    private static let shortestWait = TimeAmount.seconds(2)
    /// The default timeout of a request: what is not confirmed by then must not be delivered later, also if this
    /// process ends meanwhile.
    private static let unconfirmedTimeout = TimeAmount.seconds(20)

    /// The number of changes of the network before its connections.
    let generation: Int
    private let eventLoop: any EventLoop
    private let timeoutScale: NIOLoopBoundBox<TimeoutScale>
    /// After this time without a request a router may have forgotten a connection.
    private let freshness: TimeAmount
    /// Connections without a request, the last used one last.
    private var idle: [HTTPConnection] = []
    /// Open connections, with and without a request.
    private var channels: [ObjectIdentifier: any Channel] = [:]
    /// The number of connections that are being opened.
    private var connecting = 0
    /// Exchanges that wait for a connection.
    private var waiting: [HTTPExchange] = []
    /// The time from the last answered request to the beginning of its answer.
    private var roundTrip = TimeAmount.zero
    /// Whether connections are closed instead of becoming idle.
    private var isRetired = false

    init(
        generation: Int,
        on eventLoop: any EventLoop,
        _ timeoutScale: NIOLoopBoundBox<TimeoutScale>,
        freshness: TimeAmount
    ) {
        (self.generation, self.eventLoop, self.timeoutScale) = (generation, eventLoop, timeoutScale)
        self.freshness = freshness
    }

    /// Whether a connection is kept without a request.
    var hasIdle: Bool { !idle.isEmpty }

    /// Whether nothing is open.
    var isUnused: Bool { openings == 0 && waiting.isEmpty }

    private var openings: Int { channels.count + connecting }

    /// Closes the idle connections now, and the others after their request.
    func retire() {
        isRetired = true
        let closing = idle
        idle = []
        for connection in closing { connection.close() }
    }

    /// The open connections.
    var open: [any Channel] { Array(channels.values) }

    // MARK: Requests

    /// Sends the request over an idle or a new connection, or when one is free.
    ///
    /// A router may have forgotten a connection that has rested. What changes something goes over another one, so that
    /// it need not be repeated.
    func start(_ exchange: HTTPExchange) {
        exchange.phase = .started
        // A repeated request does not use another kept connection, which the server may have closed, too.
        while !exchange.isRepeated, let connection = idle.last, exchange.isSafe || !hasRested(connection) {
            idle.removeLast()
            if connection.isIdle { return send(exchange, over: connection) }
        }
        if openings < Self.maximum { return connect(exchange) }
        exchange.phase = .waiting
        waiting.append(exchange)
        if !idle.isEmpty { idle.removeFirst().close() }
    }

    /// Releases what an exchange uses that has its response or an error.
    func end(_ exchange: HTTPExchange) {
        if exchange.phase == .waiting { waiting.removeAll { $0 === exchange } }
        exchange.end()
    }

    private func send(_ exchange: HTTPExchange, over connection: HTTPConnection) {
        exchange.phase = .started
        exchange.connections.append(connection)
        if exchange.isSafe, hasRested(connection) { insure(exchange) }
        exchange.timing.sent(now: .now())
        connection.send(exchange)
    }

    private func hasRested(_ connection: HTTPConnection) -> Bool { connection.idleSince + freshness < .now() }

    /// Sends the request over a second connection as well if the first does not answer as soon as others did.
    private func insure(_ exchange: HTTPExchange) {
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        eventLoop.scheduleTask(in: max(Self.shortestWait, roundTrip * 2)) {
            let (host, exchange) = bound.value
            guard exchange.phase == .started, !exchange.isConnecting, exchange.connections.count == 1,
                exchange.connections[0].isUnanswered
            else { return }
            host.connect(exchange)
        }
    }

    private func report(_ connection: HTTPConnection, _ exchange: HTTPExchange, _ event: HTTPConnection.Event) {
        switch event {
        case .answered(let time):
            roundTrip = time
            // The first answer counts.
            for other in exchange.connections where other !== connection { other.close() }
            exchange.connections = [connection]
        case .response(let response, let isKept):
            exchange.connections = []
            if isKept { keep(connection) }
            exchange.response.succeed(response)
        case .failure(let error, let isUnsent):
            exchange.connections.removeAll { $0 === connection }
            // The other one may still answer.
            if !exchange.connections.isEmpty || exchange.isConnecting { return }
            guard isUnsent, exchange.isSafe, !exchange.isRepeated else { return exchange.response.fail(error) }
            exchange.isRepeated = true
            start(exchange)
        }
    }

    private func keep(_ connection: HTTPConnection) {
        connection.idleSince = .now()
        if !waiting.isEmpty { return send(waiting.removeFirst(), over: connection) }
        if isRetired { return connection.close() }
        idle.append(connection)
        if !connection.isWatched { watch(connection) }
    }

    /// Closes the connection when it was idle for ``idleTimeout``. A request in between only moves the time, without
    /// another timer.
    private func watch(_ connection: HTTPConnection) {
        connection.isWatched = true
        let bound = NIOLoopBound((self, connection), eventLoop: eventLoop)
        eventLoop.scheduleTask(deadline: connection.idleSince + Self.idleTimeout) {
            let (host, connection) = bound.value
            connection.isWatched = false
            guard connection.isIdle else { return }
            if .now() - connection.idleSince < Self.idleTimeout { host.watch(connection) } else { connection.close() }
        }
    }

    // MARK: Connections

    private func connect(_ exchange: HTTPExchange) {
        exchange.isConnecting = true
        connecting += 1
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        let (started, factor) = (NIODeadline.now(), timeoutScale.value.factor)
        let attempt = exchange.route.connect(
            on: eventLoop,
            timeout: Self.connectTimeout * factor,
            unconfirmed: Self.unconfirmedTimeout
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let (_, exchange) = bound.value
                guard exchange.phase == .started else { throw ChannelError.eof }
                exchange.channels.append(channel)
            }
        } prepare: { channel in
            channel.eventLoop.makeCompletedFuture {
                let (host, exchange) = bound.value
                let pipeline = channel.pipeline.syncOperations
                if let tls = exchange.tls { try pipeline.addHandler(exchange.route.tlsHandler(tls)) }
                try pipeline.addHTTPClientHandlers()
                let decompressor = NIOHTTPResponseDecompressor(limit: .size(HTTPRequest.longestBody))
                try pipeline.addHandler(decompressor)
                try pipeline.addHandler(HTTPConnection(host.report))
            }
        }
        attempt.whenComplete { result in
            let (host, exchange) = bound.value
            host.connecting -= 1
            switch result {
            case .success: host.timeoutScale.value.succeeded(in: .now() - started, default: Self.connectTimeout)
            case .failure(let error):
                let kind = TransportError(error, on: exchange.route).kind
                if kind == .timeout { host.timeoutScale.value.timedOut(at: factor) }
            }
            host.connected(result, for: exchange)
        }
    }

    private func connected(_ result: Result<any Channel, any Error>, for exchange: HTTPExchange) {
        exchange.isConnecting = false
        exchange.channels = []
        do {
            let channel = try result.get()
            let connection = try channel.pipeline.syncOperations.handler(type: HTTPConnection.self)
            let id = ObjectIdentifier(connection)
            channels[id] = channel
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            channel.closeFuture.whenComplete { _ in bound.value.didClose(id) }
            let isAwaited = exchange.phase == .started && exchange.connections.allSatisfy(\.isUnanswered)
            if isAwaited { send(exchange, over: connection) } else { connection.close() }
        } catch {
            if exchange.connections.isEmpty { exchange.response.fail(error) }
            startNext()
        }
    }

    private func didClose(_ connection: ObjectIdentifier) {
        channels[connection] = nil
        idle.removeAll { ObjectIdentifier($0) == connection }
        startNext()
    }

    private func startNext() {
        if !waiting.isEmpty, openings < Self.maximum { start(waiting.removeFirst()) }
    }
}
