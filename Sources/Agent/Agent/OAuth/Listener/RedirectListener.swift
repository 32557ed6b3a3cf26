package import Basics
package import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on this computer for the browser's request of the redirect URI (RFC 8252 §7.3), until ``close()``.
package struct RedirectListener: Sendable {
    /// A request of the redirect URI.
    package struct Redirected: Sendable {
        package let query: String
        fileprivate let channel: any Channel

        /// Answers that the request means nothing here.
        package func decline() { RedirectHandler.write(.notFound, on: channel) }

        /// Answers with a page, and returns when the browser has it or is gone.
        package func answer(_ page: RedirectPage) async {
            RedirectHandler.write(.ok, HTTPHeaders(RedirectPage.headers), page.html, on: channel)
            try? await channel.closeFuture.get()
        }
    }

    package let redirectURI: String
    /// See ``RedirectState/startURL``.
    package let startURL: String
    /// The requests of the redirect URI, also those that other programs send.
    package let redirects: Mailbox<Redirected>.Messages
    private let channel: any Channel
    private let connections: NIOLoopBoundBox<RedirectConnections>

    /// Binds 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: 0: any that is free.
    ///   - host: The name of this computer in the redirect URI.
    package static func open(
        port: Int,
        host: String = "127.0.0.1",
        on eventLoop: any EventLoop
    ) async throws(OAuthError) -> RedirectListener {
        do {
            let redirects = Mailbox<Redirected>(.bufferingOldest(RedirectConnections.maximum))
            let connections = try await eventLoop.submit {
                NIOLoopBoundBox(RedirectConnections(redirects), eventLoop: eventLoop)
            }.get()
            let channel = try await ServerBootstrap(group: eventLoop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { child in
                    child.eventLoop.makeCompletedFuture { try connections.value.add(child, connections) }
                }
                .bind(host: "127.0.0.1", port: port).get()
            let state = RedirectState(port: channel.localAddress?.port ?? 0, host: host)
            try await eventLoop.submit { connections.value.state = state }.get()
            return RedirectListener(
                redirectURI: state.redirectURI,
                startURL: state.startURL,
                redirects: redirects.messages,
                channel: channel,
                connections: connections
            )
        } catch {
            let problem =
                (error as? IOError)?.errnoCode == EADDRINUSE
                ? "Another program uses port \(port) of this computer, which the sign-in needs."
                : "This computer cannot wait for the browser's answer: \(error)"
            throw OAuthError(port == 0 ? .transient : .misconfigured, problem)
        }
    }

    /// From now on the start address leads to this one.
    package func offer(_ authorizationURL: String) async {
        try? await channel.eventLoop.submit { connections.value.authorizationURL = authorizationURL }.get()
    }

    /// Ends all connections.
    package func close() async {
        try? await channel.eventLoop.submit { connections.value.closeAll() }.get()
        try? await channel.close()
    }
}

/// What the connections of a listener share, on its event loop.
private final class RedirectConnections {
    struct Full: Error {}

    static let maximum = 8
    /// In bytes.
    static let longestHead = 8 << 10
    /// For a request to arrive.
    static let timeout = TimeAmount.seconds(10)

    /// nil: not yet bound.
    var state: RedirectState?
    var authorizationURL: String?
    private let redirects: Mailbox<RedirectListener.Redirected>
    private var channels: [ObjectIdentifier: any Channel] = [:]

    init(_ redirects: Mailbox<RedirectListener.Redirected>) { self.redirects = redirects }

    /// - Parameter shared: This.
    func add(_ channel: any Channel, _ shared: NIOLoopBoundBox<RedirectConnections>) throws {
        guard channels.count < Self.maximum else { throw RedirectConnections.Full() }
        let id = ObjectIdentifier(channel)
        channels[id] = channel
        channel.closeFuture.whenComplete { _ in shared.value.channels[id] = nil }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HeadLimit())
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
        try pipeline.addHandler(RedirectHandler(shared))
    }

    func closeAll() {
        redirects.close()
        for channel in channels.values { channel.close(promise: nil) }
    }

    /// Answers a request, but for one of the redirect URI.
    func receive(_ head: HTTPRequestHead, on channel: any Channel) {
        let answer = state?.receive(method: head.method.rawValue, target: head.uri, host: head.headers["Host"])
        switch answer {
        case .redirected(let query):
            let redirected = RedirectListener.Redirected(query: query, channel: channel)
            if !redirects.send(redirected) { redirected.decline() }
        case .start:
            guard let authorizationURL else { return RedirectHandler.write(.notFound, on: channel) }
            RedirectHandler.write(.found, ["Location": authorizationURL], on: channel)
        case .status(let code): RedirectHandler.write(HTTPResponseStatus(statusCode: code), on: channel)
        case nil: RedirectHandler.write(.notFound, on: channel)
        }
    }
}

/// Closes a connection whose request is too long.
private final class HeadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += unwrapInboundIn(data).readableBytes
        guard count <= RedirectConnections.longestHead else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}

/// Passes on the first request of a connection, and closes it after the answer.
private final class RedirectHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let connections: NIOLoopBoundBox<RedirectConnections>
    private var timeout: Scheduled<Void>?
    private var hasRequest = false

    init(_ connections: NIOLoopBoundBox<RedirectConnections>) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: RedirectConnections.timeout) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !hasRequest else { return }
        hasRequest = true
        timeout?.cancel()
        connections.value.receive(head, on: context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    static func write(
        _ status: HTTPResponseStatus,
        _ headers: HTTPHeaders = [:],
        _ body: String = "",
        on channel: any Channel
    ) {
        var headers = headers
        headers.add(name: "Content-Length", value: "\(body.utf8.count)")
        headers.add(name: "Connection", value: "close")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }
}
