import ClientKit
import SocketIO
import Transport

/// A Socket.IO session as ``SocketDriver`` runs it.
struct ConnectedSession: SocketSession {
    /// A session has one timer: a new one replaces the one before.
    enum Timer: Hashable, Sendable { case deadline }

    /// A request or a report to the connection's owner.
    enum Output: Sendable {
        case requestCredentials
        case event(SessionDriver.Event)
        case skipped(PacketError)
        /// All events up to this position were performed. nil: the server sends no positions.
        case reached(Recovery?)
    }

    /// The credentials, or why there are none.
    typealias Answer = Result<JSONValue, any Error>

    enum End: Sendable {
        case session(Session.Reason)
        case noCredentials(any Error)
    }

    private var session: Session
    private var timer: Session.Timer?

    init(recovery: Recovery?) { session = Session(recovery: recovery) }

    mutating func receive(_ input: SocketInput<Timer, Answer>) -> [SocketStep<Timer, Output, End>] {
        let event: Session.Event
        switch input {
        case .opened: event = .opened
        case .text(let text): event = .received(text)
        case .binary, .pong: event = .receivedBinary
        case .timerFired:
            guard let timer else { return [] }
            event = .timerFired(timer)
        case .answer(.success(let credentials)): event = .credentials(credentials)
        case .answer(.failure(let error)): return [.close(.noCredentials(error))]
        case .closed(let code): event = .closed(code: code)
        case .hangUp: event = .hangUp
        }
        let before = session.recovery
        var steps = session.receive(event).map { step(for: $0) }
        if session.recovery != before {
            // A close is the last step, and ends the steps.
            let isClosing = if case .close? = steps.last { true } else { false }
            steps.insert(.output(.reached(session.recovery)), at: isClosing ? steps.count - 1 : steps.count)
        }
        return steps
    }

    private mutating func step(for effect: Session.Effect) -> SocketStep<Timer, Output, End> {
        switch effect {
        case .send(let text): return .send(text)
        case .startTimer(let timer, let delay):
            self.timer = timer
            return .startTimer(.deadline, after: delay)
        case .requestCredentials: return .output(.requestCredentials)
        case .joined(let recovered): return .output(.event(.joined(recovered: recovered)))
        case .deliver(let name, let arguments):
            return .output(.event(.received(name: name, arguments: arguments)))
        case .skipped(let error): return .output(.skipped(error))
        case .close(let reason): return .close(.session(reason))
        }
    }
}
