import AsyncHTTPClient
import Basics
import NIOCore
import NIOPosix
import Synchronization

/// What transports share: one event loop, which is one thread, and one HTTP client per proxy.
///
/// Everything that uses the event loop is counted. A loop of its own ends after the last use: a task submitted to an
/// ended loop would never run.
final class Network: Sendable {
    private struct State: Sendable {
        var clients: [Proxy?: HTTPClient] = [:]
        /// Clients that only finish their current requests, oldest first.
        var retired: [HTTPClient] = []
        /// The number of requests in flight of each client.
        var requests: [ObjectIdentifier: Int] = [:]
        /// The number of uses of the event loop: operations, and clients that are closing.
        var uses = 0
        /// Each ends an operation at ``shutdown()``.
        var interrupts: [UInt64: @Sendable () -> Void] = [:]
        var lastInterrupt: UInt64 = 0
        var isShutDown = false
        /// Called after the last use of the event loop.
        var didEnd: (@Sendable () -> Void)?
        /// Until then the HTTP client may use the event loop without a request.
        var lingering: NIODeadline?
    }

    let eventLoop: any EventLoop
    /// The thread of ``eventLoop``; nil if the loop belongs to the program.
    let thread: MultiThreadedEventLoopGroup?
    private let state = Mutex(State())

    /// - Parameter eventLoop: The program's event loop, which outlives this; nil: one of its own.
    init(eventLoop: (any EventLoop)?) {
        thread = eventLoop == nil ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
        self.eventLoop = eventLoop ?? thread!.next()
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

    var isShutDown: Bool { state.withLock(\.isShutDown) }

    private func begin() throws(TransportError) {
        let isOpen = state.withLock { state in
            if !state.isShutDown { state.uses += 1 }
            return !state.isShutDown
        }
        if !isOpen { throw .shutDown }
    }

    private func end() {
        let last = state.withLock { state -> (didEnd: @Sendable () -> Void, lingering: NIODeadline?)? in
            state.uses -= 1
            return state.isShutDown && state.uses == 0 ? (state.didEnd ?? {}, state.lingering) : nil
        }
        if let last { Self.end(thread, last.lingering, last.didEnd) }
    }

    /// The HTTP client reads the certificate authorities on another thread, and continues after the attempt has failed
    /// and after the client is closed: the event loop stays open for this time.
    private static let readingTime = TimeAmount.seconds(5)

    private static func end(
        _ thread: MultiThreadedEventLoopGroup?,
        _ lingering: NIODeadline?,
        _ didEnd: @escaping @Sendable () -> Void
    ) {
        guard let thread else { return didEnd() }
        guard let lingering, lingering > .now() else { return thread.shutdownGracefully { _ in didEnd() } }
        thread.next().scheduleTask(deadline: lingering) { thread.shutdownGracefully { _ in } }
        didEnd()
    }

    // MARK: HTTP clients

    /// The maximum number of retired clients: beyond it, the oldest is closed with its requests.
    static let retiredLimit = 4

    /// Runs `operation` with the client for a route. All its requests use the same proxy, or none. Its connections are
    /// separated by host and by trust. Call it within ``use(_:)``.
    func withClient<Result>(
        on route: Route,
        _ operation: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        let client = try borrow(through: route.proxy, isSecure: route.endpoint.isSecure)
        defer { giveBack(client) }
        return try await operation(client)
    }

    private func borrow(through proxy: Proxy?, isSecure: Bool) throws(TransportError) -> HTTPClient {
        let client = state.withLock { state -> HTTPClient? in
            guard !state.isShutDown else { return nil }
            let client =
                state.clients[proxy]
                ?? HTTPClient(
                    eventLoopGroupProvider: .shared(eventLoop),
                    configuration: Self.configuration(through: proxy)
                )
            state.clients[proxy] = client
            if isSecure { state.lingering = .now() + Self.readingTime }
            state.requests[ObjectIdentifier(client), default: 0] += 1
            return client
        }
        guard let client else { throw .shutDown }
        return client
    }

    private func giveBack(_ client: HTTPClient) {
        let id = ObjectIdentifier(client)
        let isDone = state.withLock { state in
            state.requests[id, default: 1] -= 1
            guard state.requests[id] == 0 else { return false }
            state.requests[id] = nil
            guard let index = state.retired.firstIndex(where: { $0 === client }) else { return false }
            state.retired.remove(at: index)
            state.uses += 1
            return true
        }
        if isDone { close([client]) }
    }

    /// Makes later requests use new connections and closes the idle ones. Requests in flight continue.
    func retireClients() {
        let closing = state.withLock { state -> [HTTPClient] in
            guard !state.isShutDown else { return [] }
            var closing: [HTTPClient] = []
            for client in state.clients.values {
                if state.requests[ObjectIdentifier(client)] == nil {
                    closing.append(client)
                } else {
                    state.retired.append(client)
                }
            }
            state.clients = [:]
            let excess = max(0, state.retired.count - Self.retiredLimit)
            closing += state.retired.prefix(excess)
            state.retired.removeFirst(excess)
            state.uses += closing.count
            return closing
        }
        close(closing)
    }

    /// Each client counts as a use until it is closed.
    private func close(_ clients: [HTTPClient]) {
        for client in clients { client.shutdown { _ in self.end() } }
    }

    private static func configuration(through proxy: Proxy?) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = TLSTrust.systemConfiguration
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = proxy.map { proxy in
            switch proxy.kind {
            case .http(let credentials):
                .server(
                    host: proxy.host,
                    port: proxy.port,
                    authorization: credentials.map { .basic(credentials: $0) }
                )
            case .socks: .socksServer(host: proxy.host, port: proxy.port)
            }
        }
        return configuration
    }

    // MARK: Shutdown

    /// The timeout of ``shutdown()``. An HTTP client waits for its connection attempts, up to ten seconds; after the
    /// timeout they end in the background.
    private static let timeout = TimeAmount.seconds(1)

    /// Ends every request and connection, and the thread after the last of them. Call it last; later operations throw
    /// `shutDown`.
    func shutdown() async {
        let end = Completion()
        let last = state.withLock { state -> (clients: [HTTPClient], interrupts: [@Sendable () -> Void])? in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            state.didEnd = end.finish
            defer { (state.clients, state.retired) = ([:], []) }
            let clients = state.clients.values + state.retired
            // One more for this call, which also uses the event loop.
            state.uses += clients.count + 1
            return (clients, Array(state.interrupts.values))
        }
        guard let last else { return }
        eventLoop.scheduleTask(in: Self.timeout, end.finish)
        for interrupt in last.interrupts { interrupt() }
        close(last.clients)
        self.end()
        await end.wait()
    }

    /// An HTTP client traps when it is released before its shutdown, and the thread would leak. No request is in
    /// flight: it would retain this object.
    deinit {
        let last = state.withLock { state -> (clients: [HTTPClient], lingering: NIODeadline?)? in
            guard !state.isShutDown else { return nil }
            defer { state.clients = [:] }
            return (Array(state.clients.values), state.lingering)
        }
        if let last { Self.shutdown(last.clients[...], thread, last.lingering) }
    }

    /// Sequentially, with callbacks: the event loop ends after the last client.
    private static func shutdown(
        _ clients: ArraySlice<HTTPClient>,
        _ thread: MultiThreadedEventLoopGroup?,
        _ lingering: NIODeadline?
    ) {
        guard let client = clients.first else { return end(thread, lingering) {} }
        client.shutdown { _ in shutdown(clients.dropFirst(), thread, lingering) }
    }
}
