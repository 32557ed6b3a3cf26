import TestSupport
import Testing

@testable import Sandbox

/// The server on a real port, tested with raw connections.
@Suite(.timeLimit(.minutes(5)), .sandbox(expectsNoViolations: false)) struct ServerTests {
    private let sandbox = Sandbox.current
    private static let count = RawConnection.text(Requests.feed("notifications_count"))
    private static let blank = Array("\r\n\r\n".utf8)

    @Test(
        "Requests are answered over HTTP, with the sandbox's date",
        .sandbox(SandboxOptions(), wall: { Requests.now })
    )
    func http() async throws {
        try await sandbox.publish(["text": "Hi"])
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nDate: Mon, 04 Aug 2025 22:32:25 GMT\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"badge\":1}"))
        #expect(answer.ending == .closed)
        let request = try await sandbox.waitForRequest()
        #expect(request.path == "/v1/feed/notifications_count")
        #expect(request.parameters == ["distinct_id": "user-1", "tenant_id": "default"])
    }

    @Test("A connection serves several requests") func keepAlive() async throws {
        let first = RawConnection.text(Requests.feed("notifications_count"), close: false)
        let both = try await RawConnection.exchange(first + Self.count, port: sandbox.port)
        #expect(String(decoding: both.bytes, as: UTF8.self).split(separator: "{\"badge\":0}").count == 2)
        #expect(await sandbox.requests.count == 2)
    }

    @Test("The connections and the port close with the end of the closure") func shutdown() async throws {
        let port = try await Sandbox.with(SandboxOptions(port: LastingPort.next())) { sandbox in
            await sandbox.inject(RequestFault(.hold))
            try await withThrowingTaskGroup(of: RawConnection.Ending.self) { group in
                group.addTask { try await RawConnection.exchange(Self.count, port: sandbox.port).ending }
                try await sandbox.wait { $0.held.isEmpty ? nil : true }
                group.cancelAll()
            }
            return sandbox.port
        }
        await #expect(throws: (any Error).self) { try await RawConnection.exchange(Self.count, port: port) }
        // The port is free again at once.
        try await Sandbox.with(SandboxOptions(port: port)) { #expect($0.port == port) }
    }

    @Test("A port that is in use is an error") func takenPort() async throws {
        await #expect(throws: (any Error).self) {
            try await Sandbox.with(SandboxOptions(port: sandbox.port)) { _ in }
        }
    }

    // MARK: Faults

    @Test("The fault close-mid-body closes the connection within the body") func closeMidBody() async throws {
        await sandbox.inject(RequestFault(.closeMidBody))
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(text.contains("Content-Length: 11\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"bad"))
        #expect(answer.ending == .closed)
    }

    @Test(
        "The faults close and reset end a connection without an answer",
        arguments: [(RequestFault.Kind.close, RawConnection.Ending.closed), (.reset, .reset)]
    )
    func noAnswer(kind: RequestFault.Kind, ending: RawConnection.Ending) async throws {
        await sandbox.inject(RequestFault(kind))
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port)
        #expect(answer.bytes == [])
        #expect(answer.ending == ending)
    }

    @Test("A held answer has the state of its request") func heldAnswer() async throws {
        await sandbox.inject(RequestFault(.hold))
        async let answer = RawConnection.exchange(Self.count, port: sandbox.port)
        try await sandbox.wait { $0.held.isEmpty ? nil : true }
        try await sandbox.publish(["text": "Hi"])
        try await sandbox.execute("release")
        #expect(String(decoding: try await answer.bytes, as: UTF8.self).hasSuffix("{\"badge\":0}"))
    }

    @Test("The fault endless sends a body without an end") func endless() async throws {
        await sandbox.inject(RequestFault(.endless))
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port) { $0.count > 8 << 20 }
        #expect(answer.ending == .enough)
    }

    @Test("A large body has its announced size") func largeBody() async throws {
        await sandbox.inject(RequestFault(.large(bytes: 1_000_001)))
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port)
        let head = try #require(answer.bytes.firstRange(of: Self.blank))
        #expect(answer.bytes.count - head.upperBound == 1_000_001)
    }

    @Test("The fault slow-loris never completes the head") func slowLoris() async throws {
        await sandbox.inject(RequestFault(.slowLoris(milliseconds: 1)))
        let answer = try await RawConnection.exchange(Self.count, port: sandbox.port) {
            $0.firstRange(of: Array("Content-Length: 11".utf8)) != nil
        }
        #expect(answer.ending == .enough)
        #expect(answer.bytes.firstRange(of: Self.blank) == nil)
    }

    @Test("A fault can refuse the upgrade to a WebSocket") func failedUpgrade() async throws {
        await sandbox.inject(.status(503, path: "/socket.io/"))
        let upgrade = Requests.upgrade("/socket.io/?EIO=4&transport=websocket")
        let refused = try await RawConnection.exchange(upgrade, port: sandbox.port)
        #expect(String(decoding: refused.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
        let granted = try await RawConnection.exchange(upgrade, port: sandbox.port) {
            $0.firstRange(of: Array("upgrades".utf8)) != nil
        }
        #expect(String(decoding: granted.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
        try await sandbox.waitForNoConnections()
    }

    @Test(
        "Other transports and versions are refused as violations",
        arguments: [
            ("/socket.io/?EIO=4&transport=polling", "{\"code\":0,\"message\":\"Transport unknown\"}"),
            ("/socket.io/?EIO=3&transport=websocket", "{\"code\":5,\"message\":\"Unsupported protocol version\"}"),
            ("/socket.io?EIO=4&transport=websocket", "{\"code\":3,\"message\":\"Bad request\"}"),
        ]
    )
    func otherTransports(target: String, body: String) async throws {
        for request in [Requests.upgrade(target), "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"] {
            let answer = try await RawConnection.exchange(request, port: sandbox.port) {
                $0.last == UInt8(ascii: "}")
            }
            let text = String(decoding: answer.bytes, as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(text.hasSuffix(body))
        }
        #expect(await sandbox.violations.map(\.kind) == [.realtime, .realtime])
    }

    // MARK: Control

    @Test("Commands are accepted over HTTP, and their mistakes are returned") func control() async throws {
        let answer = try await ControlClient.send("publish", #"{"n_id":"A","text":"Hi"}"#, to: sandbox.baseURL)
        #expect(answer == #"{"n_ids":["A"]}"#)
        #expect(await sandbox.inbox().row("A") != nil)
        #expect(try await ControlClient.send("help", "", to: sandbox.baseURL) == CommandHelp.text)
        let token = try await ControlClient.token(for: Recipient("user-1"), at: sandbox.baseURL)
        #expect(SandboxToken(parsing: token)?.entityID == "user-1")
        await #expect(throws: CommandMistake("There is no user 'bob', only user-1.")) {
            try await ControlClient.token(for: Recipient("bob"), at: sandbox.baseURL)
        }
        await #expect(throws: CommandMistake("'expire' needs 'n_id'.")) {
            try await ControlClient.send("expire", "{}", to: sandbox.baseURL)
        }
        let get = try await RawConnection.exchange(
            "GET /control/violations HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            port: sandbox.port
        )
        #expect(String(decoding: get.bytes, as: UTF8.self).hasSuffix("\r\n\r\n[]"))
        #expect(await sandbox.requests == [])
        await #expect(
            throws: CommandMistake("'nowhere' is not the address of a sandbox, such as http://127.0.0.1:8080.")
        ) {
            try await ControlClient.send("state", "", to: "nowhere")
        }
    }

    @Test("Reports have the order of what they report") func reports() async throws {
        let (reports, continuation) = AsyncStream<Sandbox.Report>.makeStream()
        try await Sandbox.with(report: { continuation.yield($0) }) { sandbox in
            try await sandbox.publish(["n_id": "A", "header": "Hi"])
            _ = try await RawConnection.exchange(
                "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                port: sandbox.port
            )
        }
        continuation.finish()
        let violation = Violation(kind: .route, message: "There is no GET /x.", context: "GET /x")
        let all = await reports.reduce(into: []) { $0.append($1) }
        #expect(all == [.line("user-1: published A Hi"), .violation(violation), .line("GET /x 404")])
    }

    @Test("A wait ends when its task is cancelled") func cancelledWait() async throws {
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sandbox.waitForRequest() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
    }
}

extension Requests {
    static func upgrade(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    }
}
