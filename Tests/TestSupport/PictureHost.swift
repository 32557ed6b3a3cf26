import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization

/// A host of pictures on loopback. The test writes each answer byte by byte, so that it can also be a wrong one.
package struct PictureHost: Sendable {
    /// One request.
    package struct Connection: Sendable {
        /// The path of the request, with its query.
        package let path: String
        /// The head of the request.
        package let head: String
        fileprivate let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        fileprivate let closed: EventLoopFuture<Void>

        package func write(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

        package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

        /// A complete response.
        package func respond(
            _ body: [UInt8],
            status: String = "200 OK",
            type: String = "image/png",
            fields: String = ""
        ) async throws {
            let length = "Content-Length: \(body.count)\r\n"
            try await write(
                "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(length)\(fields)Connection: close\r\n\r\n"
            )
            try await write(body)
        }

        package func redirect(to location: String) async throws {
            try await respond([], status: "302 Found", fields: "Location: \(location)\r\n")
        }

        /// Returns when the other side has closed the connection.
        package func waitForEnd() async throws { try await closed.get() }
    }

    package let port: Int
    private let log = Log()

    private final class Log: Sendable {
        let paths = Mutex<[String]>([])
    }

    /// The paths of the requests so far.
    package var requests: [String] { log.paths.withLock { $0 } }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Answers every request with `serve` while `body` runs.
    package static func with<Result: Sendable>(
        tls: NIOSSLContext? = nil,
        _ serve: @escaping @Sendable (Connection) async throws -> Void,
        _ body: (PictureHost) async throws -> Result
    ) async throws -> Result {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let host = PictureHost(port: server.channel.localAddress?.port ?? 0)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await server.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await channel in connections {
                            group.addTask { try? await host.answer(channel, serve) }
                        }
                    }
                }
            }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(host)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private func answer(
        _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>,
        _ serve: @Sendable (Connection) async throws -> Void
    ) async throws {
        try await channel.executeThenClose { inbound, outbound in
            var head: [UInt8] = []
            for try await buffer in inbound {
                head += buffer.readableBytesView
                guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
                let text = String(decoding: head, as: UTF8.self)
                let words = text.split(separator: " ", maxSplits: 2)
                let path = words.count > 1 ? String(words[1]) : ""
                log.paths.withLock { $0.append(path) }
                let closed = channel.channel.closeFuture
                try await serve(Connection(path: path, head: text, outbound: outbound, closed: closed))
                return
            }
        }
    }
}
