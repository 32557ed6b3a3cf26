import Synchronization
import Testing

@testable import ClientKit

/// Kept connections that a router has forgotten without a word.
@Suite(.timeLimit(.minutes(5))) struct RestedConnectionTests {
    /// Answers the first request of a test. The closure of ``serve(_:)`` decides about the later ones.
    private final class Server: Sendable {
        private let received = Mutex<[String]>([])

        /// The connection, from 1, and the method of each request.
        var requests: [String] { received.withLock { $0 } }

        /// - Parameter answer: For each request except the first: whether it is answered, from its connection.
        func serve(_ answer: @escaping @Sendable (Int) async throws -> Bool)
            -> @Sendable (inout Peer) async throws -> Void
        {
            let connections = Mutex(0)
            return { peer in
                let number = connections.withLock { count in
                    count += 1
                    return count
                }
                while true {
                    let head = try await peer.head()
                    if head.hasPrefix("POST") { _ = try await peer.bytes(1) }
                    let isFirst = self.received.withLock { received in
                        received.append("\(number) \(head.prefix { $0 != " " })")
                        return received.count == 1
                    }
                    let isAnswered = isFirst ? true : try await answer(number)
                    guard isAnswered else { return try await peer.waitForEnd() }
                    try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
                }
            }
        }
    }

    /// Sends a GET, which leaves a connection, and then another request; returns the body of its response.
    private static func sendTwo(_ port: Int, method: String, freshness: Duration = .zero) async throws -> String {
        let options = TransportOptions(freshness: freshness)
        return try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
            let url = "http://127.0.0.1:\(port)/"
            _ = try await transport.send(HTTPRequest(url: url))
            let body: [UInt8]? = method == "POST" ? [1] : nil
            let request = HTTPRequest(method: method, url: url, body: body, timeout: .seconds(200))
            return String(decoding: try await transport.send(request).body, as: UTF8.self)
        }
    }

    @Test("A GET that a rested connection does not answer is also sent over a new one") func unanswered() async throws {
        let server = Server()
        try await withServer(server.serve { $0 == 2 }) { (port) async throws in
            #expect(try await Self.sendTwo(port, method: "GET") == "2")
        }
        #expect(server.requests == ["1 GET", "1 GET", "2 GET"])
    }

    @Test("The first answer counts, also that of the rested connection") func lateAnswer() async throws {
        let (server, seconds) = (Server(), AsyncStream.makeStream(of: Void.self))
        let serve = server.serve { number in
            if number == 2 {
                seconds.continuation.yield()
                return false
            }
            var second = seconds.stream.makeAsyncIterator()
            _ = await second.next()
            return true
        }
        try await withServer(serve) { (port) async throws in
            #expect(try await Self.sendTwo(port, method: "GET") == "1")
        }
        #expect(server.requests == ["1 GET", "1 GET", "2 GET"])
    }

    @Test("A change does not use a rested connection") func change() async throws {
        let server = Server()
        try await withServer(server.serve { _ in true }) { (port) async throws in
            #expect(try await Self.sendTwo(port, method: "POST") == "2")
        }
        #expect(server.requests == ["1 GET", "2 POST"])
    }

    @Test("A connection that has just answered is used again", arguments: ["GET", "POST"])
    func fresh(method: String) async throws {
        let server = Server()
        try await withServer(server.serve { _ in true }) { (port) async throws in
            #expect(try await Self.sendTwo(port, method: method, freshness: .seconds(300)) == "1")
        }
        #expect(server.requests == ["1 GET", "1 \(method)"])
    }

    @Test("Changes get connections although all are rested ones") func full() async throws {
        let server = Server()
        try await withServer(server.serve { _ in true }) { port in
            let options = TransportOptions(freshness: .zero)
            try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
                let url = "http://127.0.0.1:\(port)/"
                for method in ["GET", "POST"] {
                    try await withThrowingTaskGroup { group in
                        for _ in 1...8 {
                            let request = HTTPRequest(method: method, url: url, body: method == "POST" ? [1] : nil)
                            group.addTask { _ = try await transport.send(request) }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }
        #expect(server.requests.count == 16)
    }
}
