/// Opens WebSockets.
package protocol WebSocketTransport: Sendable {
    /// Opens a connection, runs `body`, closes the connection. Only `body` can use it.
    ///
    /// - Parameters:
    ///   - url: `wss` or `https`; `ws` or `http` to this computer only.
    ///   - timeout: For name, TCP, TLS and upgrade together.
    /// - Throws: ``TransportError`` when it does not open, and any error of `body`.
    ///
    /// Cancelling the task cancels an attempt to open, and ends ``WebSocketConnection/receive()`` in `body` with
    /// ``TransportError/Kind/cancelled``; the connection stays usable until `body` returns, so that it can close it
    /// properly.
    func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result
}

/// An open WebSocket.
package protocol WebSocketConnection: Sendable {
    /// Sends one text message; returns when the system has accepted it, also while the task is cancelled.
    func send(_ text: String) async throws(TransportError)

    /// Sends a ping (RFC 6455 §5.5.2). The answer is ``WebSocketMessage/pong``.
    func ping() async throws(TransportError)

    /// The next message; nil after an orderly close (see ``closeCode``); throws after a loss. For one consumer.
    ///
    /// At most one network packet is read ahead, so that a slow reader slows the server down.
    func receive() async throws(TransportError) -> WebSocketMessage?

    /// The close code of the other side; nil while open, without a code, and after a loss.
    var closeCode: UInt16? { get async }

    /// Closes in an orderly way; returns when the connection is closed, after one second at the latest.
    func close(code: UInt16) async
}

/// A complete message, reassembled from its fragments.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
    /// The answer to ``WebSocketConnection/ping()``. Other pongs are not reported.
    case pong
}
