import NIOCore

/// Asks an HTTP proxy for a way to a host, and is gone when there is one (CONNECT, RFC 9110 §9.3.6).
///
/// The library's own handlers, NIOExtras' and AsyncHTTPClient's, do not tell the status of a refusal.
final class ProxyTunnel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// No proxy says more in the head of its answer.
    private static let limit = 16 << 10

    /// Completes when the way is open; what comes next is the host.
    let established: EventLoopPromise<Void>
    private let endpoint: Endpoint
    private let proxy: Proxy
    private let credentials: String?
    private var answer: [UInt8] = []

    /// To be added to a connection to the proxy.
    init(to endpoint: Endpoint, through proxy: Proxy, credentials: String?, established: EventLoopPromise<Void>) {
        self.endpoint = endpoint
        self.proxy = proxy
        self.credentials = credentials
        self.established = established
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        var request = "CONNECT \(host):\(endpoint.port) HTTP/1.1\r\nHost: \(host):\(endpoint.port)\r\n"
        if let credentials {
            request += "Proxy-Authorization: Basic \(credentials)\r\n"
        }
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: request + "\r\n")), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer += Self.unwrapInboundIn(data).readableBytesView
        guard answer.firstRange(of: Array("\r\n\r\n".utf8)) != nil else {
            if answer.count > Self.limit {
                fail(context, TransportError.refusal(by: proxy, of: endpoint.host, status: nil))
            }
            return
        }
        guard let status, (200..<300).contains(status) else {
            return fail(context, TransportError.refusal(by: proxy, of: endpoint.host, status: status))
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        established.succeed()
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, TransportError.refusal(by: proxy, of: endpoint.host, status: nil))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(context, error) }

    /// Of the status line, `HTTP/1.1 200 OK`; nil: this is none.
    private var status: Int? {
        let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else { return nil }
        return Int(words[1])
    }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        established.fail(error)
        context.close(promise: nil)
    }
}

extension TransportError {
    /// A proxy that does not let us through.
    static func refusal(by proxy: Proxy, of host: String, status: Int?) -> TransportError {
        let sentence =
            switch status {
            case 407?:
                "The proxy \(proxy) wants other credentials than it got (HTTP status 407). Correct \(proxy.variable)."
            case let status?: "The proxy \(proxy) refused the connection to \(host) with HTTP status \(status)."
            case nil: "The proxy \(proxy) did not open a connection to \(host)."
            }
        return TransportError(.proxy(status: status), sentence)
    }
}
