import NIOCore
import NIOPosix
import NIOSSL

/// The server side of one connection, in raw bytes, so that it can also violate the protocol.
struct Peer {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var unread = ByteBuffer()

    fileprivate init(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    struct EndOfStream: Error {}

    mutating func bytes(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count {
            guard var more = try await inbound.next(isolation: #isolation) else { throw EndOfStream() }
            unread.writeBuffer(&more)
        }
        return unread.readBytes(length: count) ?? []
    }

    /// Everything up to and including the empty line.
    mutating func head() async throws -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try await bytes(1) }
        return String(decoding: head, as: UTF8.self)
    }

    /// Returns when the other side has closed or reset the connection.
    mutating func waitForEnd() async throws { _ = try await end() }

    /// How the other side ends the connection: nil in order, or with an error.
    mutating func end() async throws -> CInt? {
        do {
            while try await inbound.next(isolation: #isolation) != nil {}
            return nil
        } catch let error as IOError {
            return error.errnoCode
        }
    }

    func write(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    // MARK: WebSocket (RFC 6455)

    enum Opcode: UInt8 { case continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 }

    /// Accepts the upgrade. Returns the head of the request.
    ///
    /// - Parameter received: The head of the request, if it was read already.
    @discardableResult
    mutating func acceptWebSocket(_ received: String? = nil, accept: String? = nil) async throws -> String {
        let head = if let received { received } else { try await head() }
        let key = Self.value(of: "sec-websocket-key", in: head)
        let accept = accept ?? base64(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
        try await write(
            """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \
            \(accept)\r\n\r\n
            """
        )
        return head
    }

    static func value(of name: String, in head: String) -> String {
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix(name + ": ") {
            return String(line.dropFirst(name.count + 2))
        }
        return ""
    }

    static func frame(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, bits: UInt8 = 0) -> [UInt8] {
        var frame = [(isFinal ? 0x80 : 0) | bits | opcode.rawValue]
        switch payload.count {
        case ..<126: frame.append(UInt8(payload.count))
        case ..<65536: frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: frame += [127] + (0..<8).reversed().map { UInt8((payload.count >> ($0 * 8)) & 0xFF) }
        }
        return frame + payload
    }

    static func frame(_ opcode: Opcode, _ payload: String, isFinal: Bool = true) -> [UInt8] {
        frame(opcode, Array(payload.utf8), isFinal: isFinal)
    }

    static func close(_ code: UInt16) -> [UInt8] {
        frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
    }

    struct Unmasked: Error {}

    /// The next frame of a client, which must be masked and short.
    mutating func frame() async throws -> (opcode: Opcode?, payload: [UInt8]) {
        let head = try await bytes(2)
        guard head[1] & 0x80 != 0 else { throw Unmasked() }
        var length = Int(head[1] & 0x7F)
        if length == 126 {
            let extended = try await bytes(2)
            length = Int(extended[0]) << 8 | Int(extended[1])
        }
        let mask = try await bytes(4)
        let payload = try await bytes(length)
        return (Opcode(rawValue: head[0] & 0x0F), payload.enumerated().map { $1 ^ mask[$0 % 4] })
    }
}

/// Listens on loopback while `body` runs, and runs `script` for each connection.
func withServer<Result: Sendable>(
    tls: NIOSSLContext? = nil,
    _ script: @escaping @Sendable (inout Peer) async throws -> Void,
    _ body: (_ port: Int) async throws -> Result
) async throws -> Result {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.autoRead, value: false)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                return channel
            }
        }
    let port = server.channel.localAddress?.port ?? 0
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try? await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await channel in connections {
                        group.addTask {
                            // Only when a receiver exists: a late connection must not be dropped.
                            let wrapped = channel.eventLoop.submit {
                                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                            }
                            try? await wrapped.get().executeThenClose { inbound, outbound in
                                try await channel.setOption(.autoRead, value: true).get()
                                var peer = Peer(inbound, outbound)
                                try await script(&peer)
                            }
                        }
                    }
                }
            }
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(port)) } catch { result = .failure(error) }
        // Running scripts end soon: the other side has closed.
        try await server.channel.close()
        try await group.waitForAll()
        return try result.get()
    }
}
