import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// An attempt to open a WebSocket: name, TCP, TLS, upgrade, under one deadline.
struct WebSocketOpening: Sendable {
    private struct State {
        /// More than one while several addresses of a host are tried.
        var channels: [any Channel] = []
        var negotiations: [ObjectIdentifier: EventLoopFuture<NIOWebSocketConnection>] = [:]
        var isOver = false
    }

    private static let longestTimeout = TimeAmount.seconds(40)

    private let route: Route
    private let tls: NIOSSLContext?
    private let maximumMessageSize: Int
    private let eventLoop: any EventLoop
    private let opened: EventLoopPromise<NIOWebSocketConnection>
    private let state: NIOLoopBoundBox<State>

    /// Call ``open(timeout:)`` next.
    init(route: Route, tls: NIOSSLContext?, maximumMessageSize: Int, eventLoop: any EventLoop) {
        self.route = route
        self.tls = tls
        self.maximumMessageSize = maximumMessageSize
        self.eventLoop = eventLoop
        opened = eventLoop.makePromise()
        state = .makeBoxSendingValue(State(), eventLoop: eventLoop)
    }

    /// - Parameter defaultTimeout: Longer after attempts that timed out, at most ``longestTimeout``.
    func open(timeout defaultTimeout: TimeAmount, _ network: Network) -> EventLoopFuture<NIOWebSocketConnection> {
        eventLoop.execute {
            guard !state.value.isOver else { return }
            let (started, factor) = (NIODeadline.now(), network.timeoutScale.value.factor)
            let timeout = max(defaultTimeout, min(defaultTimeout * factor, Self.longestTimeout))
            opened.futureResult.whenComplete { result in
                switch result {
                case .success(let connection):
                    let time = NIODeadline.now() - started
                    network.timeoutScale.value.succeeded(in: time, default: defaultTimeout)
                    network.register(connection, openedIn: time)
                case .failure(let error):
                    if (error as? TransportError)?.kind == .timeout { network.timeoutScale.value.timedOut(at: factor) }
                }
            }
            let deadline = eventLoop.scheduleTask(in: timeout) {
                giveUp(with: .timeout(route, "did not open the connection in time"))
            }
            opened.futureResult.whenComplete { _ in deadline.cancel() }
            route.connect(on: eventLoop, timeout: timeout, notice: notice, prepare: prepare)
                .flatMap { channel in
                    state.value.negotiations[ObjectIdentifier(channel)]
                        ?? channel.eventLoop.makeFailedFuture(ChannelError.inappropriateOperationForState)
                }
                .whenComplete(settle)
        }
        return opened.futureResult
    }

    /// No effect once the connection is open.
    func giveUp(with error: TransportError) {
        eventLoop.execute {
            guard !state.value.isOver else { return }
            settle(.failure(error))
        }
    }

    private func settle(_ result: Result<NIOWebSocketConnection, any Error>) {
        guard !state.value.isOver else { return }
        let channels = state.value.channels
        state.value = State(isOver: true)
        switch result {
        case .success(let connection):
            opened.succeed(connection)
        case .failure(let error):
            for channel in channels { channel.close(promise: nil) }
            opened.fail(TransportError(error, on: route))
        }
    }

    // MARK: The pipeline

    @Sendable private func notice(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard !state.value.isOver else { throw TransportError.cancelled(host: route.endpoint.host) }
            state.value.channels.append(channel)
        }
    }

    @Sendable private func prepare(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(route.tlsHandler(tls)) }
            var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
            configuration.leftOverBytesStrategy = .forwardBytes  // The first frames may arrive with the response.
            state.value.negotiations[ObjectIdentifier(channel)] =
                try pipeline.configureUpgradableHTTPClientPipeline(configuration: configuration)
                .flatMap { $0 }
        }
    }

    /// A future, because the response that refuses an upgrade is forwarded only after its handler is added.
    private typealias Negotiated = EventLoopFuture<NIOWebSocketConnection>

    private var upgrade: NIOTypedHTTPClientUpgradeConfiguration<Negotiated> {
        let endpoint = route.endpoint
        let host = endpoint.host
        let upgrader = NIOTypedWebSocketClientUpgrader<Negotiated>(
            maxFrameSize: maximumMessageSize,
            enableAutomaticErrorHandling: false,  // WebSocketMessageHandler sends masked frames.
            upgradePipelineHandler: { [maximumMessageSize] channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let handler = WebSocketMessageHandler(host: host)
                    let aggregator = NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0,
                        maxAccumulatedFrameCount: 1 << 16,
                        maxAccumulatedFrameSize: maximumMessageSize
                    )
                    try channel.pipeline.syncOperations.addHandlers(aggregator, handler)
                    let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
                    let connection = NIOWebSocketConnection(host: host, channel: channel, handler: bound)
                    return channel.eventLoop.makeSucceededFuture(connection)
                }
            }
        )
        let headers: HTTPHeaders = ["Host": endpoint.authority, "Content-Length": "0"]
        return NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: HTTPRequestHead(
                version: .http1_1,
                method: .GET,
                uri: endpoint.target,
                headers: headers
            ),
            upgraders: [upgrader],
            notUpgradingCompletionHandler: { channel in
                channel.eventLoop.makeCompletedFuture {
                    let refusal = RefusedUpgrade(host: host, promise: channel.eventLoop.makePromise())
                    try channel.pipeline.syncOperations.addHandler(refusal)
                    return refusal.promise.futureResult
                }
            }
        )
    }
}

/// Waits for the HTTP response in place of an upgrade.
private final class RefusedUpgrade: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    let promise: EventLoopPromise<NIOWebSocketConnection>
    private let host: String

    init(host: String, promise: EventLoopPromise<NIOWebSocketConnection>) {
        self.host = host
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = Self.unwrapInboundIn(data) else { return }
        let status = Int(head.status.code)
        let isSignInPage = SignInPage.isLikely(status: status, contentType: head.headers.first(name: "Content-Type"))
        promise.fail(
            TransportError(
                .refused(status: status),
                "\(host) answered with HTTP status \(status) instead of opening a WebSocket"
                    + (isSignInPage ? ": \(SignInPage.hint)." : "."),
                cause: isSignInPage ? .signInPage : nil,
                retryAfter: head.headers.first(name: "Retry-After").flatMap {
                    RetryAfter.parse($0, date: head.headers.first(name: "Date"))
                }
            )
        )
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        promise.fail(ChannelError.eof)
    }
}
