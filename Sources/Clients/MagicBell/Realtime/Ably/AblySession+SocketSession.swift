package import ClientKit

extension AblySession: SocketSession {
    /// A request or a report to the connection's owner.
    package enum Output: Sendable {
        case requestToken
        case attached(isContinuous: Bool)
        case received(AblyMessage)
        case skipped(FrameError)
    }

    /// A new token, if there is one.
    package typealias Answer = AblyToken?

    // Inlined, it would enlarge the frame of the task that runs the session by 30 kB.
    @inline(never)
    package mutating func receive(_ input: SocketInput<Timer, Answer>) -> [SocketStep<Timer, Output, End>] {
        receive(Event(input)).map { effect in
            switch effect {
            case .send(let message): .send(message.text)
            case .startTimer(let timer, let delay): .startTimer(timer, after: delay)
            case .requestToken: .output(.requestToken)
            case .attached(let isContinuous): .output(.attached(isContinuous: isContinuous))
            case .deliver(let message): .output(.received(message))
            case .skipped(let error): .output(.skipped(error))
            case .close(let end): .close(end)
            }
        }
    }
}

extension AblySession.Event {
    fileprivate init(_ input: SocketInput<AblySession.Timer, AblyToken?>) {
        switch input {
        case .opened: self = .opened
        case .text(let text): self = .received(text)
        case .binary, .pong: self = .receivedBinary
        case .timerFired(let timer): self = .timerFired(timer)
        case .answer(let token?): self = .token(token.value, lifetime: token.lifetime)
        case .answer(nil): self = .tokenUnavailable
        case .closed(let code): self = .closed(code: code)
        case .hangUp: self = .hangUp
        }
    }
}
