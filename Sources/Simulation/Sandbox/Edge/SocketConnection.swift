import Basics
import NIOCore
import NIOWebSocket

/// One WebSocket: passes frames to the ``Engine`` and performs its orders.
struct SocketConnection {
    let socket: Engine.Socket
    let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    let engine: Engine

    /// The timeout for the answer to a close frame.
    private static let closeTimeout = Duration.seconds(2)

    func run() async {
        let (id, orders) = (socket.id, socket.orders)
        try? await channel.executeThenClose { inbound, outbound in
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask {
                    defer { orders.close() }
                    for try await frame in inbound {
                        guard try await read(frame, on: id, outbound) else { return }
                    }
                }
                for await order in orders.messages {
                    switch order {
                    case .text(let text):
                        try await outbound.write(.init(fin: true, opcode: .text, data: ByteBuffer(string: text)))
                    case .binary(let bytes):
                        try await outbound.write(.init(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes)))
                    case .startTimer(let timer, let delay):
                        group.addTask {
                            try await Task.sleep(for: .milliseconds(delay))
                            await engine.timerFired(timer)
                        }
                    case .hangUp(.close(let code)):
                        var payload = ByteBuffer()
                        payload.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: Int(code)))
                        try await outbound.write(.init(fin: true, opcode: .connectionClose, data: payload))
                        group.addTask {
                            try await Task.sleep(for: Self.closeTimeout)
                            orders.close()
                        }
                    case .hangUp(.finish): orders.close()
                    case .hangUp(.reset):
                        try await channel.channel.reset()
                        orders.close()
                    }
                }
                group.cancelAll()
            }
        }
        await engine.closed(id)
    }

    /// - Returns: whether the connection stays open.
    private func read(
        _ frame: WebSocketFrame,
        on id: SocketID,
        _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) async throws -> Bool {
        // A silent server does not answer WebSocket control frames either.
        if await engine.isSilent(id) { return true }
        var data = frame.unmaskedData
        switch frame.opcode {
        case .text: await engine.received(data.readString(length: data.readableBytes) ?? "", on: id)
        case .binary: await engine.receivedBinary(on: id)
        case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: data))
        case .connectionClose:
            // The answer to our close frame, or a close frame of the client, which is echoed.
            try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
            return false
        default: break
        }
        return true
    }
}
