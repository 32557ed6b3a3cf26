import ClientKit

/// One connection to the service's socket, as a state machine. The first frame is the token; the service answers with
/// `ready` or refuses it, and then sends events.
struct EchoSession: SocketSession, Equatable {
    enum Output: Sendable, Equatable {
        /// The token was accepted: events come from now on. The answer is the error of the work that follows.
        case joined
        case received(EchoEvent)
        case ignored
    }

    enum End: Sendable, Equatable {
        case refused(String)
        /// The work after joining failed.
        case failed(EchoError)
        /// The service closed the socket.
        case closed(code: UInt16?)
        /// No frame, and no answer to a ping.
        case silence
        case hungUp
    }

    enum Timer: Hashable, Sendable { case liveness }

    /// After this time without a frame, the client sends a ping.
    static let pingInterval = Duration.seconds(40)
    /// The timeout for the answer to the token or to a ping.
    static let timeout = Duration.seconds(15)

    private enum State: Sendable, Equatable { case joining, joined, awaitingPong, ended }

    private let token: String
    private var state = State.joining

    init(token: String) { self.token = token }

    mutating func receive(_ input: SocketInput<Timer, EchoError?>) -> [SocketStep<Timer, Output, End>] {
        switch (state, input) {
        case (.ended, _): return []
        case (_, .opened):
            return [
                .send(JSONValue.object(["token": .string(token)]).text), .startTimer(.liveness, after: Self.timeout),
            ]
        case (_, .text(let text)): return received((try? JSONValue(parsing: text)) ?? .null)
        case (_, .binary), (_, .pong): return alive()
        case (.joined, .timerFired):
            state = .awaitingPong
            return [.ping, .startTimer(.liveness, after: Self.timeout)]
        case (_, .timerFired): return end(.silence)
        case (_, .answer(let error?)): return end(.failed(error))
        case (_, .answer(nil)): return []
        case (_, .closed(let code)): return end(.closed(code: code))
        case (_, .hangUp): return end(.hungUp)
        }
    }

    private mutating func received(_ frame: JSONValue) -> [SocketStep<Timer, Output, End>] {
        switch (state, frame["type"]?.string) {
        case (.joining, "ready"):
            state = .joined
            return [.output(.joined)] + alive()
        case (.joining, _): return end(.refused(frame["error"]?.string?.cut(to: 300) ?? ""))
        default: return [.output(EchoEvent(frame).map(Output.received) ?? .ignored)] + alive()
        }
    }

    /// Any frame shows that the server is alive.
    private mutating func alive() -> [SocketStep<Timer, Output, End>] {
        if state == .awaitingPong { state = .joined }
        return [.startTimer(.liveness, after: Self.pingInterval)]
    }

    private mutating func end(_ end: End) -> [SocketStep<Timer, Output, End>] {
        state = .ended
        return [.close(end)]
    }
}

/// An event of the service.
enum EchoEvent: Sendable, Equatable {
    case added(EchoAnswer)
    case changed(EchoAnswer)
    /// Deleted notifications: of the answer, only the ids count.
    case removed(EchoAnswer)
    /// All notifications were read, and those of the answer are loaded ones.
    case allRead(EchoAnswer)
    case preferences

    /// nil: unknown, or malformed.
    init?(_ frame: JSONValue) {
        if frame["type"] == "preferences" {
            self = .preferences
            return
        }
        guard let answer = try? frame.decode(EchoAnswer.self) else { return nil }
        switch frame["type"]?.string {
        case "added": self = .added(answer)
        case "changed": self = .changed(answer)
        case "removed": self = .removed(answer)
        case "all-read": self = .allRead(answer)
        default: return nil
        }
    }
}
