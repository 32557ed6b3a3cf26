/// Numbers connections in order of arrival.
package typealias SocketID = Int

/// An action of a simulated server on its WebSockets.
package enum SocketEffect: Sendable, Equatable {
    case send(SocketID, String)
    case sendBinary(SocketID, [UInt8])
    /// Call the server's `timerFired` with the timer after this many milliseconds.
    case startTimer(SocketTimer, after: Int64)
    case hangUp(SocketID, HangUp)
    case log(String)
    case violation(Violation)

    /// The ways to close the transport.
    package enum HangUp: Sendable, Equatable {
        /// A WebSocket close frame.
        case close(code: UInt16)
        /// TCP FIN without a close frame.
        case finish
        /// TCP RST.
        case reset
    }
}

/// A numbered timer. Timers are not cancelled; one of an earlier generation is ignored.
package struct SocketTimer: Sendable, Equatable {
    package enum Purpose: Sendable, Equatable {
        /// Engine.IO: send a ping, expect its answer, expect CONNECT.
        case ping, pong, join
        /// Ably: send a HEARTBEAT, request a new token, end the connection because its token has expired.
        case heartbeat, tokenRequest, tokenExpiry
    }

    package var connection: SocketID
    package var purpose: Purpose
    package var generation: Int

    package init(connection: SocketID, purpose: Purpose, generation: Int) {
        self.connection = connection
        self.purpose = purpose
        self.generation = generation
    }
}
