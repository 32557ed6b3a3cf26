import NIOCore
import NIOSSL

/// Ends a request that has no response in time.
private struct Deadline: NIOScheduledCallbackHandler {
    let route: Route
    let response: EventLoopPromise<HTTPResponse>

    func handleScheduledCallback(eventLoop: some EventLoop) {
        response.fail(TransportError.timeout(route, "did not answer in time"))
    }
}

/// The HTTP requests and connections of a transport. For the event loop.
final class HTTPConnections {
    /// Connections with equal keys are interchangeable.
    private struct Key: Hashable {
        var host: String
        var port: Int
        var proxy: ProxyServer?
        /// The TLS context, which trusts certain authorities; nil: without TLS.
        var tls: ObjectIdentifier?
        /// Whether the host's address was checked.
        var isChecked: Bool
    }

    /// The maximum number of changes of the network that a request may outlive.
    static let retiredLimit = 4

    private let eventLoop: any EventLoop
    private var hosts: [Key: HTTPHost] = [:]
    private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    private var generation = 0
    private var isShutDown = false

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Sends a request. To cancel it, fail `response`.
    func send(
        _ request: HTTPRequest,
        on route: Route,
        tls: NIOSSLContext?,
        _ response: EventLoopPromise<HTTPResponse>
    ) {
        guard !isShutDown else { return response.fail(TransportError.shutDown) }
        let exchange = HTTPExchange(request, on: route, tls: tls, over: host(for: route, tls), response)
        exchanges[ObjectIdentifier(exchange)] = exchange
        let deadline = Deadline(route: route, response: response)
        let timer = try? eventLoop.scheduleCallback(in: TimeAmount(request.timeout), handler: deadline)
        exchange.host.start(exchange)
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        response.futureResult.whenComplete { _ in
            let (connections, exchange) = bound.value
            timer?.cancel()
            connections.exchanges[ObjectIdentifier(exchange)] = nil
            exchange.host.end(exchange)
        }
    }

    private func host(for route: Route, _ tls: NIOSSLContext?) -> HTTPHost {
        let (endpoint, context) = (route.endpoint, tls.map { ObjectIdentifier($0) })
        let key = Key(
            host: endpoint.host,
            port: endpoint.port,
            proxy: route.proxy,
            tls: context,
            isChecked: route.resolver != nil
        )
        if let host = hosts[key] { return host }
        hosts = hosts.filter { !$0.value.isUnused }
        let host = HTTPHost(generation: generation, on: eventLoop)
        hosts[key] = host
        return host
    }

    /// Closes the idle connections, and uses new ones for later requests. Requests in flight continue, but at most
    /// ``retiredLimit`` times.
    func retire() {
        generation += 1
        for host in hosts.values { host.retire() }
        hosts = [:]
        let generations = Set(exchanges.values.map(\.host.generation)).sorted()
        let ended = Set(generations.dropLast(Self.retiredLimit))
        for exchange in exchanges.values where ended.contains(exchange.host.generation) {
            let sentence = "\(exchange.route.name) did not answer before the network changed."
            exchange.response.fail(TransportError(.unreachable, sentence))
        }
    }

    /// Ends all requests and connections. Completes when they are closed.
    func shutDown() -> EventLoopFuture<Void> {
        isShutDown = true
        let closed = hosts.values.flatMap(\.closed) + exchanges.values.flatMap(\.host.closed)
        for exchange in exchanges.values { exchange.response.fail(TransportError.shutDown) }
        for host in hosts.values { host.retire() }
        hosts = [:]
        return .andAllComplete(closed, on: eventLoop)
    }
}
