extension AblySession {
    /// The input.
    package enum Event: Sendable, Equatable {
        /// The WebSocket is open.
        case opened
        case received(String)
        /// A binary frame. The server sends none when asked for JSON; it shows that the server is alive.
        case receivedBinary
        /// A new token, for ``Effect/requestToken``, and how long it is valid (nil: unknown).
        case token(String, lifetime: Duration?)
        /// There is none.
        case tokenUnavailable
        case timerFired(Timer)
        /// The WebSocket closed in an orderly way, with this close code, if any.
        case closed(code: UInt16?)
        /// The client ends the connection.
        case hangUp
    }

    /// The output.
    package enum Effect: Sendable, Equatable {
        case send(ProtocolMessage)
        /// Start this timer; it replaces the one of the same kind.
        case startTimer(Timer, after: Duration)
        /// Request a new token and return it as ``Event/token(_:lifetime:)``. Not repeated before the answer.
        case requestToken
        /// Messages are received from now on. Not continuous: some may be missing.
        case attached(isContinuous: Bool)
        /// A new message, with id, connection and time of its protocol message where it has none.
        case deliver(AblyMessage)
        /// A frame was ignored because it cannot be read.
        case skipped(FrameError)
        /// Close the WebSocket; the session is over.
        case close(End)
    }

    /// A timer that fires when it has no meaning is ignored.
    package enum Timer: Sendable, Hashable, CaseIterable {
        /// CONNECTED is awaited.
        case connect
        /// ATTACHED is awaited.
        case attach
        /// Any frame is awaited.
        case idle
        /// The token is to be renewed.
        case renewal
        /// A second DETACHED within this time ends the connection.
        case detachment
    }

    /// Why a session ended.
    package enum End: Sendable, Equatable {
        /// No CONNECTED within ``AblySession/requestTimeout``.
        case connectTimeout
        /// No ATTACHED within ``AblySession/requestTimeout``.
        case attachTimeout
        /// No frame within the server's idle interval and ``AblySession/requestTimeout``.
        case silence
        /// DISCONNECTED: the server will close the connection, which can be resumed.
        case disconnected(ErrorInfo?)
        /// ERROR of the connection. After a token error it can be resumed; after any other only a change at the service
        /// helps.
        case failed(ErrorInfo?)
        /// ERROR of the channel.
        case channelFailed(ErrorInfo?)
        /// DETACHED, and the channel cannot be attached again.
        case detached(ErrorInfo?)
        /// CLOSED without our CLOSE.
        case closedByServer
        /// The WebSocket closed.
        case closed(code: UInt16?)
        /// The violation, as a phrase.
        case protocolViolation(String)
        case hungUp
    }
}
