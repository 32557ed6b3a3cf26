import NIOCore
import NIOHTTP1

/// One HTTP/1.1 connection: reads requests and writes answers, with their faults.
struct ServedConnection {
    typealias Writer = NIOAsyncChannelOutboundWriter<ByteBuffer>

    private static let maximumBody = 4 << 20

    let channel: NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>
    let engine: Engine

    /// Serves until either side closes the connection. A lost connection is not an error here: clients test for it.
    ///
    /// - Parameter declined: a declined upgrade request, which is answered first.
    func run(declined: HTTPRequestHead?) async {
        try? await channel.executeThenClose { inbound, outbound in
            if var declined {
                // Later requests cannot be read: the decoder expects another protocol after an upgrade.
                declined.headers.replaceOrAdd(name: "Connection", value: "close")
                _ = try await serve(declined, [], outbound)
                return
            }
            var head: HTTPRequestHead?
            var body = ByteBuffer()
            for try await part in inbound {
                switch part {
                case .head(let next):
                    head = next
                    body.clear()
                case .body(let bytes):
                    guard body.readableBytes + bytes.readableBytes <= Self.maximumBody else {
                        try await send(
                            .error(413, "VALIDATION_ERROR", "The body is too large."),
                            keepAlive: false,
                            outbound
                        )
                        return
                    }
                    body.writeImmutableBuffer(bytes)
                case .end:
                    guard let request = head else { return }
                    let keepAlive = try await serve(request, Array(body.readableBytesView), outbound)
                    if !keepAlive { return }
                }
            }
        }
    }

    /// - Returns: whether the connection stays open.
    private func serve(_ head: HTTPRequestHead, _ body: [UInt8], _ outbound: Writer) async throws -> Bool {
        let request = ServiceRequest(head, body: body)
        let isLast = !head.isKeepAlive
        if let answer = await ControlSurface(engine: engine).answer(request) {
            try await send(answer, keepAlive: !isLast, outbound)
            return !isLast
        }
        var outcome = await engine.handle(request)
        switch outcome.fault {
        case nil, .respond: break
        case .truncated: outcome.response.body.removeLast((outcome.response.body.count + 1) / 2)
        case .delay(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        case .hold:
            let number = outcome.number
            _ = try await engine.wait { state in state.held.contains(number) ? nil : true }
        case .closeMidBody:
            let bytes = await encode(outcome.response, keepAlive: true)
            try await outbound.write(
                bytes.getSlice(at: 0, length: bytes.readableBytes - (outcome.response.body.count + 1) / 2) ?? bytes
            )
            return false
        case .close: return false
        case .reset:
            try await channel.channel.reset()
            return false
        case .endless: try await writeEndlessly(outbound)
        case .slowLoris(let milliseconds):
            for byte in await encode(outcome.response, keepAlive: true).readableBytesView.dropLast(
                outcome.response.body.count + 2
            ) {
                try await outbound.write(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: .milliseconds(milliseconds))
            }
            // The head is never complete: wait until the client closes the connection.
            try await Task.sleep(for: .seconds(86_400))
        case .large(let count):
            try await writeLarge(count, outbound)
            return !isLast
        }
        try await send(outcome.response, keepAlive: !isLast, outbound)
        return !isLast
    }

    private func send(_ response: ServiceResponse, keepAlive: Bool, _ outbound: Writer) async throws {
        try await outbound.write(await encode(response, keepAlive: keepAlive))
    }

    private func encode(_ response: ServiceResponse, keepAlive: Bool) async -> ByteBuffer {
        var text = "HTTP/1.1 \(response.status) \(HTTPResponseStatus(statusCode: response.status).reasonPhrase)\r\n"
        text += "Date: \(HTTPTimestamp.text(await engine.now))\r\n"
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        if !keepAlive { text += "Connection: close\r\n" }
        // A 204 or 304 has no body and must not announce one.
        let hasBody = response.status != 204 && response.status != 304
        if hasBody { text += "Content-Length: \(response.body.count)\r\n" }
        var buffer = ByteBuffer(string: text + "\r\n")
        if hasBody { buffer.writeBytes(response.body) }
        return buffer
    }

    /// Writes chunks until the client closes the connection, then throws.
    private func writeEndlessly(_ outbound: Writer) async throws {
        let start = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        try await outbound.write(ByteBuffer(string: start + "c\r\n{\"results\":[\r\n"))
        let chunk = ByteBuffer(string: "4000\r\n" + String(repeating: " ", count: 0x4000) + "\r\n")
        while true { try await outbound.write(chunk) }
    }

    private func writeLarge(_ count: Int, _ outbound: Writer) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(count)\r\n\r\n"
        try await outbound.write(ByteBuffer(string: head))
        let piece = ByteBuffer(repeating: UInt8(ascii: " "), count: 1 << 16)
        var rest = count
        while rest > 0 {
            try await outbound.write(rest < piece.readableBytes ? piece.getSlice(at: 0, length: rest) ?? piece : piece)
            rest -= piece.readableBytes
        }
    }
}
