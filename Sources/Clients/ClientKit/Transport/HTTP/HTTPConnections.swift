import NIOCore
import NIOSSL

/// The HTTP requests and connections of a transport. For the event loop.
final class HTTPConnections {
    /// Connections with equal keys are interchangeable.
    private struct Key: Hashable {
        var host: String
        var port: Int
        var ways: [ProxyServer?]
        /// The TLS context, which trusts certain authorities; nil: without TLS.
        var tls: ObjectIdentifier?
        /// Whether the host's address was checked.
        var isChecked: Bool
    }

    /// The maximum number of changes of the network that a request may outlive.
    static let retiredLimit = 4

    private let eventLoop: any EventLoop
    private let timeoutScale: NIOLoopBoundBox<TimeoutScale>
    private let freshness: TimeAmount
    private var hosts: [Key: HTTPHost] = [:]
    private var exchanges: [ObjectIdentifier: HTTPExchange] = [:]
    private var generation = 0
    private var isShutDown = false

    init(on eventLoop: any EventLoop, _ timeoutScale: NIOLoopBoundBox<TimeoutScale>, freshness: TimeAmount) {
        (self.eventLoop, self.timeoutScale, self.freshness) = (eventLoop, timeoutScale, freshness)
    }

    /// The open connections.
    var channels: [any Channel] {
        let used = hosts.values + exchanges.values.map(\.host)
        return Dictionary(used.map { (ObjectIdentifier($0), $0) }) { one, _ in one }.values.flatMap(\.open)
    }

    /// Sends a request. To cancel it, fail `response`.
    func send(
        _ request: HTTPRequest,
        on route: Route,
        tls: NIOSSLContext?,
        _ response: EventLoopPromise<HTTPResponse>
    ) {
        guard !isShutDown else { return response.fail(TransportError.shutDown) }
        let timing = HTTPTiming(request, factor: timeoutScale.value.factor, now: .now())
        let exchange = HTTPExchange(request, timing, on: route, tls: tls, over: host(for: route, tls), response)
        exchanges[ObjectIdentifier(exchange)] = exchange
        exchange.host.start(exchange)
        exchange.startTimer()
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        response.futureResult.whenComplete { result in
            let (connections, exchange) = bound.value
            if request.restartsTimeout, case .failure(let error as TransportError) = result, error.kind == .timeout {
                connections.timeoutScale.value.timedOut(at: timing.factor)
            }
            connections.exchanges[ObjectIdentifier(exchange)] = nil
            exchange.host.end(exchange)
        }
    }

    /// The ways of an idle connection to the endpoint, whose address need not be checked; nil: there is none.
    func keptWays(to endpoint: Endpoint) -> [ProxyServer?]? {
        hosts.first { key, host in
            (key.host, key.port, key.isChecked) == (endpoint.host, endpoint.port, false) && host.hasIdle
        }?.key.ways
    }

    private func host(for route: Route, _ tls: NIOSSLContext?) -> HTTPHost {
        let (endpoint, context) = (route.endpoint, tls.map { ObjectIdentifier($0) })
        let key = Key(
            host: endpoint.host,
            port: endpoint.port,
            ways: route.ways,
            tls: context,
            isChecked: route.isChecked
        )
        if let host = hosts[key] { return host }
        hosts = hosts.filter { !$0.value.isUnused }
        let host = HTTPHost(generation: generation, on: eventLoop, timeoutScale, freshness: freshness)
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
        let closed = channels.map(\.closeFuture)
        for exchange in exchanges.values { exchange.response.fail(TransportError.shutDown) }
        for host in hosts.values { host.retire() }
        hosts = [:]
        return .andAllComplete(closed, on: eventLoop)
    }
}
