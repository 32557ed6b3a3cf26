import Basics
import ClientKit

@testable import SuprSend

/// The service's realtime side in memory: answers CONNECT, and sends what a test says.
actor FakeSocket: WebSocketTransport {
    enum Answer: Sendable {
        case join(pid: String?)
        /// Without `joined_room`, which is for the test to send.
        case joinWithoutRoom
        case refuse(String)
        case unreachable
    }

    /// The answers for the next connections; later connections may join.
    private var answers: [Answer] = []
    private(set) var connections: [FakeConnection] = []
    private(set) var attempts = 0
    private var watchers = Waiters()

    init(_ answers: [Answer] = []) { self.answers = answers }

    /// The connection of that number, from 1, once it is there.
    func connection(_ number: Int) async throws -> FakeConnection {
        while connections.count < number {
            try Task.checkCancellation()
            await watchers.add().wait()
        }
        return connections[number - 1]
    }

    private func open() throws -> FakeConnection {
        defer {
            watchers.wakeAll()
        }
        attempts += 1
        let answer = answers.isEmpty ? Answer.join(pid: nil) : answers.removeFirst()
        if case .unreachable = answer { throw TransportError(.unreachable, "connection refused") }
        let connection = FakeConnection(answer)
        connections.append(connection)
        return connection
    }

    nonisolated func withConnection<Result: Sendable>(
        to url: String,
        timeout: Duration,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await open()
        return try await body(connection)
    }
}

actor FakeConnection: WebSocketConnection {
    private let answer: FakeSocket.Answer
    private let messages: AsyncStream<String>
    private let inbox: AsyncStream<String>.Continuation
    /// The frames that the client sent.
    private(set) var sent: [String] = []
    private(set) var isClosed = false
    var closeCode: UInt16? { 1001 }

    init(_ answer: FakeSocket.Answer) {
        self.answer = answer
        (messages, inbox) = AsyncStream.makeStream()
        inbox.yield(#"0{"sid":"s","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#)
    }

    var connects: [String] { sent.filter { $0.hasPrefix("40") } }

    /// Sends an event about an id.
    nonisolated func push(_ event: String, _ id: String) { inbox.yield(#"42["\#(event)",{"n_id":"\#(id)"}]"#) }

    nonisolated func push(frame: String) { inbox.yield(frame) }

    /// Closes the connection as a restarting server does.
    nonisolated func drop() { inbox.finish() }

    private static let reset = "reset"

    /// Breaks the connection without a word.
    nonisolated func breakDown() { inbox.yield(Self.reset) }

    func send(_ text: String) async throws(TransportError) {
        sent.append(text)
        guard text.hasPrefix("40") else { return }
        switch answer {
        case .join(let pid):
            inbox.yield(pid.map { #"40{"sid":"x","pid":"\#($0)"}"# } ?? #"40{"sid":"x"}"#)
            inbox.yield(#"42["joined_room",{}]"#)
        case .joinWithoutRoom: inbox.yield(#"40{"sid":"x"}"#)
        case .refuse(let message): inbox.yield(#"44{"message":"\#(message)"}"#)
        case .unreachable: break
        }
    }

    /// Socket.IO has pings of its own.
    func ping() async throws(TransportError) {}

    nonisolated func receive() async throws(TransportError) -> WebSocketMessage? {
        for await text in messages {
            if text == Self.reset { throw TransportError(.closed(code: nil), "The connection was lost.") }
            return .text(text)
        }
        if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
        return nil
    }

    func close(code: UInt16) async { isClosed = true }
}
