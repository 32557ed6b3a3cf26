import NIOCore
import NIOPosix

/// Stands between the agent and the service, and notes when what passed. So the service's own time can be taken out
/// exactly, whatever the service is busy with.
struct Relay {
    /// Something that passed, at the moment at which it was handed on (to the agent) or was there (from the agent).
    struct Passage: Sendable {
        enum Kind: Sendable {
            /// A WebSocket frame to the agent with a new notification.
            case event
            /// A WebSocket frame to the agent with a ping.
            case ping
            /// The agent's request for the details of a notification.
            case question
            /// A piece of the answer to it.
            case answer
        }

        var kind: Kind
        var time: ContinuousClock.Instant
    }

    let port: Int
    let passages: AsyncStream<Passage>

    /// The passages up to the first one after `end`.
    func passages(until end: ContinuousClock.Instant) async -> [Passage] {
        var passed: [Passage] = []
        for await passage in passages {
            passed.append(passage)
            if passage.time > end { break }
        }
        return passed
    }

    /// Runs `body` beside a relay to a port of this computer.
    static func with<Result: Sendable>(to service: Int, _ body: (Relay) async throws -> Result) async throws -> Result {
        let (passages, notes) = AsyncStream<Passage>.makeStream()
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let listener = try await ServerBootstrap(group: loops)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { agent in connect(agent, to: service, notes) }
                .bind(host: "127.0.0.1", port: 0)
                .get()
            let result = try await body(Relay(port: listener.localAddress?.port ?? 0, passages: passages))
            notes.finish()
            try await loops.shutdownGracefully()
            return result
        } catch {
            notes.finish()
            try await loops.shutdownGracefully()
            throw error
        }
    }

    private static func connect(
        _ agent: any Channel,
        to port: Int,
        _ notes: AsyncStream<Passage>.Continuation
    ) -> EventLoopFuture<Void> {
        ClientBootstrap(group: agent.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port)
            .flatMapThrowing { service in
                // One loop serves both sides, so the stopwatch is only ever used by it.
                let stopwatch = Stopwatch(notes)
                try agent.pipeline.syncOperations.addHandler(Forwarder(to: service) { stopwatch.fromAgent($0) })
                try service.pipeline.syncOperations.addHandler(Forwarder(to: agent) { stopwatch.fromService($0) })
                for side in [agent, service] { try side.syncOptions?.setOption(.autoRead, value: true) }
            }
    }
}

/// Classifies the traffic of one connection.
private final class Stopwatch {
    private let notes: AsyncStream<Relay.Passage>.Continuation
    private var isAsked = false

    init(_ notes: AsyncStream<Relay.Passage>.Continuation) { self.notes = notes }

    func fromAgent(_ bytes: ByteBuffer) {
        isAsked = bytes.begins(with: "GET /v1/feed/notifications/")
        if isAsked { note(.question) }
    }

    func fromService(_ bytes: ByteBuffer) {
        if isAsked {
            note(.answer)
        } else if bytes.getInteger(at: bytes.readerIndex) == Self.finalTextFrame, bytes.contains("\"new_notification\"")
        {
            note(.event)
        } else if bytes.readableBytesView.elementsEqual(Self.ping) {
            note(.ping)
        }
    }

    private func note(_ kind: Relay.Passage.Kind) { notes.yield(.init(kind: kind, time: .now)) }

    /// RFC 6455 §5.2: FIN and the opcode for text.
    private static let finalTextFrame: UInt8 = 0x81
    /// Such a frame with Engine.IO's packet of this type in it.
    private static let ping: [UInt8] = [finalTextFrame, 1, UInt8(ascii: "2")]
}

extension ByteBuffer {
    fileprivate func begins(with text: String) -> Bool { readableBytesView.starts(with: text.utf8) }

    fileprivate func contains(_ text: String) -> Bool { readableBytesView.firstRange(of: Array(text.utf8)) != nil }
}

/// Hands on everything that comes, and the end.
private final class Forwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    private let note: (ByteBuffer) -> Void

    init(to partner: any Channel, _ note: @escaping (ByteBuffer) -> Void) {
        self.partner = partner
        self.note = note
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        note(bytes)
        partner.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { partner.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
