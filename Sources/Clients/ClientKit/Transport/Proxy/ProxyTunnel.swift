import NIOCore

/// Opens a tunnel through an HTTP proxy (CONNECT, RFC 9110 §9.3.6), and removes itself from the pipeline afterwards.
///
/// The handler of NIOExtras does not report the status of a refusal.
final class ProxyTunnel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The maximum size of the response head, in bytes.
    private static let limit = 16 << 10

    /// Completes when the tunnel is open; later bytes are the host's.
    let established: EventLoopPromise<Void>
    private let endpoint: Endpoint
    private let proxy: ProxyServer
    private let credentials: String?
    private var answer: [UInt8] = []

    /// Add it to the pipeline of a connection to the proxy.
    init(to endpoint: Endpoint, through proxy: ProxyServer, credentials: String?, established: EventLoopPromise<Void>) {
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

    /// The status of the status line, `HTTP/1.1 200 OK`; nil: invalid.
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
    /// A refusal by the proxy.
    static func refusal(by proxy: ProxyServer, of host: String, status: Int?) -> TransportError {
        let sentence =
            switch status {
            case 407?:
                "The proxy \(proxy) rejected the credentials (HTTP status 407). Correct \(proxy.source)."
            case let status?: "The proxy \(proxy) refused the connection to \(host) with HTTP status \(status)."
            case nil: "The proxy \(proxy) did not open a connection to \(host)."
            }
        return TransportError(.proxy(status: status), sentence)
    }
}
