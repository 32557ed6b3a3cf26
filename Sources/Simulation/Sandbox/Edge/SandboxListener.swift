import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Accepts connections and passes each to ``ServedConnection`` or ``SocketConnection``.
struct SandboxListener: Sendable {
    enum Accepted: Sendable {
        /// `declined` is the head of a declined upgrade, which NIO has removed from the stream.
        case http(NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>, declined: HTTPRequestHead?)
        case socket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>, Engine.Socket)
    }

    private let channel: NIOAsyncChannel<EventLoopFuture<Accepted>, Never>
    private let engine: Engine

    /// The type that decodes requests, made by one thread: two sandboxes, each on a thread of its own, can crash in the
    /// runtime of Swift 6.3 if both make a generic type for the first time.
    private static let decoderType: Any.Type = ByteToMessageHandler<HTTPRequestDecoder>.self

    /// The bound port.
    var port: Int { channel.channel.localAddress?.port ?? 0 }

    static func bind(port: Int, engine: Engine) async throws -> SandboxListener {
        _ = decoderType
        let channel = try await ServerBootstrap(group: engine.loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: port) { child in
                child.eventLoop.makeCompletedFuture { try configure(child, engine: engine) }
            }
        return SandboxListener(channel: channel, engine: engine)
    }

    /// Serves until the task is cancelled, then closes all connections.
    func run() async {
        try? await channel.executeThenClose { accepted in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in accepted {
                    group.addTask {
                        switch try? await connection.get() {
                        case .http(let channel, let declined):
                            await ServedConnection(channel: channel, engine: engine).run(declined: declined)
                        case .socket(let channel, let socket):
                            await SocketConnection(socket: socket, channel: channel, engine: engine).run()
                        case nil: break
                        }
                    }
                }
            }
        }
    }

    private static func configure(_ channel: any Channel, engine: Engine) throws -> EventLoopFuture<Accepted> {
        let declined = NIOLoopBoundBox<HTTPRequestHead?>(nil, eventLoop: channel.eventLoop)
        let opened = NIOLoopBoundBox<Engine.Socket?>(nil, eventLoop: channel.eventLoop)
        let upgrader = NIOTypedWebSocketServerUpgrader<Accepted>(
            maxFrameSize: 1 << 24,
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeFutureWithTask {
                    await engine.upgrade(ServiceRequest(head))
                }.map { socket in
                    opened.value = socket
                    if socket == nil { declined.value = head }
                    return socket == nil ? nil : HTTPHeaders()
                }
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0,
                            maxAccumulatedFrameCount: 1_000,
                            maxAccumulatedFrameSize: 1 << 24
                        )
                    )
                    guard let socket = opened.value else { throw ChannelError.inappropriateOperationForState }
                    return .socket(try NIOAsyncChannel(wrappingChannelSynchronously: channel), socket)
                }
            }
        )
        var configuration = NIOUpgradableHTTPServerPipelineConfiguration(
            upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        // Answers are written as bytes, so that a fault can truncate them anywhere.
                        let pipeline = channel.pipeline.syncOperations
                        let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
                        pipeline.removeHandler(context: encoder, promise: nil)
                        return .http(
                            try NIOAsyncChannel(wrappingChannelSynchronously: channel),
                            declined: declined.value
                        )
                    }
                }
            )
        )
        configuration.enablePipelining = false
        configuration.enableErrorHandling = false
        configuration.enableResponseHeaderValidation = false
        let accepted = try channel.pipeline.syncOperations
            .configureUpgradableHTTPServerPipeline(configuration: configuration)
        accepted.whenFailure { _ in
            if let socket = opened.value { engine.assumeIsolated { $0.closed(socket.id) } }
        }
        return accepted
    }
}

extension ServiceRequest {
    init(_ head: HTTPRequestHead, body: [UInt8] = []) {
        self.init(
            method: head.method.rawValue,
            target: head.uri,
            headers: Dictionary(
                head.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { "\($0), \($1)" }
            ),
            body: body
        )
    }
}
