import NIOCore
import NIOPosix

/// A connection to a server on this computer, of a client that may write anything.
struct RawConnection {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func open(_ port: Int, at address: String = "127.0.0.1") async throws -> RawConnection {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: address, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return RawConnection(channel: channel)
    }

    /// Writes a text, and reads until the other side closes the connection.
    func exchange(_ text: String) async throws -> String {
        var answer = ""
        try? await channel.executeThenClose { inbound, outbound in
            if !text.isEmpty { try await outbound.write(ByteBuffer(string: text)) }
            for try await buffer in inbound { answer += String(buffer: buffer) }
        }
        return answer
    }

    func close() async throws { try await channel.channel.close() }
}
