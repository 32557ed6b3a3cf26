import NIOCore
import NIOHTTP1
import NIOSSL

/// A request on its way to its response. For the event loop.
final class HTTPExchange {
    enum Phase {
        /// Waits until a connection to its host is free.
        case waiting
        /// A connection is being opened, or it was sent.
        case started
        case ended
    }

    let request: HTTPRequest
    let route: Route
    let tls: NIOSSLContext?
    /// Completing it ends the exchange.
    let response: EventLoopPromise<HTTPResponse>
    let host: HTTPHost
    var phase = Phase.waiting
    /// Whether a connection is being opened for it.
    var isConnecting = false
    /// The channels of that connection; more than one while several addresses are tried.
    var channels: [any Channel] = []
    /// The connections that it was sent over: two while a kept one does not answer.
    var connections: [HTTPConnection] = []
    /// Whether the request was sent before, on a connection that the server had closed.
    var isRepeated = false
    var timing: HTTPTiming
    private var timer: NIOScheduledCallback?

    init(
        _ request: HTTPRequest,
        _ timing: HTTPTiming,
        on route: Route,
        tls: NIOSSLContext?,
        over host: HTTPHost,
        _ response: EventLoopPromise<HTTPResponse>
    ) {
        self.request = request
        self.route = route
        self.tls = tls
        self.host = host
        self.response = response
        self.timing = timing
    }

    /// Whether the request may be sent twice (RFC 9110 §9.2.2).
    var isSafe: Bool { request.method == "GET" }

    /// The request line and the header fields.
    var head: HTTPRequestHead {
        var fields = [("Host", route.endpoint.authority), ("Accept-Encoding", "gzip")]
        fields += request.headers.map { ($0.name, $0.value) }
        if let body = request.body {
            fields.append(("Content-Length", "\(body.count)"))
        } else if request.method != "GET", request.method != "HEAD" {
            fields.append(("Content-Length", "0"))
        }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.method),
            uri: route.endpoint.target,
            headers: HTTPHeaders(fields)
        )
    }

    /// The last use: its response or its error is there.
    func end() {
        phase = .ended
        timer?.cancel()
        for channel in channels { channel.close(promise: nil) }
        for connection in connections { connection.close() }
        (channels, connections) = ([], [])
    }

    /// The error for a response body over the limit of the request.
    var tooLarge: TransportError {
        TransportError(
            .tooLarge,
            "The answer of \(route.endpoint.host) is longer than \(request.maximumBodySize) bytes."
        )
    }
}

extension HTTPExchange: NIOScheduledCallbackHandler {
    func startTimer() {
        guard phase != .ended else { return }
        // A connection that is being opened has a timeout of its own, which grows on a slow link.
        let now = NIODeadline.now()
        let isOpening = request.restartsTimeout && isConnecting && connections.isEmpty
        guard let next = isOpening ? now + TimeAmount(request.timeout) : timing.nextCheck(now: now) else {
            return fail()
        }
        timer = try? response.futureResult.eventLoop.assumeIsolated().scheduleCallback(at: next, handler: self)
    }

    func handleScheduledCallback(eventLoop: some EventLoop) { startTimer() }

    private func fail() {
        var error = TransportError.timeout(route, "did not answer in time")
        error.isTooSlow = timing.isTooSlow
        response.fail(error)
    }
}
