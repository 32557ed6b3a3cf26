import Basics
import ClientKit
import Synchronization

/// A transport that records how the exchanges with each host ended, for diagnosis.
struct ObservedTransport: HTTPTransport, WebSocketTransport {
    /// The last exchange with a host.
    struct Exchange: Sendable, Equatable {
        /// nil: there was a response, or the connection opened.
        var error: TransportError?
        var duration: Duration
    }

    private final class Log: Sendable {
        let exchanges = Mutex<[(url: String, exchange: Exchange)]>([])
    }

    private let transport: NIOTransport
    private let deadline: Duration
    private let log = Log()

    /// - Parameter deadline: The timeout of each exchange.
    init(_ transport: NIOTransport, deadline: Duration) {
        self.transport = transport
        self.deadline = deadline
    }

    /// The last exchange with the host of this base URL; nil: there was none.
    func exchange(with base: String) -> Exchange? {
        // The schemes of sockets are interchangeable.
        let name = base.withoutScheme
        return log.exchanges.withLock { exchanges in
            exchanges.last { $0.url.withoutScheme.hasPrefix(name) }?.exchange
        }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        var request = request
        request.timeout = deadline
        let elapsed = ContinuousClock().stopwatch()
        do {
            let response = try await transport.send(request)
            record(request.url, nil, elapsed())
            return response
        } catch {
            record(request.url, error, elapsed())
            throw error
        }
    }

    func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let elapsed = ContinuousClock().stopwatch()
        do {
            return try await transport.withConnection(to: url, timeout: min(timeout, deadline)) { connection in
                record(url, nil, elapsed())
                return try await body(connection)
            }
        } catch {
            if let error = error as? TransportError, error.kind != .cancelled { record(url, error, elapsed()) }
            throw error
        }
    }

    private func record(_ url: String, _ error: TransportError?, _ duration: Duration) {
        log.exchanges.withLock { $0.append((url, Exchange(error: error, duration: duration))) }
    }
}

extension String {
    fileprivate var withoutScheme: Substring {
        firstRange(of: "://").map { self[$0.upperBound...] } ?? self[...]
    }
}
