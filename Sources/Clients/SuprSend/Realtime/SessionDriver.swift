import Basics
package import ClientKit
package import Logging
package import SocketIO
package import Transport

/// Runs one ``Session`` over one WebSocket: performs its effects and makes no decisions.
package struct SessionDriver: Sendable {
    /// The events for the owner of a connection.
    package enum Event: Sendable, Equatable {
        /// The server accepted the connection. Not recovered: events may be missing, load again.
        case joined(recovered: Bool)
        /// An event of the server. Its last argument may be a stream position.
        case received(name: String, arguments: [JSONValue])
    }

    /// The timeout for name, TCP, TLS and upgrade together.
    package static let connectTimeout = Duration.seconds(20)

    private let webSocket: any WebSocketTransport
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let connectTimeout: Duration

    package init(
        webSocket: any WebSocketTransport,
        clock: any Clock<Duration>,
        logger: Logger,
        connectTimeout: Duration = Self.connectTimeout
    ) {
        self.webSocket = webSocket
        self.clock = clock
        self.logger = logger
        self.connectTimeout = connectTimeout
    }

    /// The URL of the Socket.IO endpoint of a host, which may be given with or without scheme and trailing slashes
    /// (Engine.IO protocol v4: `EIO=4`, `transport=websocket`).
    package static func url(host: String) -> String {
        var rest = Substring(host)
        while rest.last == "/" { rest.removeLast() }
        var scheme = "wss"
        for (prefix, replacement) in [("https://", "wss"), ("wss://", "wss"), ("http://", "ws"), ("ws://", "ws")]
        where rest.lowercased().hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            scheme = replacement
            break
        }
        return "\(scheme)://\(rest)/socket.io/?EIO=4&transport=websocket"
    }

    /// Runs one connection, and never returns normally. Cancel the task to disconnect.
    ///
    /// - Parameters:
    ///   - url: See ``url(host:)``.
    ///   - credentials: An object; called when CONNECT is sent. An error ends the connection and is rethrown.
    ///   - recovery: In: the position from the previous connection. Out: this connection's. An event that was being
    ///     received at the end may be received again.
    ///   - receive: Called for one event after the other; the next frame is read when it returns.
    /// - Throws: ``SessionFailure``, `CancellationError`, or the error of `credentials`.
    package func run(
        url: String,
        credentials: @escaping @Sendable () async throws -> JSONValue,
        recovery: inout Recovery?,
        _ receive: (Event) async -> Void
    ) async throws {
        do {
            try await webSocket.withConnection(to: url, timeout: connectTimeout) { connection in
                try await converse(over: connection, credentials, &recovery, receive)
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            guard let error = error as? TransportError else { throw error }
            throw SessionFailure(.lost(error), error.detail)
        }
        throw CancellationError()
    }

    /// Returns only after the client ended the session.
    private func converse(
        over connection: any WebSocketConnection,
        _ credentials: @escaping @Sendable () async throws -> JSONValue,
        _ recovery: inout Recovery?,
        _ receive: (Event) async -> Void
    ) async throws {
        var session = Session(recovery: recovery)
        var timer = SessionTimer(uptime: clock.stopwatch())
        var isReading = false
        try await withThrowingTaskGroup(of: DriverEvent.self) { group in
            defer { group.cancelAll() }
            var effects = session.receive(.opened)
            while true {
                for effect in effects {
                    switch effect {
                    case .send(let text):
                        try await connection.send(text)
                    case .startTimer(let name, let delay):
                        if let sleep = timer.set(name, after: delay) {
                            group.addTask { await .slept(sleep, clock) }
                        }
                    case .requestCredentials:
                        group.addTask { .credentials(try await credentials()) }
                    case .joined(let recovered):
                        await receive(.joined(recovered: recovered))
                    case .deliver(let name, let arguments):
                        await receive(.received(name: name, arguments: arguments))
                    case .skipped(let error):
                        logger.debug("frame skipped", metadata: ["reason": "\(error)"])
                    case .close(let reason):
                        recovery = session.recovery
                        await connection.close(code: 1000)
                        if let failure = SessionFailure(reason) { throw failure }
                        return
                    }
                }
                recovery = session.recovery
                if !isReading {
                    isReading = true
                    group.addTask { await .read(connection) }
                }
                let event = try await group.next()
                effects = []
                switch event {
                case _ where Task.isCancelled, nil:
                    effects = session.receive(.hangUp)
                case .message(let message):
                    isReading = false
                    effects = session.receive(message)
                case .closed(let code):
                    effects = session.receive(.closed(code: code))
                case .lost(let error):
                    throw error
                case .credentials(let credentials):
                    effects = session.receive(.credentials(credentials))
                case .woke(let time):
                    switch timer.wake(at: time) {
                    case .fire(let name): effects = session.receive(.timerFired(name))
                    case .sleep(let sleep): group.addTask { await .slept(sleep, clock) }
                    case .nothing: break
                    }
                }
            }
        }
    }
}

/// The result of a waiting task.
private enum DriverEvent: Sendable {
    case message(WebSocketMessage)
    case closed(code: UInt16?)
    case lost(TransportError)
    case credentials(JSONValue)
    /// At this time since the connection.
    case woke(at: Duration)

    static func read(_ connection: any WebSocketConnection) async -> Self {
        do {
            if let message = try await connection.receive() { return .message(message) }
            return .closed(code: await connection.closeCode)
        } catch {
            return .lost(error)
        }
    }

    static func slept(_ sleep: SessionTimer.Sleep, _ clock: any Clock<Duration>) async -> Self {
        _ = await sleep.end.wait(atMost: sleep.length, clock: clock)
        return .woke(at: sleep.time)
    }
}

/// The session's timer over a clock. While the sleep for an earlier deadline continues, a later deadline is only
/// stored: a frame, which restarts the timeout, needs neither a task nor a wake-up.
private struct SessionTimer {
    struct Sleep: Sendable {
        /// When it ends, since the connection.
        var time: Duration
        var length: Duration
        /// Finished: the sleep is superseded.
        let end = Completion()
    }

    enum Step {
        case fire(Session.Timer), sleep(Sleep), nothing
    }

    /// A sleep that would end earlier than the deadline by this time is replaced, at the cost of a task, so that it
    /// does not wake the process: the interval between pings is longer.
    private static let worthReplacing = Duration.seconds(10)

    private let uptime: @Sendable () -> Duration
    private var timer: Session.Timer?
    private var deadline: Duration?
    private var sleep: Sleep?

    /// - Parameter uptime: Returns the time since the connection.
    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// The sleep to begin; nil when the present one suffices.
    mutating func set(_ timer: Session.Timer, after delay: Duration) -> Sleep? {
        let deadline = uptime() + delay
        self.timer = timer
        self.deadline = deadline
        if let sleep {
            let lead = deadline - sleep.time
            if lead >= .zero, lead < Self.worthReplacing { return nil }
            sleep.end.finish()
        }
        let next = Sleep(time: deadline, length: delay)
        sleep = next
        return next
    }

    mutating func wake(at time: Duration) -> Step {
        guard time == sleep?.time, let timer, let deadline else { return .nothing }
        sleep = nil
        let now = uptime()
        if now >= deadline { return .fire(timer) }
        let next = Sleep(time: deadline, length: deadline - now)
        sleep = next
        return .sleep(next)
    }
}

extension Session {
    fileprivate mutating func receive(_ message: WebSocketMessage) -> [Effect] {
        switch message {
        case .text(let text): receive(.received(text))
        case .binary, .pong: receive(.receivedBinary)
        }
    }
}
