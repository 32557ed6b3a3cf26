import Basics
import ClientKit

/// The server side of WebSockets in memory: a test sends what the server sends.
actor ScriptedSocket: WebSocketTransport {
    /// The errors of the next attempts, one each; afterwards every connection opens.
    private var failures: [TransportError] = []
    private(set) var urls: [String] = []
    private var connections: [ScriptedConnection] = []
    private var watchers = Waiters()

    init(failures: [TransportError] = []) { self.failures = failures }

    func fail(_ failures: TransportError...) { self.failures += failures }

    /// The connection of that number, from 1, once it is there.
    func connection(_ number: Int) async throws -> ScriptedConnection {
        while connections.count < number {
            try Task.checkCancellation()
            await watchers.add().wait()
        }
        return connections[number - 1]
    }

    private func open(_ url: String) throws -> ScriptedConnection {
        urls.append(url)
        if !failures.isEmpty { throw failures.removeFirst() }
        let connection = ScriptedConnection(url: url)
        connections.append(connection)
        watchers.wakeAll()
        return connection
    }

    nonisolated func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        try await body(try await open(url))
    }
}

actor ScriptedConnection: WebSocketConnection {
    private enum Incoming: Sendable {
        case message(WebSocketMessage)
        case closed(UInt16?)
        case broken
    }

    let url: String
    private let incoming = Mailbox<Incoming>()
    /// The frames that the client sent; a ping is "ping".
    private(set) var sent: [String] = []
    private(set) var isClosed = false
    private(set) var closeCode: UInt16?
    private var watchers = Waiters()

    init(url: String) { self.url = url }

    /// Sends a text frame.
    nonisolated func push(_ text: String) { incoming.send(.message(.text(text))) }

    nonisolated func pong() { incoming.send(.message(.pong)) }

    /// Closes the connection in an orderly way.
    nonisolated func close(with code: UInt16?) { incoming.send(.closed(code)) }

    /// Breaks the connection without a close.
    nonisolated func breakDown() { incoming.send(.broken) }

    /// The frame of that number that the client sent, from 1, once it is there.
    func frame(_ number: Int) async throws -> String {
        while sent.count < number {
            try Task.checkCancellation()
            await watchers.add().wait()
        }
        return sent[number - 1]
    }

    private func record(_ frame: String) {
        sent.append(frame)
        watchers.wakeAll()
    }

    private func recordClose(_ code: UInt16?) { closeCode = code }

    func send(_ text: String) async throws(TransportError) { record(text) }

    func ping() async throws(TransportError) { record("ping") }

    nonisolated func receive() async throws(TransportError) -> WebSocketMessage? {
        for await incoming in incoming.messages {
            switch incoming {
            case .message(let message): return message
            case .closed(let code):
                await recordClose(code)
                return nil
            case .broken: throw TransportError(.closed(code: nil), "The connection to the host was lost.")
            }
        }
        throw TransportError(.cancelled, "cancelled")
    }

    func close(code: UInt16) async { isClosed = true }
}
