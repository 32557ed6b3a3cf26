import Basics
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The resources that transports share: one event loop, which is one thread, and the HTTP connections.
///
/// Everything that uses the event loop is counted. A loop that was started here ends after the last use: a task
/// submitted to an ended loop would never run.
final class Network: Sendable {
    private struct State: Sendable {
        /// The number of uses of the event loop: operations, and a shutdown.
        var uses = 0
        /// Each ends an operation at ``shutdown()``.
        var interrupts: [UInt64: @Sendable () -> Void] = [:]
        var lastInterrupt: UInt64 = 0
        var isShutDown = false
        /// Called after the last use of the event loop.
        var didEnd: (@Sendable () -> Void)?
    }

    let eventLoop: any EventLoop
    /// The thread of ``eventLoop``; nil if the loop belongs to the program.
    let thread: MultiThreadedEventLoopGroup?
    private let connections: NIOLoopBoundBox<HTTPConnections>
    let names: NIOLoopBoundBox<Names>
    let timeoutScale: NIOLoopBoundBox<TimeoutScale>
    /// The open WebSockets, each with the time that its opening took.
    private let webSockets: NIOLoopBoundBox<[ObjectIdentifier: (socket: NIOWebSocketConnection, opening: TimeAmount)]>
    private let state = Mutex(State())

    /// Looks a name up. Blocks.
    let lookUp: @Sendable (_ host: String) throws(LookupFailure) -> [SocketAddress]
    /// nil: the desktop's settings have no effect.
    let desktopProxies: DesktopProxies?

    /// - Parameters:
    ///   - eventLoop: The program's event loop, which outlives this; nil: starts one.
    ///   - freshness: See ``TransportOptions/freshness``.
    init(
        eventLoop: (any EventLoop)? = nil,
        freshness: TimeAmount = TimeAmount(TransportOptions.defaultFreshness),
        desktopProxies: DesktopProxies? = nil,
        lookUp: @escaping @Sendable (_ host: String) throws(LookupFailure) -> [SocketAddress] = SocketAddress.lookUp
    ) {
        self.lookUp = lookUp
        self.desktopProxies = desktopProxies
        thread = eventLoop == nil ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
        let eventLoop = eventLoop ?? thread!.next()
        self.eventLoop = eventLoop
        names = .makeBoxSendingValue(Names(), eventLoop: eventLoop)
        webSockets = .makeBoxSendingValue([:], eventLoop: eventLoop)
        timeoutScale = .makeBoxSendingValue(TimeoutScale(), eventLoop: eventLoop)
        let connections = HTTPConnections(on: eventLoop, timeoutScale, freshness: freshness)
        self.connections = .makeBoxSendingValue(connections, eventLoop: eventLoop)
    }

    // MARK: Operations

    /// Runs an operation that uses the event loop. Throws `shutDown` after ``shutdown()``.
    func use<Result>(_ operation: () async throws -> Result) async throws -> Result {
        try begin()
        defer { end() }
        return try await operation()
    }

    /// Runs `operation`. ``shutdown()`` calls `interrupt` to end it; after the shutdown, `interrupt` is called at once.
    func interruptible<Result>(
        _ interrupt: @escaping @Sendable () -> Void,
        _ operation: () async throws -> Result
    ) async rethrows -> Result {
        let number = state.withLock { state -> UInt64? in
            guard !state.isShutDown else { return nil }
            state.lastInterrupt += 1
            state.interrupts[state.lastInterrupt] = interrupt
            return state.lastInterrupt
        }
        if number == nil { interrupt() }
        defer { if let number { _ = state.withLock { $0.interrupts.removeValue(forKey: number) } } }
        return try await operation()
    }

    func begin() throws(TransportError) {
        let isOpen = state.withLock { state in
            if !state.isShutDown { state.uses += 1 }
            return !state.isShutDown
        }
        if !isOpen { throw .shutDown }
    }

    func end() {
        let didEnd = state.withLock { state -> (@Sendable () -> Void)? in
            state.uses -= 1
            return state.isShutDown && state.uses == 0 ? (state.didEnd ?? {}) : nil
        }
        guard let didEnd else { return }
        if let thread { thread.shutdownGracefully { _ in didEnd() } } else { didEnd() }
    }

    // MARK: HTTP

    /// Sends a request and returns its response. Cancelling the task cancels the request at once. Call it within
    /// ``use(_:)``.
    func send(_ request: HTTPRequest, on route: Route, tls: NIOSSLContext?) async throws -> HTTPResponse {
        let response = eventLoop.makePromise(of: HTTPResponse.self)
        return try await withTaskCancellationHandler {
            onLoop { $0.send(request, on: route, tls: tls, response) }
            return try await response.futureResult.get()
        } onCancel: {
            response.fail(TransportError.cancelled(host: route.endpoint.host))
        }
    }

    /// The ways of an idle connection to the endpoint; nil: a request needs a new one.
    func keptWays(to endpoint: Endpoint) async -> [ProxyServer?]? {
        let ways = try? await use {
            try await eventLoop.submit { [connections] in connections.value.keptWays(to: endpoint) }.get()
        }
        return ways ?? nil
    }

    /// Makes later requests use new connections and closes the idle ones. Requests in flight continue.
    func retireConnections() {
        // Not after the shutdown: the loop may have ended.
        guard (try? begin()) != nil else { return }
        onLoop { $0.retire() }
        eventLoop.execute(end)
    }

    private func onLoop(_ body: @escaping @Sendable (HTTPConnections) -> Void) {
        if eventLoop.inEventLoop { return body(connections.value) }
        eventLoop.execute { [connections] in body(connections.value) }
    }

    // MARK: Changes of the network

    /// Counts a WebSocket that was opened in this time among the connections. On the event loop.
    func register(_ socket: NIOWebSocketConnection, openedIn opening: TimeAmount) {
        let id = ObjectIdentifier(socket.channel)
        webSockets.value[id] = (socket, opening)
        socket.channel.closeFuture.whenComplete { [webSockets] _ in webSockets.value[id] = nil }
    }

    /// Resets the connections that cannot work any longer, so that nothing more is sent over them. A later attempt
    /// looks names up anew: a lookup that began before the change may wait for name servers that were away.
    ///
    /// - Parameter withWebSockets: Whether all WebSockets are reset, too.
    /// - Returns: Whether a connection was reset.
    func resetDeadConnections(withWebSockets: Bool) async -> Bool {
        let routes = LocalRoutes()
        let isReset = try? await use {
            try await eventLoop.submit { [connections, names, webSockets, timeoutScale] in
                names.value.lookups = [:]
                let sockets = webSockets.value.values.map(\.socket.channel)
                var dead = connections.value.channels.filter(routes.isDead)
                dead += withWebSockets ? sockets : sockets.filter(routes.isDead)
                for channel in dead { channel.pipeline.syncOperations.reset() }
                if !dead.isEmpty { timeoutScale.value = TimeoutScale() }
                return !dead.isEmpty
            }.get()
        }
        return isReset ?? false
    }

    /// The shortest time for a sign of life. Opening a connection took at least three round trips.
    private static let shortestProbe = TimeAmount.seconds(3)

    /// Asks every WebSocket for a sign of life, and resets those that give none in time.
    ///
    /// - Returns: Whether there were any.
    func probe() async -> Bool {
        let isReset = try? await use {
            try await eventLoop.flatSubmit { [webSockets, eventLoop] in
                let probes = webSockets.value.values.compactMap { socket, opening in
                    socket.handler.value.probe(timeout: max(Self.shortestProbe, opening))
                }
                return EventLoopFuture.whenAllSucceed(probes, on: eventLoop).map { $0.contains(false) }
            }.get()
        }
        return isReset ?? false
    }

    // MARK: Shutdown

    /// The timeout of ``shutdown()``: a connection attempt may wait for a name server. After the timeout it ends in the
    /// background.
    private static let timeout = TimeAmount.seconds(1)

    /// Ends every request and connection, and the thread after the last of them. Call it last; later operations throw
    /// `shutDown`.
    func shutdown() async {
        let end = Completion()
        let interrupts = state.withLock { state -> [@Sendable () -> Void]? in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            state.didEnd = end.finish
            // This call also uses the event loop.
            state.uses += 1
            return Array(state.interrupts.values)
        }
        guard let interrupts else { return }
        eventLoop.scheduleTask(in: Self.timeout, end.finish)
        for interrupt in interrupts { interrupt() }
        onLoop { connections in connections.shutDown().whenComplete { _ in self.end() } }
        await end.wait()
    }

    /// Nothing is in flight: it would retain this object.
    deinit {
        guard !state.withLock(\.isShutDown) else { return }
        let thread = thread
        onLoop { connections in
            connections.shutDown().whenComplete { _ in thread?.shutdownGracefully { _ in } }
        }
    }
}
