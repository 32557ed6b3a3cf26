import Logging
import Synchronization
import Testing

@testable import ClientKit

/// The connections that HTTP requests share.
@Suite(.timeLimit(.minutes(5))) struct HTTPConnectionTests {
    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    /// The connections and requests that a server got.
    private struct Seen: Sendable {
        var connections = 0
        var requests: [String] = []
    }

    private static func request(_ port: Int, _ method: String = "GET") -> HTTPRequest {
        HTTPRequest(method: method, url: "http://127.0.0.1:\(port)/")
    }

    @Test("At most four connections are open to a host, and further requests wait") func limit() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let seen = Mutex(Seen())
        try await withServer { peer in
            seen.withLock { $0.connections += 1 }
            while true {
                _ = try await peer.head()
                arrival.yield()
                for await _ in releases { break }
                try await peer.write(Self.empty)
            }
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 1...6 {
                        group.addTask { try await transport.send(Self.request(port)).status }
                    }
                    for await _ in arrivals.prefix(4) {}
                    for _ in 1...6 { release.yield() }
                    for try await status in group { #expect(status == 200) }
                }
            }
        }
        #expect(seen.withLock(\.connections) == 4)
    }

    @Test("A request that waits for a connection can be cancelled") func cancelledWait() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            _ = try await peer.head()
            arrival.yield()
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                await withTaskGroup(of: TransportError.Kind?.self) { group in
                    for _ in 1...5 {
                        group.addTask {
                            do throws(TransportError) {
                                _ = try await transport.send(Self.request(port))
                                return nil
                            } catch { return error.kind }
                        }
                    }
                    for await _ in arrivals.prefix(4) {}
                    group.cancelAll()
                    for await kind in group { #expect(kind == .cancelled) }
                }
            }
        }
    }

    @Test("A cancelled request leaves room for the next one") func roomAfterCancellation() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let seen = Mutex(Seen())
        try await withServer { peer in
            _ = try await peer.head()
            if seen.withLock({ seen in
                seen.connections += 1
                return seen.connections <= 4
            }) {
                arrival.yield()
                try await peer.waitForEnd()
            }
            try await peer.write(Self.empty)
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                try await withThrowingTaskGroup(of: Void.self) { (group) async throws in
                    for _ in 1...4 { group.addTask { _ = try? await transport.send(Self.request(port)) } }
                    for await _ in arrivals.prefix(4) {}
                    async let next = transport.send(Self.request(port)).status
                    group.cancelAll()
                    #expect(try await next == 200)
                }
            }
        }
    }

    /// The server closes the connection at the second request, as if the two had crossed.
    private func answers(to method: String) async throws -> (seen: Seen, error: TransportError?) {
        let seen = Mutex(Seen())
        let error = try await withServer { peer in
            let number = seen.withLock { seen in
                seen.connections += 1
                return seen.connections
            }
            for request in 1... {
                let head = try await peer.head()
                seen.withLock { $0.requests.append("\(number) \(head.prefix { $0 != " " })") }
                if number == 1, request == 2 { return }
                try await peer.write(Self.empty)
            }
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport -> TransportError? in
                _ = try await transport.send(Self.request(port))
                do throws(TransportError) {
                    _ = try await transport.send(Self.request(port, method))
                    return nil
                } catch { return error }
            }
        }
        return (seen.withLock { $0 }, error)
    }

    @Test("A GET is repeated over a new connection if the server closes the kept one") func repeatedGet() async throws {
        let (seen, error) = try await answers(to: "GET")
        #expect(error == nil)
        #expect(seen.requests == ["1 GET", "1 GET", "2 GET"])
    }

    @Test("A request with effects is not repeated") func unrepeatedPatch() async throws {
        let (seen, error) = try await answers(to: "PATCH")
        #expect(error?.kind == .unreachable)
        #expect(seen.requests == ["1 GET", "1 PATCH"])
    }

    @Test("Bytes without a request end the connection, and the next request uses another one") func unsolicited()
        async throws
    {
        let seen = Mutex(Seen())
        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            seen.withLock { $0.connections += 1 }
            _ = try await peer.head()
            try await peer.write(Self.empty + Self.empty)
            try await peer.waitForEnd()
            ending.yield()
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { (transport) async throws in
                for _ in 1...2 {
                    #expect(try await transport.send(Self.request(port)).status == 200)
                    for await _ in endings { break }
                }
            }
        }
        #expect(seen.withLock(\.connections) == 2)
    }

    @Test("An informational response is skipped") func informational() async throws {
        let status = try await withServer { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 404 No\r\n")
            try await peer.write("Content-Length: 0\r\n\r\n")
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { try await $0.send(Self.request(port)).status }
        }
        #expect(status == 404)
    }
}
