import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension NIOTransport {
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let endpoint = try Endpoint(request.url)
        let outcome = await withTaskGroup { [client] group in
            defer { group.cancelAll() }
            group.addTask {
                await Self.outcome(of: request, at: endpoint, over: client)
            }
            group.addTask {
                do {
                    try await Task.sleep(for: request.timeout)
                    return .failure(.timeout(host: endpoint.host, "did not answer in time"))
                } catch {
                    return .failure(.cancelled(host: endpoint.host))
                }
            }
            return await group.next() ?? .failure(.cancelled(host: endpoint.host))
        }
        if Task.isCancelled { throw .cancelled(host: endpoint.host) }
        return try outcome.get()
    }

    private static func outcome(
        of request: HTTPRequest,
        at endpoint: Endpoint,
        over client: HTTPClient
    ) async -> Result<HTTPResponse, TransportError> {
        do {
            do {
                return .success(try await response(to: request, at: endpoint, over: client))
            } catch let error as HTTPClientError where error == .remoteConnectionClosed && request.method == "GET" {
                // Most likely a kept connection that the server closed at this moment; reading twice harms nobody.
                return .success(try await response(to: request, at: endpoint, over: client))
            }
        } catch {
            return .failure(TransportError(error, host: endpoint.host))
        }
    }

    private static func response(
        to request: HTTPRequest,
        at endpoint: Endpoint,
        over client: HTTPClient
    ) async throws -> HTTPResponse {
        // The deadline that counts is the caller's, which covers the body too.
        let response = try await client.execute(HTTPClientRequest(request), timeout: .hours(24))
        let tooLarge = TransportError(
            .tooLarge,
            "The answer of \(endpoint.host) is longer than \(request.maximumBodySize) bytes."
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
