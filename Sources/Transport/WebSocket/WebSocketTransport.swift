/// Opens WebSockets.
package protocol WebSocketTransport: Sendable {
    /// Opens one connection, runs `body`, closes it. Only `body` can use the connection.
    ///
    /// - Parameters:
    ///   - url: `wss` or `https`; `ws` or `http` to this machine only.
    ///   - timeout: For name, TCP, TLS and upgrade together.
    /// - Throws: ``TransportError`` when it does not open, and whatever `body` throws.
    ///
    /// Cancelling the task ends an attempt to open, and wakes `body` from ``WebSocketConnection/receive()`` with
    /// ``TransportError/Kind/cancelled``; the connection stays usable until `body` returns, so that it can say goodbye.
    func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result
}

/// An open WebSocket.
package protocol WebSocketConnection: Sendable {
    /// Sends one text message; returns when the system has taken it, also while the task is cancelled.
    func send(_ text: String) async throws(TransportError)

    /// The next message; nil after an orderly close (see ``closeCode``), throws after a loss. For one consumer.
    ///
    /// Reads ahead of the caller only what one packet from the network held, so that a slow reader slows the server down.
    func receive() async throws(TransportError) -> WebSocketMessage?

    /// The code the other side closed with; nil while open, when it gave none, and after a loss.
    var closeCode: UInt16? { get async }

    /// Closes in an orderly way; returns when the connection is gone, after a second at the latest.
    func close(code: UInt16) async
}

/// A whole message, put together from its fragments.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}
