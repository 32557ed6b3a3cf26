import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Stands between a client and a server of this computer, as a network or as an HTTP proxy, and does what those do.
package final class Relay: Sendable {
    /// How the relay treats the bytes that come from now on.
    package enum Fault: Sendable, Equatable {
        /// They pass.
        case none
        /// They pass with this delay, in each direction.
        case latency(Duration)
        /// Each piece is lost with this probability, again and again, and sent again as TCP does it: first after 200
        /// ms, and then after twice as long each time. The bytes behind it wait for it. So loss shows as stalls.
        case loss(Double)
        /// They are gone, in both directions, and so is the news of an end: all connections are half-open, and stay so
        /// when the fault is over, as behind a router that has lost their state. New ones are accepted.
        case blackHole
    }

    /// The handshake that a client needs before its bytes pass.
    package enum Admission: Sendable, Equatable {
        /// Nothing.
        case open
        /// `CONNECT` (RFC 9110 §9.3.6) to any host, whose part the server plays. A status other than 200 refuses.
        case proxy(status: Int)
        /// The same, and there is never an answer.
        case silentProxy
        /// The same, and the answer is an end of the connection.
        case closingProxy
        /// The handshake of SOCKS 5 to any name (RFC 1928), with this reply; another one than 0 refuses.
        case socks(reply: UInt8)
    }

    private struct State {
        var fault = Fault.none
        /// How many black holes there were.
        var holes = 0
        var requests: [String] = []
        var connections = 0
        var random: SeededGenerator
    }

    /// Where it listens, on 127.0.0.1.
    package let port: Int
    private let state: Mutex<State>
    private let admission: Admission
    private let tls: NIOSSLContext?
    private let target: Int

    private init(port: Int, target: Int, admission: Admission, tls: NIOSSLContext?, seed: UInt64) {
        self.port = port
        self.target = target
        self.admission = admission
        self.tls = tls
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// The heads of all `CONNECT` requests; name and port of those by SOCKS.
    package var requests: [String] { state.withLock(\.requests) }

    /// How many connections there were.
    package var connections: Int { state.withLock(\.connections) }

    /// Sets the fault from now on.
    package func set(_ fault: Fault) {
        state.withLock { state in
            state.fault = fault
            if fault == .blackHole { state.holes += 1 }
        }
    }

    fileprivate var holes: Int { state.withLock(\.holes) }

    /// Runs `body` beside a relay to a port of this computer.
    ///
    /// - Parameters:
    ///   - tls: PEM files: what is said behind the admission is said over TLS, and the server gets it in clear.
    ///   - seed: Of the losses.
    package static func with<Result: Sendable>(
        to target: Int,
        admission: Admission = .open,
        tls: (certificate: String, key: String)? = nil,
        seed: UInt64 = 1,
        _ body: (Relay) async throws -> Result
    ) async throws -> Result {
        let context = try tls.map { files in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(files.certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: files.key, format: .pem))
                )
            )
        }
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let made = Mutex<Relay?>(nil)
        let result: Swift.Result<Result, any Error>
        do {
            let listener = try await ServerBootstrap(group: loops)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.autoRead, value: false)
                .childChannelInitializer { client in
                    guard let relay = made.withLock({ $0 }) else { return client.close() }
                    return relay.admit(client)
                }
                .bind(host: "127.0.0.1", port: 0)
                .get()
            let relay = Relay(
                port: listener.localAddress?.port ?? 0,
                target: target,
                admission: admission,
                tls: context,
                seed: seed
            )
            made.withLock { $0 = relay }
            result = .success(try await body(relay))
        } catch {
            result = .failure(error)
        }
        try await loops.shutdownGracefully()
        return try result.get()
    }

    private func admit(_ client: any Channel) -> EventLoopFuture<Void> {
        state.withLock { $0.connections += 1 }
        guard admission != .open else { return join(client) }
        return client.eventLoop.makeCompletedFuture {
            if case .socks(let reply) = admission {
                try client.pipeline.syncOperations.addHandler(
                    SOCKSRequest(reply: reply) { self.answer($0, to: client) }
                )
            } else {
                try client.pipeline.syncOperations.addHandler(ProxyRequest { self.answer($0, to: client) })
            }
            try client.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    private func answer(_ request: String, to client: any Channel) {
        state.withLock { $0.requests.append(request) }
        // Bytes behind the answer wait until they can be passed on.
        try? client.syncOptions?.setOption(.autoRead, value: false)
        switch admission {
        case .proxy(status: 200):
            client.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"), promise: nil)
            join(client).whenFailure { _ in client.close(promise: nil) }
        case .proxy(let status):
            let answer = "HTTP/1.1 \(status) No\r\nContent-Length: 3\r\n\r\nno\n"
            client.writeAndFlush(ByteBuffer(string: answer), promise: nil)
        case .closingProxy: client.close(promise: nil)
        case .socks(reply: 0): join(client).whenFailure { _ in client.close(promise: nil) }
        case .silentProxy, .socks, .open: break
        }
    }

    /// Connects to the server. From then on, bytes pass.
    private func join(_ client: any Channel) -> EventLoopFuture<Void> {
        ClientBootstrap(group: client.eventLoop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: target)
            .flatMapThrowing { server in
                if let tls = self.tls {
                    try client.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                }
                try client.pipeline.syncOperations.addHandler(Forwarder(to: server, relay: self))
                try server.pipeline.syncOperations.addHandler(Forwarder(to: client, relay: self))
                for side in [client, server] { try side.syncOptions?.setOption(.autoRead, value: true) }
            }
    }

    /// The delay of a piece; nil: infinite.
    ///
    /// - Parameter holes: How many there were when its connection began.
    fileprivate func delay(since holes: Int) -> TimeAmount? {
        state.withLock { state in
            guard state.holes == holes else { return nil }
            switch state.fault {
            case .none: return .zero
            case .latency(let duration): return TimeAmount(duration)
            case .loss(let probability):
                var (delay, wait) = (TimeAmount.zero, TimeAmount.milliseconds(200))
                while Double.random(in: 0..<1, using: &state.random) < probability {
                    delay = delay + wait
                    wait = wait * 2
                }
                return delay
            case .blackHole: return nil
            }
        }
    }
}

/// Reads the head of a request to a proxy, and is gone.
private final class ProxyRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let complete: (String) -> Void
    private var head = ""

    init(_ complete: @escaping (String) -> Void) { self.complete = complete }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head += String(buffer: Self.unwrapInboundIn(data))
        guard head.hasSuffix("\r\n\r\n") else { return }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        complete(head)
    }
}

/// Goes through the handshake of SOCKS 5 without credentials, and is gone.
private final class SOCKSRequest: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let reply: UInt8
    private let complete: (String) -> Void
    private var bytes: [UInt8] = []
    private var isGreeted = false

    init(reply: UInt8, _ complete: @escaping (String) -> Void) {
        self.reply = reply
        self.complete = complete
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += Self.unwrapInboundIn(data).readableBytesView
        if !isGreeted, bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) {
            bytes.removeFirst(2 + Int(bytes[1]))
            isGreeted = true
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: [5, 0])), promise: nil)
        }
        // A name (3), its length, the name, the port.
        guard isGreeted, bytes.count >= 5, bytes[3] == 3, bytes.count >= 7 + Int(bytes[4]) else { return }
        let end = 5 + Int(bytes[4])
        let port = Int(bytes[end]) << 8 | Int(bytes[end + 1])
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: [5, reply, 0, 1, 0, 0, 0, 0, 0, 0])), promise: nil)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        complete("\(String(decoding: bytes[5..<end], as: UTF8.self)):\(port)")
    }
}

/// Hands on what comes, in its order and when it is due, and the end after it.
private final class Forwarder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let partner: any Channel
    private let relay: Relay
    private let holes: Int
    private var lastDue = NIODeadline.distantPast

    init(to partner: any Channel, relay: Relay) {
        self.partner = partner
        self.relay = relay
        holes = relay.holes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        later { $0.writeAndFlush(bytes, promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { later { $0.close(promise: nil) } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func later(_ act: @escaping @Sendable (any Channel) -> Void) {
        guard let delay = relay.delay(since: holes) else { return }
        let now = NIODeadline.now()
        lastDue = max(lastDue, now + delay)
        guard lastDue > now else { return act(partner) }
        partner.eventLoop.scheduleTask(deadline: lastDue) { [partner] in act(partner) }
    }
}
