import Basics
import NIOCore
import NIOHTTP1

/// A port, the listeners and the connections there, on its event loop.
final class RedirectPort {
    struct Full: Error {}

    /// A sign-in that waits here.
    private struct Waiting {
        var addresses: RedirectState
        let redirects: Mailbox<RedirectListener.Redirected>
        /// What the browser is sent to, and how its answer is recognised; nil: not yet.
        var offer: (authorizationURL: String, state: String)?
    }

    private struct Connection {
        let channel: any Channel
        var isSilent = true
    }

    static let maximum = 8
    /// In bytes.
    static let longestHead = 8 << 10
    /// For a request to arrive.
    static let timeout = TimeAmount.seconds(10)

    /// Of one or two families of addresses.
    var servers: [any Channel] = []
    private var waiting: [Int: Waiting] = [:]
    private var lastNumber = 0
    /// The oldest first.
    private var connections: [Connection] = []
    private var isClosed = false

    /// - Parameter shared: This.
    /// - Returns: nil: it is closed.
    func open(_ host: String, _ shared: NIOLoopBoundBox<RedirectPort>) -> RedirectListener? {
        guard !isClosed else { return nil }
        lastNumber += 1
        let addresses = RedirectState(port: servers.first?.localAddress?.port ?? 0, host: host)
        let redirects = Mailbox<RedirectListener.Redirected>(.bufferingOldest(Self.maximum))
        waiting[lastNumber] = Waiting(addresses: addresses, redirects: redirects)
        return RedirectListener(
            redirectURI: addresses.redirectURI,
            startURL: addresses.startURL,
            redirects: redirects.messages,
            port: shared,
            number: lastNumber
        )
    }

    func offer(_ authorizationURL: String, state: String, to number: Int) {
        waiting[number]?.offer = (authorizationURL, state)
    }

    func close(_ number: Int) {
        waiting.removeValue(forKey: number)?.redirects.close()
        if waiting.isEmpty { close() }
    }

    func close() {
        isClosed = true
        for channel in servers + connections.map(\.channel) { channel.close(promise: nil) }
    }

    /// - Parameter shared: This.
    func add(_ channel: any Channel, _ shared: NIOLoopBoundBox<RedirectPort>) throws {
        if connections.count >= Self.maximum {
            // Browsers open connections in advance, and other programs could keep the place of theirs.
            guard let silent = connections.firstIndex(where: \.isSilent) else { throw Full() }
            connections.remove(at: silent).channel.close(promise: nil)
        }
        connections.append(Connection(channel: channel))
        channel.closeFuture.whenComplete { _ in shared.value.connections.removeAll { $0.channel === channel } }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HeadLimit(shared))
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
        try pipeline.addHandler(RedirectHandler(shared))
    }

    func received(from channel: any Channel) {
        if let index = connections.firstIndex(where: { $0.channel === channel }) { connections[index].isSilent = false }
    }

    /// Answers a request, but for one of a redirect URI.
    func answer(_ head: HTTPRequestHead, on channel: any Channel) {
        var status = 404
        for number in waiting.keys.sorted() {
            guard let offer = waiting[number]?.offer else { continue }
            let answer = waiting[number]?.addresses
                .answer(method: head.method.rawValue, target: head.uri, host: head.headers["Host"])
            switch answer {
            case .start: return RedirectHandler.write(.found, ["Location": offer.authorizationURL], on: channel)
            case .redirected(let query):
                guard AuthorizationResponse.parameters(query)?["state"] == offer.state else { continue }
                let redirected = RedirectListener.Redirected(query: query, channel: channel)
                if waiting[number]?.redirects.send(redirected) != true { redirected.decline() }
                return
            case .used: return RedirectHandler.write(.notFound, RedirectPage.used, on: channel)
            case .status(let code): if code != 404 { status = code }
            case nil: break
            }
        }
        RedirectHandler.write(HTTPResponseStatus(statusCode: status), on: channel)
    }
}

/// Closes a connection whose request is too long.
private final class HeadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let port: NIOLoopBoundBox<RedirectPort>
    private var count = 0

    init(_ port: NIOLoopBoundBox<RedirectPort>) { self.port = port }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if count == 0 { port.value.received(from: context.channel) }
        count += unwrapInboundIn(data).readableBytes
        guard count <= RedirectPort.longestHead else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}

/// Passes on the first request of a connection, and closes it after the answer.
final class RedirectHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let port: NIOLoopBoundBox<RedirectPort>
    private var timeout: Scheduled<Void>?
    private var hasRequest = false

    init(_ port: NIOLoopBoundBox<RedirectPort>) { self.port = port }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: RedirectPort.timeout) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { timeout?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), !hasRequest else { return }
        hasRequest = true
        timeout?.cancel()
        port.value.answer(head, on: context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    static func write(_ status: HTTPResponseStatus, _ page: RedirectPage, on channel: any Channel) {
        write(status, HTTPHeaders(RedirectPage.headers), page.html, on: channel)
    }

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
