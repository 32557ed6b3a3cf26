import NIOCore
import NIOHTTP1
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
    /// The usual timeout of a request: what is not confirmed by then must not be delivered later, also if this process
    /// ends meanwhile.
    private static let unconfirmedTimeout = TimeAmount.seconds(20)

    /// The number of changes of the network before its connections.
    let generation: Int
    private let eventLoop: any EventLoop
    /// Connections without a request, the last used one last.
    private var idle: [HTTPConnection] = []
    /// Open connections, with and without a request.
    private var channels: [ObjectIdentifier: any Channel] = [:]
    /// The number of connections that are being opened.
    private var connecting = 0
    /// Exchanges that wait for a connection.
    private var waiting: [HTTPExchange] = []
    /// Whether connections are closed instead of becoming idle.
    private var isRetired = false

    init(generation: Int, on eventLoop: any EventLoop) {
        self.generation = generation
        self.eventLoop = eventLoop
    }

    /// Whether nothing is open.
    var isUnused: Bool { channels.isEmpty && connecting == 0 && waiting.isEmpty }

    /// Closes the idle connections now, and the others after their request.
    func retire() {
        isRetired = true
        let closing = idle
        idle = []
        for connection in closing { connection.close() }
    }

    /// Completes when the open connections are closed.
    var closed: [EventLoopFuture<Void>] { channels.values.map(\.closeFuture) }

    // MARK: Requests

    /// Sends the request over an idle or a new connection, or when one is free.
    func start(_ exchange: HTTPExchange) {
        // A repeated request does not use another kept connection, which the server may have closed, too.
        while !exchange.isRepeated, let connection = idle.popLast() {
            if connection.isIdle { return send(exchange, over: connection) }
        }
        if channels.count + connecting < Self.maximum {
            connect(exchange)
        } else {
            exchange.phase = .waiting
            waiting.append(exchange)
        }
    }

    /// Releases what an exchange uses that has its response or an error.
    func end(_ exchange: HTTPExchange) {
        let phase = exchange.phase
        exchange.phase = .ended
        switch phase {
        case .waiting: waiting.removeAll { $0 === exchange }
        case .connecting(let channels): for channel in channels { channel.close(promise: nil) }
        case .sent(let connection): connection.close()
        case .ended: break
        }
    }

    private func send(_ exchange: HTTPExchange, over connection: HTTPConnection) {
        exchange.phase = .sent(connection)
        connection.send(exchange)
    }

    private func ended(_ connection: HTTPConnection, _ exchange: HTTPExchange, _ outcome: HTTPConnection.Outcome) {
        switch outcome {
        case .response(let response, let isKept):
            exchange.phase = .ended
            if isKept { keep(connection) }
            exchange.response.succeed(response)
        case .failure(_, isUnsent: true) where exchange.request.method == "GET" && !exchange.isRepeated:
            // A GET is safe to repeat (RFC 9110 §9.2.2).
            exchange.isRepeated = true
            start(exchange)
        case .failure(let error, _):
            exchange.phase = .ended
            exchange.response.fail(error)
        }
    }

    private func keep(_ connection: HTTPConnection) {
        if !waiting.isEmpty { return send(waiting.removeFirst(), over: connection) }
        if isRetired { return connection.close() }
        connection.idleSince = .now()
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
        exchange.phase = .connecting([])
        connecting += 1
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        let attempt = exchange.route.connect(
            on: eventLoop,
            timeout: Self.connectTimeout,
            unconfirmed: Self.unconfirmedTimeout
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                let (_, exchange) = bound.value
                guard case .connecting(let channels) = exchange.phase else { throw ChannelError.eof }
                exchange.phase = .connecting(channels + [channel])
            }
        } prepare: { channel in
            channel.eventLoop.makeCompletedFuture {
                let (host, exchange) = bound.value
                let pipeline = channel.pipeline.syncOperations
                if let tls = exchange.tls { try pipeline.addHandler(exchange.route.tlsHandler(tls)) }
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(HTTPConnection(host.ended))
            }
        }
        attempt.whenComplete { result in
            let (host, exchange) = bound.value
            host.connecting -= 1
            host.connected(result, for: exchange)
        }
    }

    private func connected(_ result: Result<any Channel, any Error>, for exchange: HTTPExchange) {
        do {
            let channel = try result.get()
            let connection = try channel.pipeline.syncOperations.handler(type: HTTPConnection.self)
            let id = ObjectIdentifier(connection)
            channels[id] = channel
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            channel.closeFuture.whenComplete { _ in bound.value.didClose(id) }
            guard case .connecting = exchange.phase else { return connection.close() }
            send(exchange, over: connection)
        } catch {
            if case .connecting = exchange.phase { exchange.phase = .ended }
            exchange.response.fail(error)
            startNext()
        }
    }

    private func didClose(_ connection: ObjectIdentifier) {
        channels[connection] = nil
        idle.removeAll { ObjectIdentifier($0) == connection }
        startNext()
    }

    private func startNext() {
        if !waiting.isEmpty, channels.count + connecting < Self.maximum { start(waiting.removeFirst()) }
    }
}
