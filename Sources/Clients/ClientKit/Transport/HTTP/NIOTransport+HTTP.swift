extension NIOTransport {
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let endpoint = try Endpoint(request.url)
        var route = try await route(to: endpoint, mayBeKept: restriction == nil)
        if let restriction { route = try await restriction.checked(route, on: eventLoop) }
        do {
            return try await network.use { try await response(to: request, on: route) }
        } catch {
            if Task.isCancelled { throw .cancelled(host: endpoint.host) }
            throw TransportError(error, on: route)
        }
    }

    package func retireConnections() { network.retireConnections() }

    /// Resets the WebSockets, and the other connections that cannot work any longer: the network is another one.
    package func resetConnections() async {
        _ = await network.resetDeadConnections(withWebSockets: true)
    }

    /// Resets the connections that cannot work any longer, because their address or the route to their peer is another
    /// one.
    ///
    /// - Parameter probes: Whether the others are asked for a sign of life, for at least 3 seconds.
    /// - Returns: Whether a connection was reset.
    package func checkConnections(probes: Bool) async -> Bool {
        if await network.resetDeadConnections(withWebSockets: false) { return true }
        return probes ? await network.probe() : false
    }

    private func response(to request: HTTPRequest, on route: Route) async throws -> HTTPResponse {
        do {
            let tls = route.endpoint.isSecure ? try await trust.context(for: route.endpoint) : nil
            return try await network.send(request, on: route, tls: tls)
        } catch {
            throw await explained(error, on: route)
        }
    }
}
