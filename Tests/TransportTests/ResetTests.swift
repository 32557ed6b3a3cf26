import Glibc
import NIOCore
import TestSupport
import Testing

@testable import Transport

/// The ends of connections with and without an unanswered request.
@Suite(.timeLimit(.minutes(5))) struct ResetTests {
    /// Answers only the first request, and reports how the connection ended: with this error, or nil in order.
    private static func serve(_ ended: @escaping @Sendable (CInt?) -> Void)
        -> @Sendable (inout Peer) async throws -> Void
    {
        { peer in
            do {
                _ = try await peer.head()
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                try await peer.waitForEnd()
                ended(nil)
            } catch let error as IOError {
                ended(error.errnoCode)
            }
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
