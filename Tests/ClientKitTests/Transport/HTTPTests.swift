import Logging
import Synchronization
import Testing

@testable import ClientKit

@Suite(.timeLimit(.minutes(5))) struct HTTPTests {
    private func answer(
        to request: (Int) -> HTTPRequest = { HTTPRequest(url: "http://127.0.0.1:\($0)/") },
        _ script: @escaping @Sendable (inout Peer) async throws -> Void
    ) async throws -> HTTPResponse {
        try await withServer(script) { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                try await transport.send(request(port))
            }
        }
    }

    private func answer(_ raw: String) async throws -> HTTPResponse {
        try await answer { peer in
            _ = try await peer.head()
            try await peer.write(raw)
        }
    }

    /// The kind of the error that the script causes.
    private func failure(
        timeout: Duration = .seconds(30),
        maximumBodySize: Int = 1 << 20,
        _ script: @escaping @Sendable (inout Peer) async throws -> Void
    ) async -> TransportError.Kind? {
        let error = await #expect(throws: TransportError.self) {
            try await answer(
                to: {
                    HTTPRequest(
                        url: "http://127.0.0.1:\($0)/geheim",
                        timeout: timeout,
                        maximumBodySize: maximumBodySize
                    )
                },
                script
            )
        }
        #expect(error?.detail.contains("127.0.0.1") == true)
        #expect(error?.detail.contains("geheim") == false)
        return error?.kind
    }

    @Test("The server receives method, path, query, headers and body unchanged") func request() async throws {
        let request = { (port: Int) in
            HTTPRequest(
                method: "POST",
                url: "http://127.0.0.1:\(port)/a%20b?q=%5B%22x%22%5D&r=1",
                headers: [HTTPField("Authorization", "k"), HTTPField("Content-Type", "application/json")],
                body: Array(#"{"a":1}"#.utf8)
            )
        }
        let response = try await answer(to: request) { peer in
            let head = try await peer.head()
            let body = String(decoding: try await peer.bytes(7), as: UTF8.self)
            let lines = head.split(whereSeparator: \.isNewline)
            let seen = [
                String(lines[0]), Peer.value(of: "authorization", in: head), Peer.value(of: "content-length", in: head),
                body,
            ].joined(separator: "|")
            try await peer.write(
                "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-b: 2\r\nContent-Length: \(seen.utf8.count)\r\n\r\n\(seen)"
            )
        }
        #expect(response.status == 200)
        #expect(response.header("x-a") == "1" && response.header("X-B") == "2" && response.header("x-c") == nil)
        let seen = String(decoding: response.body, as: UTF8.self)
        #expect(seen == #"POST /a%20b?q=%5B%22x%22%5D&r=1 HTTP/1.1|k|7|{"a":1}"#)
    }

    @Test(
        "Every status is a response, and redirects are not followed",
        arguments: [301, 302, 307, 400, 401, 403, 404, 409, 429, 500, 502, 503]
    )
    func statuses(status: Int) async throws {
        let html = "<html>no</html>"
        let response = try await answer(
            """
            HTTP/1.1 \(status) X\r\nLocation: http://127.0.0.1:1/\r\nRetry-After: 7\r\nContent-Type: text/html\r\n\
            Content-Length: 15\r\n\r\n\(html)
            """
        )
        #expect(response.status == status)
        #expect(response.retryAfter == .seconds(7))
        #expect(response.body == Array(html.utf8))
    }

    @Test(
        "An empty body is read in each of its encodings",
        arguments: [
            "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        ]
    )
    func emptyBody(raw: String) async throws {
        #expect(try await answer(raw).body == [])
    }

    @Test("A body without a length ends with the connection") func bodyWithoutLength() async throws {
        #expect(try await answer("HTTP/1.0 200 OK\r\n\r\nabc").body == Array("abc".utf8))
    }

    @Test("A connection is reused or replaced") func connectionReuse() async throws {
        let requests = Mutex(0)
        let statuses = try await withServer { peer in
            for request in 0..<2 {
                _ = try await peer.head()
                requests.withLock { $0 += 1 }
                // Without the announcement, the next request might meet a connection that is just being closed.
                let last = request == 1 ? "Connection: close\r\n" : ""
                try await peer.write("HTTP/1.1 200 OK\r\n\(last)Content-Length: 1\r\n\r\nx")
            }
        } _: { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                var statuses: [Int] = []
                for _ in 0..<6 {
                    statuses.append(try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/")).status)
                }
                return statuses
            }
        }
        #expect(statuses == [200, 200, 200, 200, 200, 200])
        #expect(requests.withLock { $0 } == 6)
    }

    // MARK: Faults

    @Test("A refused connection is an error") func connectionRefused() async {
        let error = await #expect(throws: TransportError.self) {
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                try await transport.send(HTTPRequest(url: "http://127.0.0.1:1/"))
            }
        }
        #expect(
            error
                == TransportError(
                    .unreachable,
                    "127.0.0.1 could not be reached: nothing listens there.",
                    cause: .connectionRefused
                )
        )
    }

    @Test("A server that does not answer is a timeout") func silentServer() async {
        #expect(await failure(timeout: .milliseconds(200)) { try await $0.waitForEnd() } == .timeout)
    }

    @Test("A response head that arrives byte by byte is a timeout") func slowHead() async {
        let kind = await failure(timeout: .milliseconds(300)) { peer in
            try await peer.write("HTTP/1.1 200 OK\r\nX: ")
            while true {
                try await peer.write("x")
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(kind == .timeout)
    }

    @Test("A response body that arrives byte by byte is a timeout") func slowBody() async {
        let kind = await failure(timeout: .milliseconds(300)) { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while true {
                try await peer.write("x")
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(kind == .timeout)
    }

    @Test("An endless body fails at the limit") func endlessBody() async {
        let kind = await failure(maximumBodySize: 4096) { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while true { try await peer.write("4\r\nabcd\r\n") }
        }
        #expect(kind == .tooLarge)
    }

    @Test("A body over the limit is an error, announced or not", arguments: [true, false]) func hugeBody(
        announced: Bool
    ) async {
        let kind = await failure { peer in
            _ = try await peer.head()
            try await peer.write(
                "HTTP/1.1 200 OK\r\n" + (announced ? "Content-Length: 104857600\r\n\r\n" : "Connection: close\r\n\r\n")
            )
            let part = [UInt8](repeating: 0x78, count: 65536)
            for _ in 0..<1600 { try await peer.write(part) }
        }
        #expect(kind == .tooLarge)
    }

    @Test("A body of exactly the limit is accepted") func bodyOfTheLimit() async throws {
        let response = try await answer(to: { HTTPRequest(url: "http://127.0.0.1:\($0)/", maximumBodySize: 3) }) {
            peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
        #expect(response.body.count == 3)
    }

    @Test("A connection that closes within the body is an error") func closedInTheBody() async {
        let kind = await failure { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        }
        #expect(kind == .unreachable || kind == .protocolViolation)
    }

    @Test("A connection that closes before the response is an error") func closedBeforeTheResponse() async {
        let kind = await failure { _ = try await $0.head() }
        #expect(kind == .unreachable)
    }

    @Test(
        "A response that is not HTTP is a protocol violation",
        arguments: ["SSH-2.0-x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\0\0\0\0\r\n\r\n"]
    ) func notHTTP(raw: String) async {
        let kind = await failure { peer in
            _ = try await peer.head()
            try await peer.write(raw)
            try await peer.waitForEnd()
        }
        #expect(kind == .protocolViolation)
    }

    @Test("A line break in a header value is rejected") func headerInjection() async {
        let error = await #expect(throws: TransportError.self) {
            try await answer(to: {
                HTTPRequest(url: "http://127.0.0.1:\($0)/", headers: [HTTPField("A", "geheim\r\nB: c")])
            }) { peer in
                _ = try await peer.head()
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        #expect(error?.detail.contains("geheim") == false)
    }

    @Test("Cancelling the task cancels the request and closes the connection") func cancellation() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            _ = try await peer.head()
            arrive.yield()
            try await peer.waitForEnd()
            end.yield()
        } _: { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                await withTaskGroup(of: TransportError.Kind?.self) { group in
                    group.addTask {
                        do throws(TransportError) {
                            _ = try await transport.send(
                                HTTPRequest(url: "http://127.0.0.1:\(port)/", timeout: .seconds(3600))
                            )
                            return nil
                        } catch {
                            return error.kind
                        }
                    }
                    for await _ in arrived { break }
                    group.cancelAll()
                    #expect(await group.next() == .cancelled)
                }
                for await _ in ended { break }
            }
        }
    }

    @Test("A retired connection finishes its request and is not reused")
    func retiredConnections() async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            for number in 0... {
                _ = try await peer.head()
                if number == 1 {
                    arrive.yield()
                    for await _ in releases { break }
                }
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            }
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
                let request = HTTPRequest(url: "http://127.0.0.1:\(port)/")
                #expect(try await transport.send(request).body == Array("0".utf8))
                try await withThrowingTaskGroup(of: [UInt8].self) { (group) async throws in
                    group.addTask { try await transport.send(request).body }
                    for await _ in arrivals { break }
                    transport.retireConnections()
                    #expect(try await transport.send(request).body == Array("0".utf8), "the first on its connection")
                    release.yield()
                    #expect(try await group.next() == Array("1".utf8), "the second on the old one")
                }
            }
        }
    }

    @Test("A released transport frees its event loops") func released() async throws {
        weak var loops: AnyObject?
        do {
            let transport = NIOTransport(logger: Logger(label: "test"))
            loops = transport.network.thread
            #expect(loops != nil)
        }
        // Its thread ends by itself; nothing traps.
        while loops != nil, !Task.isCancelled { await Task.yield() }
    }

    @Test("A second shutdown has no effect") func secondShutdown() async throws {
        let transport = NIOTransport(logger: Logger(label: "test"))
        await transport.shutdown()
        await transport.shutdown()
    }
}
