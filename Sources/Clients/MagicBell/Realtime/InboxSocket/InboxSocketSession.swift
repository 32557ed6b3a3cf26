package import ClientKit

/// One connection to the service's own socket, as a state machine.
///
/// The service documents neither pings nor a position to resume from: the client pings, with pings of the WebSocket, a
/// server that is silent, and events may be missing after every connection.
package struct InboxSocketSession: SocketSession, Equatable {
    package enum Output: Sendable, Equatable {
        /// The socket is open.
        case opened
        case received(InboxEvent)
        /// An error that does not end the connection.
        case reported(ErrorInfo)
        /// A frame was ignored.
        case ignored
    }

    /// Why a session ended.
    package enum End: Sendable, Equatable {
        /// The server refused the token.
        case tokenRefused(ErrorInfo)
        /// The server refused the connection for good.
        case refused(ErrorInfo)
        /// The server announced the end.
        case closedByServer
        /// The WebSocket closed.
        case closed(code: UInt16?)
        /// No frame, and no answer to a ping.
        case silence
        /// A frame is longer than ``maximumFrameSize``.
        case frameTooLong
        case hungUp
    }

    /// The session's only timer.
    package enum Timer: Hashable, Sendable { case liveness }

    package typealias Answer = Never

    /// The timeout for the answer to a ping, or any other frame.
    package static let pongTimeout = Duration.seconds(15)
    /// The maximum length of a frame, in UTF-8 bytes.
    package static let maximumFrameSize = 1 << 20

    private let pingInterval: Duration
    private var state = State.idle

    /// - Parameter pingInterval: After this time without a frame, the client sends a ping.
    package init(pingInterval: Duration = PingInterval().duration) { self.pingInterval = pingInterval }

    private enum State: Sendable, Equatable {
        case idle, open, awaitingPong, ended
    }

    package mutating func receive(_ input: SocketInput<Timer, Never>) -> [SocketStep<Timer, Output, End>] {
        switch (state, input) {
        case (.ended, _): return []
        case (.idle, .opened): return [.output(.opened)] + alive()
        case (.idle, .text), (.idle, .binary), (.idle, .pong), (.idle, .timerFired): return []
        case (_, .text(let text)): return received(text)
        case (_, .binary), (_, .pong): return alive()
        case (.open, .timerFired):
            state = .awaitingPong
            return [.ping, .startTimer(.liveness, after: Self.pongTimeout)]
        case (.awaitingPong, .timerFired): return end(.silence)
        case (_, .closed(let code)): return end(.closed(code: code))
        case (_, .hangUp): return end(.hungUp)
        case (_, .opened): return []
        }
    }

    private mutating func received(_ text: String) -> [SocketStep<Timer, Output, End>] {
        guard text.utf8.count <= Self.maximumFrameSize else { return end(.frameTooLong) }
        switch text {
        // Text frames of an experimental version of the server.
        case "PING": return [.send("PONG")] + alive()
        case "PONG": return alive()
        case "CLOSE": return end(.closedByServer)
        default: break
        }
        let frame = try? JSONValue(parsing: Array(text.utf8), isTolerant: true)
        switch frame?["type"]?.string {
        case "close": return end(.closedByServer)
        case "error":
            let error = frame.flatMap(ErrorInfo.init) ?? ErrorInfo(code: 0)
            if error.isTokenError { return end(.tokenRefused(error)) }
            if error.message.lowercased().contains("invalid channel id") { return end(.refused(error)) }
            return [.output(.reported(error))] + alive()
        default: break
        }
        let event = (frame?["name"]?.string).flatMap { InboxEvent(name: $0, data: frame?["data"]) }
        return [.output(event.map(Output.received) ?? .ignored)] + alive()
    }

    /// Any frame shows that the server is alive. Last among the steps, so that the time of a slow receiver does not
    /// count as the server's silence.
    private mutating func alive() -> [SocketStep<Timer, Output, End>] {
        state = .open
        return [.startTimer(.liveness, after: pingInterval)]
    }

    private mutating func end(_ end: End) -> [SocketStep<Timer, Output, End>] {
        state = .ended
        return [.close(end)]
    }
}
