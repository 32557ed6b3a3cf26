import Glibc
import TestSupport
import Testing

@testable import ClientKit

/// The ends of connections with and without an unanswered request.
@Suite(.timeLimit(.minutes(5))) struct ResetTests {
    /// Answers only the first request, or opens a WebSocket, and reports how the connection ended (``Peer/end()``).
    private static func serve(webSocket: Bool = false, _ ended: @escaping @Sendable (CInt?) -> Void)
        -> @Sendable (inout Peer) async throws -> Void
    {
        { peer in
            if webSocket {
                try await peer.acceptWebSocket()
            } else {
                _ = try await peer.head()
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
            ended(try await peer.end())
        }
    }

    private static func giveUpSecondRequest(_ url: String, _ options: TransportOptions) async throws {
        try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
            let response = try await transport.send(HTTPRequest(url: url))
            #expect(response.status == 200)
            let request = HTTPRequest(method: "POST", url: url, body: [1], timeout: .milliseconds(50))
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.kind == .timeout)
        }
    }

    @Test("A request that is given up is not delivered later") func unanswered() async throws {
        let (ends, reported) = AsyncStream.makeStream(of: CInt?.self)
        try await withServer(Self.serve { reported.yield($0) }) { port in
            try await Self.giveUpSecondRequest("http://127.0.0.1:\(port)/", TransportOptions())
        }
        var end = ends.makeAsyncIterator()
        #expect(await end.next() == .some(ECONNRESET))
    }

    @Test("Nor is one over TLS") func unansweredWithTLS() async throws {
        let (ends, reported) = AsyncStream.makeStream(of: CInt?.self)
        try await TLSFixture.with(serve: Self.serve { reported.yield($0) }) { fixture in
            let options = TransportOptions(extraCAFile: fixture.authority.file)
            try await Self.giveUpSecondRequest("https://localhost:\(fixture.port)/", options)
        }
        var end = ends.makeAsyncIterator()
        #expect(await end.next() == .some(ECONNRESET))
    }

    @Test("A WebSocket whose end the server does not confirm is reset, over TLS, too") func unconfirmedEnd()
        async throws
    {
        let (ends, reported) = AsyncStream.makeStream(of: CInt?.self)
        try await TLSFixture.with(serve: Self.serve(webSocket: true) { reported.yield($0) }) { fixture in
            let options = TransportOptions(extraCAFile: fixture.authority.file)
            try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
                try await transport.withConnection(to: "wss://localhost:\(fixture.port)/", timeout: .seconds(30)) { _ in
                }
            }
        }
        var end = ends.makeAsyncIterator()
        #expect(await end.next() == .some(ECONNRESET))
    }

    @Test("An idle connection is closed in order") func idle() async throws {
        let (ends, reported) = AsyncStream.makeStream(of: CInt?.self)
        try await withServer(Self.serve { reported.yield($0) }) { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                let response = try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
                #expect(response.status == 200)
                transport.retireConnections()
                var end = ends.makeAsyncIterator()
                #expect(await end.next() == .some(nil))
            }
        }
    }
}
