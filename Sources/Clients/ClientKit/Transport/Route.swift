import NIOCore
import NIOPosix
import NIOSOCKS

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The route to a host: direct, or through a proxy.
struct Route: Sendable {
    let endpoint: Endpoint
    /// The proxies of the ways to try in order, at least one; nil: the direct way.
    let ways: [ProxyServer?]
    /// Resolves names; nil: the system's resolver.
    let resolver: (any Resolver & Sendable)?
    /// Whether only checked addresses are connected to.
    let isChecked: Bool

    init(
        _ endpoint: Endpoint,
        through ways: [ProxyServer?],
        resolver: (any Resolver & Sendable)? = nil,
        isChecked: Bool = false
    ) {
        (self.endpoint, self.ways, self.resolver, self.isChecked) = (endpoint, ways, resolver, isChecked)
    }

    /// The proxy of the first way; nil: it is direct.
    var proxy: ProxyServer? { ways[0] }

    /// The other side's name in messages.
    var name: String {
        guard ways.count == 1, let proxy else { return endpoint.host }
        return "\(endpoint.host) (through the proxy \(proxy.name))"
    }

    /// Connects. Several addresses of a name are tried as in RFC 8305. If no way works, the error is that of the first,
    /// or of a proxy that refuses.
    ///
    /// Every channel has a ``ResetHandler``.
    ///
    /// - Parameters:
    ///   - timeout: For TCP, and the same again for the proxy; the ways share it.
    ///   - unconfirmed: How long the system waits for the confirmation of what was sent, also after the end of this
    ///     process; then it discards the connection. nil: for minutes.
    ///   - notice: Called for every new channel; close them all to cancel the attempt.
    ///   - prepare: Adds the handlers for the host.
    func connect(
        on eventLoop: any EventLoop,
        timeout: TimeAmount,
        unconfirmed: TimeAmount? = nil,
        notice: @escaping @Sendable (any Channel) -> EventLoopFuture<Void> = { $0.eventLoop.makeSucceededVoidFuture() },
        prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        let share = TimeAmount.nanoseconds(timeout.nanoseconds / Int64(ways.count))
        let first = connect(through: proxy, on: eventLoop, share, unconfirmed, notice, prepare)
        return ways.dropFirst().reduce(first) { attempt, next in
            attempt.flatMapError { error in
                if Self.isRefusal(error) { return eventLoop.makeFailedFuture(error) }
                return connect(through: next, on: eventLoop, share, unconfirmed, notice, prepare)
                    .flatMapErrorThrowing { throw Self.isRefusal($0) ? $0 : error }
            }
        }
    }

    /// Whether a proxy has refused the connection with a status, which ends the attempt.
    private static func isRefusal(_ error: any Error) -> Bool {
        if case .proxy(status: .some)? = (error as? TransportError)?.kind { true } else { false }
    }

    private func connect(
        through proxy: ProxyServer?,
        on eventLoop: any EventLoop,
        _ timeout: TimeAmount,
        _ unconfirmed: TimeAmount?,
        _ notice: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .resolver(resolver)
            .connectTimeout(timeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        if let unconfirmed {
            let milliseconds = unconfirmed.nanoseconds / 1_000_000
            bootstrap = bootstrap.channelOption(.tcpOption(.userTimeout), value: .init(milliseconds))
        }
        let initialize = { @Sendable (channel: any Channel) in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(ResetHandler()) }
                .flatMap { notice(channel) }
        }
        guard let proxy else {
            return
                bootstrap
                .channelInitializer { channel in initialize(channel).flatMap { prepare(channel) } }
                .connect(host: endpoint.host, port: endpoint.port)
        }
        return bootstrap.channelInitializer(initialize)
            .connect(host: proxy.host, port: proxy.port)
            .flatMap { channel in
                open(channel, through: proxy, timeout).flatMap { prepare(channel) }.map { channel }
            }
    }

    private func open(_ channel: any Channel, through proxy: ProxyServer, _ timeout: TimeAmount) -> EventLoopFuture<
        Void
    > {
        let established = channel.eventLoop.makePromise(of: Void.self)
        let deadline = channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        established.futureResult.whenComplete { _ in deadline.cancel() }
        do {
            let pipeline = channel.pipeline.syncOperations
            switch proxy.kind {
            case .http(let credentials):
                let tunnel = ProxyTunnel(
                    to: endpoint,
                    through: proxy,
                    credentials: credentials,
                    established: established
                )
                try pipeline.addHandler(tunnel)
            case .socks:
                let address = (try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port))
                    .map(SOCKSAddress.address)
                let target = address ?? .domain(endpoint.host, port: endpoint.port)
                try pipeline.addHandler(SOCKSEstablishment(established))
                try pipeline.addHandler(SOCKSClientHandler(targetAddress: target), position: .first)
            }
        } catch {
            established.fail(error)
        }
        return established.futureResult
    }
}

extension NIOBSDSocket.Option {
    /// TCP_USER_TIMEOUT, in milliseconds (tcp(7); RFC 793 §3.8).
    static let userTimeout = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)
}

/// Completes when a SOCKS proxy has opened the connection, and removes itself from the pipeline.
private final class SOCKSEstablishment: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let established: EventLoopPromise<Void>

    init(_ established: EventLoopPromise<Void>) { self.established = established }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is SOCKSProxyEstablishedEvent else { return context.fireUserInboundEventTriggered(event) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        established.succeed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        established.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { established.fail(ChannelError.eof) }
}
