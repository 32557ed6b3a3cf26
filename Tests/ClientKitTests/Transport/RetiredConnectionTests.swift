import Logging
import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Kept connections after ``NIOTransport/retireConnections()``.
@Suite(.timeLimit(.minutes(5))) struct RetiredConnectionTests {
    /// The number of connections of a server.
    private final class Count: Sendable {
        private let open = Mutex((now: 0, total: 0))

        var now: Int { open.withLock(\.now) }
        var total: Int { open.withLock(\.total) }

        func began() { open.withLock { $0 = ($0.now + 1, $0.total + 1) } }
        func ended() { open.withLock { $0.now -= 1 } }
    }

    @Test("An idle connection is closed as soon as it is retired") func idle() async throws {
        let count = Count()
        try await withServer { peer in
            count.began()
            defer { count.ended() }
            while true {
                _ = try await peer.head()
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                for _ in 1...10 {
                    #expect(try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/")).status == 200)
                    #expect(count.now == 1)
                    transport.retireConnections()
                    // Without the call it would stay open for 30 seconds.
                    try await waiting(for: "the end of the connection", seeing: { count.now }) { $0 == 0 }
                }
                #expect(count.total == 10)
            }
        }
    }

    @Test("A few retired connections finish their requests; older requests fail")
    func inProgress() async throws {
        let rounds = 12
        let count = Count()
        try await withServer { peer in
            count.began()
            defer { count.ended() }
            _ = try await peer.head()
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                try await withThrowingTaskGroup(of: TransportError?.self) { group in
                    for round in 1...rounds {
                        group.addTask {
                            do throws(TransportError) {
                                _ = try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
                                return nil
                            } catch { return error }
                        }
                        try await waiting(for: "connection \(round)", seeing: { count.total }) { $0 >= round }
                        transport.retireConnections()
                    }
                    try await waiting(for: "the end of the others", seeing: { count.now }) {
                        $0 == HTTPConnections.retiredLimit
                    }
                    for _ in 0..<(rounds - HTTPConnections.retiredLimit) {
                        #expect(try await group.next()??.kind == .unreachable)
                    }
                    group.cancelAll()
                }
            }
        }
    }
}
