import NIOCore
import NIOPosix
import Sandbox

/// A TCP connection that sends bytes and returns how the other side closed it.
enum RawConnection {
    enum Ending: Sendable, Equatable { case closed, reset, enough }

    /// Sends `text`, reads until the end or until `enough` is content.
    static func exchange(
        _ text: String,
        port: Int,
        until enough: @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws -> (bytes: [UInt8], ending: Ending) {
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer> =
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var bytes: [UInt8] = []
            do {
                for try await buffer in inbound {
                    bytes += Array(buffer.readableBytesView)
                    if enough(bytes) { return (bytes, .enough) }
                }
                return (bytes, .closed)
            } catch is IOError {
                return (bytes, .reset)
            }
        }
    }

    /// The text of a request as a correct client writes it.
    static func text(_ request: ServiceRequest, close: Bool = true) -> String {
        var text = "\(request.method) \(request.target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in request.headers { text += "\(name): \(value)\r\n" }
        if close { text += "Connection: close\r\n" }
        if !request.body.isEmpty { text += "Content-Length: \(request.body.count)\r\n" }
        return text + "\r\n" + String(decoding: request.body, as: UTF8.self)
    }
}
