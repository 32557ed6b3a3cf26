extension NIOTransport {
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let endpoint = try Endpoint(request.url)
        let proxy = try options.proxies.proxy(for: endpoint)
        let route =
            try await restriction?.route(to: endpoint, through: proxy, on: eventLoop)
            ?? Route(endpoint, through: proxy)
        do {
            return try await network.use { try await response(to: request, on: route) }
        } catch {
            if Task.isCancelled { throw .cancelled(host: endpoint.host) }
            throw TransportError(error, on: route)
        }
    }

    package func retireConnections() { network.retireConnections() }

    private func response(to request: HTTPRequest, on route: Route) async throws -> HTTPResponse {
        do {
            let tls = route.endpoint.isSecure ? try await trust.context(for: route.endpoint) : nil
            return try await network.send(request, on: route, tls: tls)
        } catch {
            throw await explained(error, on: route)
        }
    }
}
