/// A session of a protocol over one WebSocket, as a state machine: inputs in, steps out. ``SocketDriver`` runs it.
package protocol SocketSession: Sendable {
    /// The names of its timers.
    associatedtype Timer: Hashable, Sendable
    /// A request or a report to its owner.
    associatedtype Output: Sendable
    /// The result of a request that its owner performs in the background.
    associatedtype Answer: Sendable
    /// Why it ended.
    associatedtype End: Sendable

    /// Handles an input and returns the steps to perform, in order. Nothing follows a `close`.
    mutating func receive(_ input: SocketInput<Timer, Answer>) -> [SocketStep<Timer, Output, End>]
}

/// An event of a session.
package enum SocketInput<Timer: Sendable, Answer: Sendable>: Sendable {
    /// The WebSocket is open.
    case opened
    case text(String)
    case binary
    /// The answer to a ping.
    case pong
    case timerFired(Timer)
    case answer(Answer)
    /// The WebSocket closed in an orderly way, with this close code, if any.
    case closed(code: UInt16?)
    /// The client ends the session.
    case hangUp
}

/// A step that a session's owner performs.
package enum SocketStep<Timer: Sendable, Output: Sendable, End: Sendable>: Sendable {
    case send(String)
    /// Sends a ping of the WebSocket.
    case ping
    /// Starts this timer; it replaces the one of the same name.
    case startTimer(Timer, after: Duration)
    case output(Output)
    /// Closes the WebSocket; the session is over.
    case close(End)
}

extension SocketStep: Equatable where Timer: Equatable, Output: Equatable, End: Equatable {}
