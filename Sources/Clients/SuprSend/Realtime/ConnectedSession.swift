package import ClientKit

/// The session of a feed: Socket.IO, decoded into the service's events, as ``SocketDriver`` runs it.
package struct ConnectedSession: SocketSession {
    /// The events for the owner of a connection.
    package enum Event: Sendable, Equatable {
        /// The server accepted the connection.
        case joined
        /// The server sends events from now on. Without a replay of missed events, the list has to be loaded again.
        case synchronized(recovered: Bool)
        case received(RealtimeEvent)
        /// Another event. Its last argument may be a stream position.
        case other(name: String, arguments: [JSONValue])
    }

    package enum Timer: Hashable, Sendable {
        /// The session has one timer: a new one replaces the one before.
        case deadline
        /// The end of the wait for the room.
        case room
    }

    /// A request or a report to the connection's owner.
    package enum Output: Sendable {
        case requestCredentials
        case event(Event)
        case skipped(PacketError)
        /// All events up to this position were performed. nil: the server sends no positions.
        case reached(Recovery?)
    }

    /// The credentials, or why there are none.
    package typealias Answer = Result<JSONValue, any Error>

    package enum End: Sendable {
        case session(Session.Reason)
        case noCredentials(any Error)
    }

    /// The time limit of the wait for the event `joined_room`. Between the answer to CONNECT and this event, the server
    /// sends no inbox events: the feed loads the list after it, or after this time if the server does not send it.
    package static let roomLimit = Duration.seconds(2)

    private var session: Session
    private var timer: Session.Timer?
    /// Whether the session was resumed: the server replays missed events.
    private var isResumed = false
    private var awaitsRoom = false

    init(recovery: Recovery?) { session = Session(recovery: recovery) }

    package mutating func receive(_ input: SocketInput<Timer, Answer>) -> [SocketStep<Timer, Output, End>] {
        let event: Session.Event
        switch input {
        case .opened: event = .opened
        case .text(let text): event = .received(text)
        case .binary, .pong: event = .receivedBinary
        case .timerFired(.room):
            guard awaitsRoom else { return [] }
            awaitsRoom = false
            return [.output(.event(.synchronized(recovered: false)))]
        case .timerFired(.deadline):
            guard let timer else { return [] }
            event = .timerFired(timer)
        case .answer(.success(let credentials)): event = .credentials(credentials)
        case .answer(.failure(let error)): return [.close(.noCredentials(error))]
        case .closed(let code): event = .closed(code: code)
        case .hangUp: event = .hangUp
        }
        let before = session.recovery
        var steps = session.receive(event).flatMap { self.steps(for: $0) }
        if session.recovery != before {
            // A close is the last step, and ends the steps.
            let isClosing = if case .close? = steps.last { true } else { false }
            steps.insert(.output(.reached(session.recovery)), at: isClosing ? steps.count - 1 : steps.count)
        }
        return steps
    }

    private mutating func steps(for effect: Session.Effect) -> [SocketStep<Timer, Output, End>] {
        switch effect {
        case .send(let text): return [.send(text)]
        case .startTimer(let timer, let delay):
            self.timer = timer
            return [.startTimer(.deadline, after: delay)]
        case .requestCredentials: return [.output(.requestCredentials)]
        case .joined(let recovered):
            (isResumed, awaitsRoom) = (recovered, !recovered)
            return [
                .output(.event(.joined)),
                recovered
                    ? .output(.event(.synchronized(recovered: true))) : .startTimer(.room, after: Self.roomLimit),
            ]
        case .deliver(let name, let arguments):
            let event = RealtimeEvent(name: name, arguments: arguments).map { Event.received($0) }
            let delivered = Output.event(event ?? .other(name: name, arguments: arguments))
            // Later than the limit, it counts all the same.
            guard name == "joined_room", !isResumed else { return [.output(delivered)] }
            awaitsRoom = false
            return [.output(.event(.synchronized(recovered: false))), .output(delivered)]
        case .skipped(let error): return [.output(.skipped(error))]
        case .close(let reason): return [.close(.session(reason))]
        }
    }
}
