package import ClientKit
package import Logging

/// Runs the sessions of a feed, each over one WebSocket.
package struct SessionDriver: Sendable {
    private let driver: SocketDriver
    private let logger: Logger

    package init(
        webSocket: any WebSocketTransport,
        clock: any Clock<Duration>,
        logger: Logger,
        connectTimeout: Duration = SocketDriver.connectTimeout
    ) {
        driver = SocketDriver(webSocket: webSocket, clock: clock, connectTimeout: connectTimeout)
        self.logger = logger
    }

    /// The URL of the Socket.IO endpoint of a host, which may be given with or without scheme and trailing slashes
    /// (Engine.IO protocol v4: `EIO=4`, `transport=websocket`).
    package static func url(host: String) -> String {
        var rest = Substring(host)
        while rest.last == "/" { rest.removeLast() }
        var scheme = "wss"
        for (prefix, replacement) in [("https://", "wss"), ("wss://", "wss"), ("http://", "ws"), ("ws://", "ws")]
        where rest.lowercased().hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            scheme = replacement
            break
        }
        return "\(scheme)://\(rest)/socket.io/?EIO=4&transport=websocket"
    }

    /// Runs one connection, and never returns normally. Cancel the task to disconnect.
    ///
    /// - Parameters:
    ///   - url: See ``url(host:)``.
    ///   - credentials: An object; called when CONNECT is sent. An error ends the connection and is rethrown.
    ///   - recovery: In: the position from the previous connection. Out: this connection's. An event that was being
    ///     received at the end may be received again.
    ///   - receive: Called for one event after the other; the next frame is read when it returns.
    /// - Throws: ``SessionFailure``, `CancellationError`, or the error of `credentials`.
    package func run(
        url: String,
        credentials: @escaping @Sendable () async throws -> JSONValue,
        recovery: inout Recovery?,
        _ receive: (ConnectedSession.Event) async -> Void
    ) async throws {
        var session = ConnectedSession(recovery: recovery)
        let outcome = await driver.run(to: url, &session) { output in
            switch output {
            case .requestCredentials:
                return {
                    do { return .success(try await credentials()) } catch { return .failure(error) }
                }
            case .event(let event): await receive(event)
            case .skipped(let error): logger.debug("frame skipped", metadata: ["reason": "\(error)"])
            case .reached(let position): recovery = position
            }
            return nil
        }
        switch outcome {
        case .ended(.session(let reason)): throw SessionFailure(reason) ?? CancellationError()
        case .ended(.noCredentials(let error)): throw error
        case .notOpened(let error), .lost(let error): throw SessionFailure(.lost(error), error.detail)
        case .cancelled: throw CancellationError()
        }
    }
}
