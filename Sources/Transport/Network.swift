import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization

/// What transports share: one event loop, which is one thread, and an HTTP client for each way out.
final class Network: Sendable {
    private struct State: Sendable {
        var clients: [Proxy?: HTTPClient] = [:]
        /// Those that finish what they have begun.
        var retired: [HTTPClient] = []
        var isShutDown = false
    }

    let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex(State())

    /// The client whose requests all go through `proxy`, or through none. Its connections are kept apart by host and by trust.
    func client(through proxy: Proxy?) throws(TransportError) -> HTTPClient {
        let client = state.withLock { state -> HTTPClient? in
            guard !state.isShutDown else { return nil }
            if let client = state.clients[proxy] { return client }
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(eventLoops),
                configuration: Self.configuration(through: proxy)
            )
            state.clients[proxy] = client
            return client
        }
        guard let client else { throw TransportError(.cancelled, "The transport was shut down.") }
        return client
    }

    /// No request takes longer.
    private static let longestRequest = TimeAmount.seconds(60)

    /// Makes later requests use connections of their own. Those in progress go on.
    func retireClients() {
        let clients = state.withLock { state in
            let clients = Array(state.clients.values)
            state.clients = [:]
            state.retired += clients
            return clients
        }
        guard !clients.isEmpty else { return }
        eventLoops.next().scheduleTask(in: Self.longestRequest) { [weak self] in
            self?.state.withLock { state in state.retired.removeAll { one in clients.contains { $0 === one } } }
            for client in clients { client.shutdown { _ in } }
        }
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

    /// An HTTP client waits for its attempts to connect, which may take ten seconds. They can end by themselves.
    private static let patience = TimeAmount.seconds(1)

    /// Ends every request and connection, and gives the thread back. To be called last.
    func shutdown() async {
        let (ends, end) = AsyncStream<Never>.makeStream()
        guard let clients = begin() else { return }
        eventLoops.next().scheduleTask(in: Self.patience, end.finish)
        Self.shutdown(clients[...], eventLoops, end.finish)
        for await _ in ends {}
    }

    /// An HTTP client traps when it is dropped as it is, and a thread would be lost: neither is what forgetting should cost.
    deinit {
        if let clients = begin() { Self.shutdown(clients[...], eventLoops) {} }
    }

    /// One after the other, and with callbacks: whoever tells an event loop something that ends it might find it gone while still telling.
    private static func shutdown(
        _ clients: ArraySlice<HTTPClient>,
        _ eventLoops: MultiThreadedEventLoopGroup,
        _ done: @escaping @Sendable () -> Void
    ) {
        guard let client = clients.first else { return eventLoops.shutdownGracefully { _ in done() } }
        client.shutdown { _ in shutdown(clients.dropFirst(), eventLoops, done) }
    }

    /// What is to be shut down; nil: somebody does it already.
    private func begin() -> [HTTPClient]? {
        state.withLock { state in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            defer { (state.clients, state.retired) = ([:], []) }
            return state.clients.values + state.retired
        }
    }
}
