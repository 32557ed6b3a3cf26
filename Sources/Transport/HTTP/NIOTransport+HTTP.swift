import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix

extension NIOTransport {
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let endpoint = try Endpoint(request.url)
        let route = Route(endpoint, through: try options.proxies.proxy(for: endpoint))
        do {
            return try await network.use { try await outcome(of: request, on: route).get() }
        } catch {
            if Task.isCancelled { throw .cancelled(host: endpoint.host) }
            throw TransportError(error, on: route)
        }
    }

    package func retireConnections() { network.retireClients() }

    /// Applies the request's timeout.
    private func outcome(of request: HTTPRequest, on route: Route) async -> Result<HTTPResponse, TransportError> {
        await withTaskGroup { [self] group in
            defer { group.cancelAll() }
            group.addTask { await self.answer(to: request, on: route) }
            group.addTask { [eventLoop] in
                await eventLoop.wait(for: request.timeout)
                return .failure(.timeout(route, "did not answer in time"))
            }
            return await group.next() ?? .failure(.cancelled(host: route.endpoint.host))
        }
    }

    private func answer(to request: HTTPRequest, on route: Route) async -> Result<HTTPResponse, TransportError> {
        do {
            return try await network.withClient(on: route) { client in
                var execution = HTTPClientRequest(request)
                if route.endpoint.isSecure, trust.extraCAFile != nil {
                    execution.tlsConfiguration = try trust.configuration()
                }
                do {
                    return .success(try await response(to: execution, request, on: route, over: client))
                } catch let error as HTTPClientError where error == .remoteConnectionClosed && request.method == "GET" {
                    // Most likely a kept connection that the server closed at this moment; a GET is safe to repeat.
                    return .success(try await response(to: execution, request, on: route, over: client))
                }
            }
        } catch let error as HTTPClientError where error == .cancelled && !Task.isCancelled {
            // The client was closed: at shutdown, or because too many requests wait on connections that may be dead.
            if network.isShutDown { return .failure(.shutDown) }
            return .failure(TransportError(.unreachable, "\(route.name) did not answer before the network changed."))
        } catch {
            return .failure(await explained(error, on: route))
        }
    }

    private func response(
        to execution: HTTPClientRequest,
        _ request: HTTPRequest,
        on route: Route,
        over client: HTTPClient
    ) async throws -> HTTPResponse {
        // The caller's deadline applies, which covers the body, too.
        let response = try await client.execute(execution, timeout: .hours(24))
        let tooLarge = TransportError(
            .tooLarge,
            "The answer of \(route.endpoint.host) is longer than \(request.maximumBodySize) bytes."
        )
        if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }),
            length > request.maximumBodySize, request.method != "HEAD"
        {
            throw tooLarge
        }
        var body: [UInt8] = []
        for try await part in response.body {
            guard body.count + part.readableBytes <= request.maximumBodySize else { throw tooLarge }
            body.append(contentsOf: part.readableBytesView)
        }
        let headers = response.headers.map { HTTPField($0.name, $0.value) }
        return HTTPResponse(status: Int(response.status.code), headers: headers, body: body)
    }
}

extension HTTPClientRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url)
        method = HTTPMethod(rawValue: request.method)
        for field in request.headers { headers.add(name: field.name, value: field.value) }
        if let body = request.body { self.body = .bytes(ByteBuffer(bytes: body)) }
    }
}

extension EventLoop {
    /// Waits for a time or for cancellation. The concurrency runtime keeps a cancelled sleep until its deadline, so
    /// that thousands of answered requests would accumulate; an event loop releases it at once.
    fileprivate func wait(for time: Duration) async {
        let timer = scheduleTask(in: TimeAmount(time)) {}
        await withTaskCancellationHandler {
            try? await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }
}
