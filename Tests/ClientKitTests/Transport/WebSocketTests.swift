import ClientKit
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct WebSocketTests {
    /// Opens a WebSocket to a server that runs `script`.
    private func connect<Result: Sendable>(
        timeout: Duration = .seconds(30),
        options: TransportOptions = TransportOptions(),
        _ script: @escaping @Sendable (inout Peer) async throws -> Void,
        _ body: (any WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        try await withServer(script) { port in
            try await NIOTransport.withTransport(options: options, logger: Logger(label: "test")) { transport in
                try await transport.withConnection(to: "ws://127.0.0.1:\(port)/s/?a=1", timeout: timeout, body)
            }
        }
    }

    @Test("After an attempt that took too long, the next one has more time") func slowOpening() async throws {
        try await withServer { peer in
            let head = try await peer.head()
            try await Task.sleep(for: .milliseconds(600))
            try await peer.acceptWebSocket(head)
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                var kinds: [TransportError.Kind] = []
                while true {
                    do {
                        try await transport.withConnection(
                            to: "ws://127.0.0.1:\(port)/",
                            timeout: .milliseconds(500)
                        ) { _ in }
                        break
                    } catch let error as TransportError {
                        kinds.append(error.kind)
                    }
                }
                #expect(!kinds.isEmpty && kinds.allSatisfy { $0 == .timeout })
            }
        }
    }

    /// The error that `receive` throws after the server accepted the connection and sent these bytes.
    private func failure(
        options: TransportOptions = TransportOptions(),
        after bytes: [UInt8],
        closesWith code: UInt16? = nil
    ) async throws -> TransportError.Kind? {
        let (codes, codeSink) = AsyncStream.makeStream(of: UInt16.self)
        return try await connect(options: options) { peer in
            try await peer.acceptWebSocket()
            try await peer.write(bytes)
            let frame = try await peer.frame()
            if frame.opcode == .close { codeSink.yield(UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])) }
        } _: { connection async throws in
            let error = await #expect(throws: TransportError.self) {
                while try await connection.receive() != nil {}
            }
            if let code { for await seen in codes.prefix(1) { #expect(seen == code) } }
            return error?.kind
        }
    }

    private func refusal(
        timeout: Duration = .seconds(30),
        _ script: @escaping @Sendable (inout Peer) async throws -> Void
    )
        async -> TransportError?
    {
        await #expect(throws: TransportError.self) {
            try await connect(timeout: timeout, script) { _ -> Void in Issue.record("it must not open") }
        }
    }

    // MARK: Messages

    @Test("The upgrade request has the headers of RFC 6455 and no other ones") func upgradeRequest() async throws {
        let head = Mutex("")
        try await connect { peer in
            let request = try await peer.acceptWebSocket()
            head.withLock { $0 = request }
            try await peer.write(Peer.frame(.text, "hello"))
            try await peer.waitForEnd()
        } _: { connection async throws in
            #expect(try await connection.receive() == .text("hello"))
        }
        let request = head.withLock { $0 }
        #expect(request.hasPrefix("GET /s/?a=1 HTTP/1.1\r\n"))
        #expect(Peer.value(of: "host", in: request).hasPrefix("127.0.0.1:"))
        #expect(Peer.value(of: "upgrade", in: request) == "websocket")
        #expect(Peer.value(of: "sec-websocket-version", in: request) == "13")
        #expect(!request.lowercased().contains("transfer-encoding") && !request.lowercased().contains("cookie"))
    }

    @Test("Messages are sent and received") func messages() async throws {
        let texts = ["", "a", "ü€😀", String(repeating: "x", count: 60_000)]
        try await connect { peer in
            try await peer.acceptWebSocket()
            while true {
                let frame = try await peer.frame()
                guard frame.opcode == .text else { break }
                try await peer.write(Peer.frame(.text, frame.payload) + Peer.frame(.binary, [1, 2]))
            }
        } _: { connection async throws in
            for text in texts {
                try await connection.send(text)
                #expect(try await connection.receive() == .text(text))
                #expect(try await connection.receive() == .binary([1, 2]))
            }
        }
    }

    @Test("Fragments are reassembled, and a ping between them is answered") func fragments() async throws {
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.text, Array("42[\"ü".utf8.dropLast()), isFinal: false))
            try await peer.write(Peer.frame(.ping, "still there?"))
            try await peer.write(Peer.frame(.continuation, [0xBC], isFinal: false))
            let pong = try await peer.frame()
            try await peer.write(Peer.frame(.continuation, "\",\"\(pong.opcode == .pong)"))
            try await peer.write(Peer.frame(.text, pong.payload))
        } _: { connection async throws in
            #expect(try await connection.receive() == .text("42[\"ü\",\"true"))
            #expect(try await connection.receive() == .text("still there?"))
        }
    }

    @Test("A ping is sent and its answer is reported; other pongs are not") func pings() async throws {
        let (pings, sink) = AsyncStream.makeStream(of: Peer.Opcode?.self)
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.pong, "unasked") + Peer.frame(.text, "go"))
            let ping = try await peer.frame()
            sink.yield(ping.opcode)
            try await peer.write(Peer.frame(.pong, ping.payload) + Peer.frame(.pong, []) + Peer.frame(.text, "end"))
            try await peer.waitForEnd()
        } _: { connection async throws in
            #expect(try await connection.receive() == .text("go"))
            try await connection.ping()
            #expect(try await connection.receive() == .pong)
            #expect(try await connection.receive() == .text("end"))
        }
        for await opcode in pings.prefix(1) { #expect(opcode == .ping) }
    }

    @Test("Messages in one packet keep their order") func messageOrder() async throws {
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write((0..<1000).flatMap { Peer.frame(.text, "\($0)") } + Peer.close(1000))
            _ = try await peer.frame()
        } _: { connection async throws in
            for number in 0..<1000 { #expect(try await connection.receive() == .text("\(number)")) }
            #expect(try await connection.receive() == nil)
        }
    }

    @Test("A slow reader applies backpressure to the server") func backpressure() async throws {
        let sent = Mutex(0)
        let part = Peer.frame(.text, [UInt8](repeating: 0x78, count: 60_000))
        try await connect { peer in
            try await peer.acceptWebSocket()
            for _ in 0..<4000 {
                try await peer.write(part)
                sent.withLock { $0 += part.count }
            }
        } _: { connection async throws in
            #expect(try await connection.receive() != nil)
            // Waits until nothing more is sent in a thousand turns of every event loop.
            var (seen, unchanged) = (0, 0)
            while unchanged < 1_000 {
                for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
                await Task.yield()
                let now = sent.withLock { $0 }
                unchanged = now == seen ? unchanged + 1 : 0
                seen = now
            }
            #expect(seen < 64 << 20)
        }
    }

    // MARK: Ends

    static let closeCodes: [UInt16] = [1000, 1001, 1008, 1011, 4000]

    @Test("A close frame of the server ends the messages and is echoed", arguments: closeCodes) func closeByServer(
        code: UInt16
    ) async throws {
        let (echoes, echo) = AsyncStream.makeStream(of: [UInt8].self)
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.text, "last") + Peer.close(code))
            echo.yield(try await peer.frame().payload)
        } _: { connection async throws in
            #expect(try await connection.receive() == .text("last"))
            #expect(try await connection.receive() == nil)
            #expect(await connection.closeCode == code)
            #expect(try await connection.receive() == nil)
            await #expect(throws: TransportError.self) { try await connection.send("late") }
        }
        for await payload in echoes.prefix(1) { #expect(payload == [UInt8(code >> 8), UInt8(code & 0xFF)]) }
    }

    @Test("A close frame may have no code") func closeWithoutCode() async throws {
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.close, []))
            _ = try await peer.frame()
        } _: { connection async throws in
            #expect(try await connection.receive() == nil)
            #expect(await connection.closeCode == nil)
        }
    }

    @Test("A lost connection is an error with no close code") func lostConnection() async throws {
        try await connect { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.text, "last"))
            _ = try await peer.frame()
            try await peer.write([0x81])
        } _: { connection async throws in
            #expect(try await connection.receive() == .text("last"))
            try await connection.send("go")
            let error = await #expect(throws: TransportError.self) { try await connection.receive() }
            #expect(error == TransportError(.closed(code: nil), "The connection to 127.0.0.1 was lost."))
            await #expect(throws: TransportError.self) { try await connection.send("late") }
            await #expect(throws: TransportError.self) { try await connection.ping() }
            await connection.close(code: 1000)
        }
    }

    @Test("The client closes with a close frame") func closeByClient() async throws {
        let (frames, sink) = AsyncStream.makeStream(of: [UInt8].self)
        try await connect { peer in
            try await peer.acceptWebSocket()
            sink.yield(try await peer.frame().payload)
            sink.yield(try await peer.frame().payload)
        } _: { connection async throws in
            try await connection.send("41")
        }
        var seen: [[UInt8]] = []
        for await frame in frames.prefix(2) { seen.append(frame) }
        #expect(seen == [Array("41".utf8), [3, 232]])
    }

    @Test("A body that throws closes the connection") func throwingBody() async throws {
        struct Unwell: Error {}
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        await #expect(throws: Unwell.self) {
            try await connect { peer in
                try await peer.acceptWebSocket()
                try await peer.waitForEnd()
                end.yield()
            } _: { _ in
                throw Unwell()
            }
        }
        for await _ in ends { break }
    }

    // MARK: Faults

    @Test("A text message that is not UTF-8 is a violation") func invalidUTF8() async throws {
        #expect(try await failure(after: Peer.frame(.text, [0x61, 0xFF]), closesWith: 1007) == .protocolViolation)
    }

    @Test("A masked frame of the server is a violation") func maskedFrame() async throws {
        let bytes: [UInt8] = [0x81, 0x81, 1, 2, 3, 4, 0x60]
        #expect(try await failure(after: bytes, closesWith: 1002) == .protocolViolation)
    }

    @Test("A frame with reserved bits is a violation") func reservedBits() async throws {
        let bytes = Peer.frame(.text, Array("x".utf8), bits: 0x40)
        #expect(try await failure(after: bytes, closesWith: 1002) == .protocolViolation)
    }

    @Test("A continuation frame without a start is a violation")
    func strayContinuation() async throws {
        #expect(try await failure(after: Peer.frame(.continuation, "x"), closesWith: 1002) == .protocolViolation)
    }

    @Test("A control frame of more than 125 bytes is a violation") func longControlFrame() async throws {
        let bytes = Peer.frame(.ping, [UInt8](repeating: 0, count: 200))
        #expect(try await failure(after: bytes, closesWith: 1002) == .protocolViolation)
    }

    @Test("A message over the limit is an error, in one frame or in fragments") func tooLarge() async throws {
        let options = TransportOptions(maximumMessageSize: 1000)
        let whole = Peer.frame(.text, String(repeating: "x", count: 1001))
        #expect(try await failure(options: options, after: whole, closesWith: 1009) == .tooLarge)
        let half = String(repeating: "x", count: 600)
        let fragments = Peer.frame(.text, half, isFinal: false) + Peer.frame(.continuation, half)
        #expect(try await failure(options: options, after: fragments, closesWith: 1009) == .tooLarge)
        // The length alone, without the bytes.
        #expect(
            try await failure(after: [0x82, 127, 0x7F, 255, 255, 255, 255, 255, 255, 255], closesWith: 1009)
                == .tooLarge
        )
    }

    // MARK: Errors while opening

    @Test(
        "A refused upgrade is reported with its status and Retry-After",
        arguments: [200, 301, 400, 401, 403, 404, 429, 500, 503]
    ) func refusedUpgrade(status: Int) async {
        let error = await refusal { peer in
            _ = try await peer.head()
            try await peer.write(
                "HTTP/1.1 \(status) X\r\nLocation: ws://127.0.0.1:1/\r\nRetry-After: 9\r\nContent-Length: 2\r\n\r\nno"
            )
            try await peer.waitForEnd()
        }
        #expect(error?.kind == .refused(status: status))
        #expect(error?.retryAfter == .seconds(9))
        #expect(error?.detail.contains("\(status)") == true)
    }

    @Test("A wrong Sec-WebSocket-Accept is rejected") func wrongAccept() async {
        let error = await refusal { try await $0.acceptWebSocket(accept: "bm90IHlvdXIga2V5IGF0IGFsbCE=") }
        #expect(error?.kind == .protocolViolation)
    }

    @Test("A response to the upgrade that is not HTTP is a violation") func notHTTP() async {
        let error = await refusal { peer in
            _ = try await peer.head()
            try await peer.write("hello?\r\n\r\n")
            try await peer.waitForEnd()
        }
        #expect(error?.kind == .protocolViolation)
    }

    @Test("A connection that closes before the upgrade is an error") func closedBeforeTheResponse() async {
        #expect(await refusal { _ = try await $0.head() }?.kind == .unreachable)
    }

    @Test("A server that does not answer the upgrade is a timeout") func silentServer() async {
        #expect(await refusal(timeout: .milliseconds(200)) { try await $0.waitForEnd() }?.kind == .timeout)
    }

    @Test("A port where no server listens is an error", arguments: ["ws://127.0.0.1:1/", "ws://localhost:1/"])
    func refusedConnection(url: String) async {
        let error = await #expect(throws: TransportError.self) { try await open(url) }
        #expect(error?.kind == .unreachable)
    }

    @Test("ws:// is rejected for hosts other than loopback") func plainHost() async {
        let error = await #expect(throws: TransportError.self) { try await open("ws://a.example/?token=geheim") }
        #expect(error?.kind == .insecure)
        #expect(error?.detail.contains("geheim") == false)
    }

    private func open(_ url: String) async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
            try await transport.withConnection(to: url, timeout: .seconds(20)) { _ -> Void in
                Issue.record("it must not open")
            }
        }
    }

    // MARK: Cancelling

    @Test("Cancelling the task while a WebSocket opens closes the connection") func cancelledOpening() async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let kind = try await cancelled(when: arrivals) { peer in
            _ = try await peer.head()
            arrive.yield()
            try await peer.waitForEnd()
            end.yield()
        } _: { _ in
            Issue.record("it must not open")
        }
        #expect(kind == .cancelled)
        for await _ in ends { break }
    }

    @Test("After a cancelled receive, the body can still send before the close frame") func cancelledReceive()
        async throws
    {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let (frames, frame) = AsyncStream.makeStream(of: [UInt8].self)
        let kind = try await cancelled(when: arrivals) { peer in
            try await peer.acceptWebSocket()
            frame.yield(try await peer.frame().payload)
            frame.yield(try await peer.frame().payload)
        } _: { connection async throws in
            arrive.yield()
            do {
                _ = try await connection.receive()
            } catch {
                try await connection.send("41")
                throw error
            }
        }
        #expect(kind == .cancelled)
        var seen: [[UInt8]] = []
        for await payload in frames.prefix(2) { seen.append(payload) }
        #expect(seen == [Array("41".utf8), [3, 232]])
    }

    private func cancelled(
        when arrivals: AsyncStream<Void>,
        _ script: @escaping @Sendable (inout Peer) async throws -> Void,
        _ body: @escaping @Sendable (any WebSocketConnection) async throws -> Void
    ) async throws -> TransportError.Kind? {
        try await withServer(script) { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                await withTaskGroup(of: TransportError.Kind?.self) { group in
                    group.addTask {
                        do {
                            try await transport.withConnection(
                                to: "ws://127.0.0.1:\(port)/",
                                timeout: .seconds(3600),
                                body
                            )
                            return nil
                        } catch {
                            return (error as? TransportError)?.kind
                        }
                    }
                    for await _ in arrivals { break }
                    group.cancelAll()
                    return await group.next() ?? nil
                }
            }
        }
    }
}
