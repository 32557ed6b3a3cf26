import NIOCore
import NIOPosix
import NIOSSL

extension NIOTransport {
    /// The certificate chain of a server, its own certificate first, without verification: to explain why it is not
    /// trusted. The connection is closed afterwards; no data is sent over it.
    package func certificates(
        of url: String,
        timeout: Duration
    ) async throws(TransportError) -> [ServerCertificate] {
        let endpoint = try Endpoint(url)
        let route = try await route(to: endpoint)
        do {
            return try await network.use { try await certificates(on: route, timeout: timeout) }
        } catch {
            throw TransportError(error, on: route)
        }
    }

    /// Why the extra file of certificate authorities cannot be used; nil: it can, or none is configured.
    package var trustProblem: TransportError? {
        guard trust.extraCAFile != nil else { return nil }
        do throws(TransportError) {
            _ = try trust.configuration()
            return nil
        } catch {
            return error
        }
    }

    /// Whether a host accepts TCP connections. The connection is closed at once.
    package func canConnect(to url: String, timeout: Duration) async -> Bool {
        do {
            let endpoint = try Endpoint(url)
            let route = try await route(to: endpoint)
            try await network.use {
                let connected = route.connect(on: eventLoop, timeout: TimeAmount(timeout)) { channel in
                    channel.eventLoop.makeSucceededVoidFuture()
                }
                try await connected.flatMap { $0.close() }.get()
            }
            return true
        } catch {
            return false
        }
    }

    func certificates(on route: Route, timeout: Duration) async throws(TransportError) -> [ServerCertificate] {
        do {
            let tls = try await trust.context(for: route.endpoint)
            return try await certificates(on: route, tls, TimeAmount(timeout)).get().map(ServerCertificate.init)
        } catch {
            throw TransportError(error, on: route)
        }
    }

    private func certificates(
        on route: Route,
        _ tls: NIOSSLContext,
        _ timeout: TimeAmount
    ) -> EventLoopFuture<[NIOSSLCertificate]> {
        let shown = eventLoop.makePromise(of: [NIOSSLCertificate].self)
        let deadline = eventLoop.scheduleTask(in: timeout) {
            shown.fail(TransportError.timeout(route, "did not show a certificate in time"))
        }
        let connected = route.connect(on: eventLoop, timeout: timeout) { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = try NIOSSLClientHandler(
                    context: tls,
                    serverHostname: route.endpoint.serverName,
                    customVerificationCallback: { certificates, verified in
                        shown.succeed(certificates)
                        verified.succeed(.failed)
                    }
                )
                try channel.pipeline.syncOperations.addHandlers(handler, FailedHandshake(promise: shown))
            }
        }
        connected.whenFailure(shown.fail)
        shown.futureResult.whenComplete { _ in
            deadline.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        return shown.futureResult
    }
}

/// Reports a handshake that fails before the certificates.
private final class FailedHandshake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<[NIOSSLCertificate]>

    init(promise: EventLoopPromise<[NIOSSLCertificate]>) { self.promise = promise }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
}
