import NIOCore
import NIOHTTP1

/// A connection that sends one request after the other (HTTP/1.1, RFC 9112). The last handler of its channel; for the
/// event loop.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private enum Phase {
        /// `isUsed`: it has had a request.
        case idle(isUsed: Bool)
        /// A request was sent. `isReused`: the connection has had others before.
        case sent(HTTPExchange, isReused: Bool)
        /// The response is arriving. `isKept`: the server keeps the connection open.
        case receiving(HTTPExchange, HTTPResponse, isKept: Bool)
        case closed
    }

    enum Event {
        /// The response begins, this time after the request.
        case answered(after: TimeAmount)
        /// `isKept`: the connection is idle again.
        case response(HTTPResponse, isKept: Bool)
        /// `isUnsent`: a kept connection was closed by the server before the response, most likely before it had the
        /// request.
        case failure(any Error, isUnsent: Bool)
    }

    /// When it became idle.
    var idleSince = NIODeadline.now()
    /// Whether a timer will close it if it is idle.
    var isWatched = false
    private let report: (HTTPConnection, HTTPExchange, Event) -> Void
    private var phase = Phase.idle(isUsed: false)
    private var sent = NIODeadline.now()
    private var context: ChannelHandlerContext?

    /// - Parameter report: Called when a response begins, and once at the end of each request, unless ``close()`` is
    ///   called meanwhile.
    init(_ report: @escaping (HTTPConnection, HTTPExchange, Event) -> Void) { self.report = report }

    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Whether a request was sent whose response has not begun.
    var isUnanswered: Bool { if case .sent = phase { true } else { false } }

    /// Sends a request. Call it while the connection is idle.
    func send(_ exchange: HTTPExchange) {
        guard let context, case .idle(let isUsed) = phase else {
            return report(self, exchange, .failure(ChannelError.eof, isUnsent: true))
        }
        phase = .sent(exchange, isReused: isUsed)
        sent = .now()
        context.write(Self.wrapOutboundOut(.head(exchange.head)), promise: nil)
        // A head that cannot be sent has ended the connection.
        guard case .sent = phase else { return }
        if let body = exchange.request.body, !body.isEmpty {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Closes the connection; resets it if the response is not complete: the request must not be delivered after later
    /// ones. The end of that request is not reported.
    func close() {
        let isComplete =
            switch phase {
            case .sent, .receiving: false
            case .idle, .closed: true
            }
        phase = .closed
        if isComplete { context?.close(promise: nil) } else { context?.pipeline.syncOperations.reset() }
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head): beginResponse(head)
        case .body(let part): append(part)
        case .end: finishResponse()
        }
    }

    private func beginResponse(_ head: HTTPResponseHead) {
        guard case .sent(let exchange, _) = phase else { return close() }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= exchange.request.maximumBodySize || exchange.request.method == "HEAD" else {
            return fail(exchange, exchange.tooLarge)
        }
        let fields = head.headers.map { HTTPField($0.name, $0.value) }
        let response = HTTPResponse(status: Int(head.status.code), headers: fields)
        phase = .receiving(exchange, response, isKept: head.isKeepAlive)
        let now = NIODeadline.now()
        exchange.timing.began(announced: length > 0 ? length : nil, now: now)
        report(self, exchange, .answered(after: now - sent))
    }

    private func append(_ part: ByteBuffer) {
        guard case .receiving(let exchange, var response, let isKept) = phase else { return }
        // So that the body has one owner, and is not copied.
        phase = .closed
        guard response.body.count + part.readableBytes <= exchange.request.maximumBodySize else {
            return fail(exchange, exchange.tooLarge)
        }
        response.body.append(contentsOf: part.readableBytesView)
        exchange.timing.received(part.readableBytes, now: .now())
        phase = .receiving(exchange, response, isKept: isKept)
    }

    private func finishResponse() {
        guard case .receiving(let exchange, let response, let isKept) = phase else { return }
        phase = .idle(isUsed: true)
        if !isKept { close() }
        report(self, exchange, .response(response, isKept: isKept))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(error) }

    func channelInactive(context: ChannelHandlerContext) { end(ChannelError.eof) }

    private func end(_ error: any Error) {
        switch phase {
        case .sent(let exchange, let isReused):
            fail(exchange, error, isUnsent: isReused && (error is IOError || (error as? ChannelError) == .eof))
        case .receiving(let exchange, _, _): fail(exchange, error)
        case .idle: close()
        case .closed: break
        }
    }

    private func fail(_ exchange: HTTPExchange, _ error: any Error, isUnsent: Bool = false) {
        close()
        report(self, exchange, .failure(error, isUnsent: isUnsent))
    }
}
