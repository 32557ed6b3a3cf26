import NIOCore
import NIOHTTP1
import NIOSSL

/// A request on its way to its response. For the event loop.
final class HTTPExchange {
    enum Phase {
        /// Waits until a connection to its host is free.
        case waiting
        /// A connection is being opened; more than one channel while several addresses are tried.
        case connecting([any Channel])
        case sent(HTTPConnection)
        case ended
    }

    let request: HTTPRequest
    let route: Route
    let tls: NIOSSLContext?
    /// Completing it ends the exchange.
    let response: EventLoopPromise<HTTPResponse>
    let host: HTTPHost
    var phase = Phase.waiting
    /// Whether it was sent before, on a connection that the server had closed.
    var isRepeated = false

    init(
        _ request: HTTPRequest,
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
    }

    /// The request line and the header fields.
    var head: HTTPRequestHead {
        var fields: [(String, String)] = [("Host", route.endpoint.authority)]
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

    /// The error for a response body over the limit of the request.
    var tooLarge: TransportError {
        TransportError(
            .tooLarge,
            "The answer of \(route.endpoint.host) is longer than \(request.maximumBodySize) bytes."
        )
    }
}
