import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization

/// What transports share: one event loop, which is one thread, and an HTTP client for each way out.
///
/// Everything that runs on the event loop is counted, so that the loop ends after the last of it: a task given to a loop that has ended
/// would never run.
final class Network: Sendable {
    private struct State: Sendable {
        var clients: [Proxy?: HTTPClient] = [:]
        /// Those that finish what they have begun, oldest first.
        var retired: [HTTPClient] = []
        /// How many requests a client has in progress.
        var requests: [ObjectIdentifier: Int] = [:]
        /// What uses the event loop now: operations, and clients that close.
        var uses = 0
        /// Ends an operation at ``shutdown()``.
        var interrupts: [UInt64: @Sendable () -> Void] = [:]
        var lastInterrupt: UInt64 = 0
        var isShutDown = false
        /// Called when nothing uses the event loop any more.
        var didEnd: (@Sendable () -> Void)?
        /// Until then the HTTP client may use the event loop although none of its requests does.
        var lingering: NIODeadline?
    }

    let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex(State())

    // MARK: Operations

    /// Runs something that uses the event loop. Throws `shutDown` after ``shutdown()``.
    func use<Result>(_ operation: () async throws -> Result) async throws -> Result {
        try begin()
        defer { end() }
        return try await operation()
    }

    /// Runs `operation`, which ends at ``shutdown()`` because `interrupt` is called; at once, if that is over.
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
        if let last { Self.end(eventLoops, last.lingering, last.didEnd) }
    }

    /// The HTTP client reads the certificate authorities on another thread, and goes on when the attempt they were read for has failed
    /// and even when it is closed itself: it is given time for that.
    private static let readingTime = TimeAmount.seconds(5)

    private static func end(
        _ eventLoops: MultiThreadedEventLoopGroup,
        _ lingering: NIODeadline?,
        _ didEnd: @escaping @Sendable () -> Void
    ) {
        guard let lingering, lingering > .now() else { return eventLoops.shutdownGracefully { _ in didEnd() } }
        eventLoops.next().scheduleTask(deadline: lingering) { eventLoops.shutdownGracefully { _ in } }
        didEnd()
    }

    // MARK: HTTP clients

    /// More than these do not finish what they have begun: the oldest is closed.
    static let retiredLimit = 4

    /// Runs `operation` with the client for a route. All its requests go through the same proxy, or through none. Its connections are kept apart by host
    /// and by trust. To be called within ``use(_:)``.
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
                    eventLoopGroupProvider: .shared(eventLoops),
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

    /// Makes later requests use connections of their own, and closes the idle ones at once. Those in progress go on.
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

    /// Each of them counts as a use until it is closed.
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

    // MARK: The end

    /// An HTTP client waits for its attempts to connect, which may take ten seconds. They can end by themselves.
    private static let timeout = TimeAmount.seconds(1)

    /// Ends every request and connection, and gives the thread back when the last of them has ended. To be called last; everything
    /// that is asked for later throws `shutDown`.
    func shutdown() async {
        let (ends, end) = AsyncStream<Never>.makeStream()
        let last = state.withLock { state -> (clients: [HTTPClient], interrupts: [@Sendable () -> Void])? in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            state.didEnd = end.finish
            defer { (state.clients, state.retired) = ([:], []) }
            let clients = state.clients.values + state.retired
            // One for this call, which uses the event loop, too.
            state.uses += clients.count + 1
            return (clients, Array(state.interrupts.values))
        }
        guard let last else { return }
        eventLoops.next().scheduleTask(in: Self.timeout, end.finish)
        for interrupt in last.interrupts { interrupt() }
        close(last.clients)
        self.end()
        for await _ in ends {}
    }

    /// An HTTP client traps when it is dropped as it is, and a thread would be lost. Nothing is in progress: it would hold this.
    deinit {
        let last = state.withLock { state -> (clients: [HTTPClient], lingering: NIODeadline?)? in
            guard !state.isShutDown else { return nil }
            defer { state.clients = [:] }
            return (Array(state.clients.values), state.lingering)
        }
        if let last { Self.shutdown(last.clients[...], eventLoops, last.lingering) }
    }

    /// One after the other, and with callbacks: the event loop ends after the last client.
    private static func shutdown(
        _ clients: ArraySlice<HTTPClient>,
        _ eventLoops: MultiThreadedEventLoopGroup,
        _ lingering: NIODeadline?
    ) {
        guard let client = clients.first else { return end(eventLoops, lingering) {} }
        client.shutdown { _ in shutdown(clients.dropFirst(), eventLoops, lingering) }
    }
}
