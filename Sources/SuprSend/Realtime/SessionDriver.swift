package import ClientKit
package import Logging
package import SocketIO
package import Transport

/// Runs one ``Session`` over one WebSocket: performs what the session decides, and decides nothing itself.
package struct SessionDriver: Sendable {
    /// What the owner of a connection wants to know.
    package enum Event: Sendable, Equatable {
        /// The server let us in. Not recovered: events may have been missed, look again.
        case joined(recovered: Bool)
        /// An event of the server. Its last argument may be a stream position.
        case received(name: String, arguments: [JSONValue])
    }

    /// For name, TCP, TLS and upgrade together.
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

    /// The address of the Socket.IO endpoint at a host, which may be written with or without scheme and trailing slashes
    /// (suprsend.md §3.1).
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

    /// Lives one connection's life, and never returns normally. Cancel the task to hang up.
    ///
    /// - Parameters:
    ///   - url: See ``url(host:)``.
    ///   - credentials: An object; read when CONNECT is to be sent. What it throws ends the connection and is thrown on.
    ///   - recovery: What the connection before has left; afterwards, what this one leaves. An event whose `receive`
    ///     was not the last thing done before the end may come again.
    ///   - receive: Called for one event after the other; the next frame is read when it returns.
    /// - Throws: ``SessionFailure``, `CancellationError`, or what `credentials` throws.
    package func run(
        url: String,
        credentials: @escaping @Sendable () async throws -> JSONValue,
        recovery: inout Recovery?,
        _ receive: (Event) async -> Void
    ) async throws {
        do {
            try await webSocket.withConnection(to: url, timeout: connectTimeout) { connection in
                try await converse(over: connection, clock, credentials, &recovery, receive)
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            guard let error = error as? TransportError else { throw error }
            throw SessionFailure(.lost(error), error.detail)
        }
        throw CancellationError()
    }

    /// Returns after our own hang-up only.
    private func converse<C: Clock<Duration>>(
        over connection: any WebSocketConnection,
        _ clock: C,
        _ credentials: @escaping @Sendable () async throws -> JSONValue,
        _ recovery: inout Recovery?,
        _ receive: (Event) async -> Void
    ) async throws {
        var session = Session(recovery: recovery)
        var alarm = Alarm(clock: clock)
        var isReading = false
        try await withThrowingTaskGroup(of: Happening<C>.self) { group in
            defer { group.cancelAll() }
            var effects = session.receive(.opened)
            while true {
                for effect in effects {
                    switch effect {
                    case .send(let text):
                        try await connection.send(text)
                    case .startTimer(let timer, let delay):
                        if let instant = alarm.set(timer, after: delay) {
                            group.addTask { await .slept(clock, instant) }
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
                let happening = try await group.next()
                effects = []
                switch happening {
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
                case .woke(let instant):
                    switch alarm.woke(at: instant) {
                    case .fire(let timer): effects = session.receive(.timerFired(timer))
                    case .sleep(let instant): group.addTask { await .slept(clock, instant) }
                    case .nothing: break
                    }
                }
            }
        }
    }
}

/// What a waiting task brings home.
private enum Happening<C: Clock<Duration>>: Sendable {
    case message(WebSocketMessage)
    case closed(code: UInt16?)
    case lost(TransportError)
    case credentials(JSONValue)
    case woke(at: C.Instant)

    static func read(_ connection: any WebSocketConnection) async -> Self {
        do {
            if let message = try await connection.receive() { return .message(message) }
            return .closed(code: await connection.closeCode)
        } catch {
            return .lost(error)
        }
    }

    static func slept(_ clock: C, _ instant: C.Instant) async -> Self {
        try? await clock.sleep(until: instant, tolerance: nil)
        return .woke(at: instant)
    }
}

/// The session's timer over a clock. A later deadline is only noted while the sleep for an earlier one goes on, so that a frame,
/// which renews the server's patience, costs neither a task nor a wake-up.
private struct Alarm<C: Clock<Duration>> {
    enum Step {
        case fire(Session.Timer), sleep(until: C.Instant), nothing
    }

    let clock: C
    private var timer: Session.Timer?
    private var deadline: C.Instant?
    private var sleepingUntil: C.Instant?

    init(clock: C) {
        self.clock = clock
    }

    /// Until when to sleep; nil when the sleep that goes on will do.
    mutating func set(_ timer: Session.Timer, after delay: Duration) -> C.Instant? {
        let deadline = clock.now.advanced(by: delay)
        self.timer = timer
        self.deadline = deadline
        if let sleepingUntil, sleepingUntil <= deadline { return nil }
        sleepingUntil = deadline
        return deadline
    }

    mutating func woke(at instant: C.Instant) -> Step {
        guard instant == sleepingUntil, let timer, let deadline else { return .nothing }
        sleepingUntil = nil
        if clock.now >= deadline { return .fire(timer) }
        sleepingUntil = deadline
        return .sleep(until: deadline)
    }
}

extension Session {
    fileprivate mutating func receive(_ message: WebSocketMessage) -> [Effect] {
        switch message {
        case .text(let text): receive(.received(text))
        case .binary: receive(.receivedBinary)
        }
    }
}
