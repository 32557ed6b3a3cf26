import Basics

/// Runs one ``SocketSession`` over one WebSocket: performs its steps and makes no decisions.
package struct SocketDriver: Sendable {
    /// How a session ended.
    package enum Outcome<End: Sendable>: Sendable {
        /// The session ended it.
        case ended(End)
        /// The WebSocket could not be opened.
        case notOpened(TransportError)
        /// The WebSocket broke.
        case lost(TransportError)
        /// The task was cancelled.
        case cancelled
    }

    /// Work whose result the session receives as an answer. It is cancelled when the session ends.
    package typealias BackgroundWork<Answer> = @Sendable () async -> Answer

    /// The timeout for name, TCP, TLS and upgrade together.
    package static let connectTimeout = Duration.seconds(20)

    private let webSocket: any WebSocketTransport
    private let clock: any Clock<Duration>
    private let connectTimeout: Duration

    package init(
        webSocket: any WebSocketTransport,
        clock: any Clock<Duration>,
        connectTimeout: Duration = Self.connectTimeout
    ) {
        (self.webSocket, self.clock, self.connectTimeout) = (webSocket, clock, connectTimeout)
    }

    /// Runs one connection to its end. Cancel the task to disconnect.
    ///
    /// - Parameters:
    ///   - session: Afterwards, its last state.
    ///   - perform: Called for one output after the other; the next frame is read when it returns.
    package func run<Session: SocketSession>(
        to url: String,
        _ session: inout Session,
        perform: (Session.Output) async -> BackgroundWork<Session.Answer>?
    ) async -> Outcome<Session.End> {
        var isOpen = false
        do {
            return try await webSocket.withConnection(to: url, timeout: connectTimeout) { connection in
                isOpen = true
                return try await converse(over: connection, &session, perform)
            }
        } catch {
            if Task.isCancelled { return .cancelled }
            let error = error as? TransportError ?? TransportError(.unreachable, "The connection failed.")
            return isOpen ? .lost(error) : .notOpened(error)
        }
    }

    private func converse<Session: SocketSession>(
        over connection: any WebSocketConnection,
        _ session: inout Session,
        _ perform: (Session.Output) async -> BackgroundWork<Session.Answer>?
    ) async throws -> Outcome<Session.End> {
        let uptime = clock.stopwatch()
        var deadlines = Deadlines<Session.Timer>()
        var sleep = Completion()
        var isReading = false
        return try await withThrowingTaskGroup(of: Incoming<Session.Answer>.self) { group in
            defer { group.cancelAll() }
            var steps = session.receive(.opened)
            while true {
                for step in steps {
                    switch step {
                    case .send(let text): try await connection.send(text)
                    case .ping: try await connection.ping()
                    case .startTimer(let timer, let delay): deadlines.set(timer, at: uptime() + delay)
                    case .output(let output):
                        if let work = await perform(output) { group.addTask { .answer(await work()) } }
                    case .close(let end):
                        await connection.close(code: 1000)
                        return Task.isCancelled ? .cancelled : .ended(end)
                    }
                }
                if let timer = deadlines.takeDue(now: uptime()), !Task.isCancelled {
                    steps = session.receive(.timerFired(timer))
                    continue
                }
                if let end = deadlines.nextSleep() {
                    sleep.finish()
                    sleep = Completion()
                    let delay = end - uptime()
                    group.addTask { [sleep] in
                        _ = await sleep.wait(atMost: delay, clock: clock)
                        return .woke(at: end)
                    }
                }
                if !isReading {
                    isReading = true
                    group.addTask { await .read(connection) }
                }
                let incoming = try await group.next()
                steps = []
                switch incoming {
                case _ where Task.isCancelled, nil:
                    steps = session.receive(.hangUp)
                case .message(let message):
                    isReading = false
                    steps = session.receive(.init(message))
                case .closed(let code): steps = session.receive(.closed(code: code))
                case .lost(let error): throw error
                case .answer(let answer): steps = session.receive(.answer(answer))
                case .woke(let end): deadlines.woke(at: end)
                }
            }
        }
    }
}

/// The result of a waiting task.
private enum Incoming<Answer: Sendable>: Sendable {
    case message(WebSocketMessage)
    case closed(code: UInt16?)
    case lost(TransportError)
    case answer(Answer)
    /// A sleep is over, or was replaced.
    case woke(at: Duration)

    static func read(_ connection: any WebSocketConnection) async -> Self {
        do {
            if let message = try await connection.receive() { return .message(message) }
            return .closed(code: await connection.closeCode)
        } catch {
            return .lost(error)
        }
    }
}

extension SocketInput {
    fileprivate init(_ message: WebSocketMessage) {
        switch message {
        case .text(let text): self = .text(text)
        case .binary: self = .binary
        case .pong: self = .pong
        }
    }
}
