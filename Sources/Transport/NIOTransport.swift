import AsyncHTTPClient
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// HTTP and WebSockets over one event loop, which is one thread.
///
/// Use ``withTransport(options:logger:_:)``, or call ``shutdown()`` when done; one that is merely dropped is shut down behind its back. Nothing happens while nothing is asked for:
/// there is no periodic timer; idle HTTP connections are closed once, after half a minute.
package final class NIOTransport: HTTPTransport, WebSocketTransport {
    let options: TransportOptions
    let logger: Logger
    let eventLoops: MultiThreadedEventLoopGroup
    let client: HTTPClient
    private let isShutDown = Mutex(false)

    /// Takes a thread until ``shutdown()``.
    ///
    /// - Throws: ``TransportError/Kind/tls`` when the extra certificates cannot be read.
    package init(options: TransportOptions = TransportOptions(), logger: Logger) throws(TransportError) {
        self.options = options
        self.logger = logger
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try TLSTrust.configuration(extraCAFile: options.extraCAFile)
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.idleTimeout = .seconds(30)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
        configuration.connectionPool.retryConnectionEstablishment = false
        eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        client = HTTPClient(eventLoopGroupProvider: .shared(eventLoops), configuration: configuration)
    }

    /// Runs `body` with a transport that lives as long.
    package static func withTransport<Result>(
        options: TransportOptions = TransportOptions(),
        logger: Logger,
        _ body: (NIOTransport) async throws -> Result
    ) async throws -> Result {
        let transport = try NIOTransport(options: options, logger: logger)
        do {
            let result = try await body(transport)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    /// Ends every request and connection, and gives the thread back. To be called last.
    package func shutdown() async {
        guard begin() else { return }
        try? await client.shutdown()
        try? await eventLoops.shutdownGracefully()
    }

    /// The HTTP client traps when it is dropped as it is, and a thread would be lost: neither is what forgetting should cost.
    deinit {
        guard begin() else { return }
        client.shutdown { [eventLoops] _ in eventLoops.shutdownGracefully { _ in } }
    }

    /// False: somebody shuts it down already.
    private func begin() -> Bool {
        isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
    }
}
