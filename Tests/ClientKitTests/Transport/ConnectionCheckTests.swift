import NIOCore
import Synchronization
import Testing

@testable import ClientKit

/// Connections after a change of the network.
@Suite(.timeLimit(.minutes(5))) struct ConnectionCheckTests {
    @Test(
        "A connection is dead if its address is gone, or if another interface leads to its peer",
        arguments: [
            ("192.0.2.1", "192.0.2.1", false), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "10.0.0.1", true),
            ("192.0.2.1", nil, false), ("192.0.2.9", "192.0.2.1", true), ("192.0.2.9", nil, true),
            ("192.0.2.3", "10.0.0.1", false),
        ] as [(String, String?, Bool)]
    )
    func routes(local: String, source: String?, isDead: Bool) throws {
        func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
        let routes = LocalRoutes(interfaces: [
            try address("192.0.2.1"): ["wlan0"], try address("192.0.2.2"): ["wlan0"], try address("10.0.0.1"): ["tun0"],
            try address("192.0.2.3"): ["wlan0", "tun0"],
        ])
        #expect(routes.isDead(try address(local), to: try source.map(address)) == isDead)
        #expect(!LocalRoutes(interfaces: [:]).isDead(try address(local), to: try source.map(address)))
    }

    /// Opens a WebSocket, and runs `body` with its transport; returns the error with which the WebSocket ended.
    private func withWebSocket(
        _ serve: @escaping @Sendable (inout Peer) async throws -> Void,
        _ body: @escaping @Sendable (NIOTransport) async throws -> Void
    ) async throws -> TransportError? {
        try await withServer { peer in
            try await peer.acceptWebSocket()
            try await serve(&peer)
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                try await transport.withConnection(to: "ws://127.0.0.1:\(port)/", timeout: .seconds(30)) { connection in
                    try await body(transport)
                    do { return try await connection.receive() == nil ? nil : TransportError(.timeout, "alive") } catch
                    {
                        return error as? TransportError
                    }
                }
            }
        }
    }

    @Test("A connection of this computer's stays; one that gives no sign of life is reset") func silent() async throws {
        let error = try await withWebSocket { peer in
            try await peer.waitForEnd()
        } _: { transport in
            let isReset = await transport.checkConnections(probes: false)
            #expect(!isReset)
            let isSilent = await transport.checkConnections(probes: true)
            #expect(isSilent)
        }
        #expect(error?.kind == .closed(code: nil))
    }

    @Test("One that answers a ping, or sends anything else, stays") func alive() async throws {
        for opcode in [Peer.Opcode.pong, .text] {
            let error = try await withWebSocket { peer in
                #expect(try await peer.frame().opcode == .ping)
                try await peer.write([0x80 | opcode.rawValue, 0])
                if opcode == .pong { try await peer.write([0x81, 0]) }
                try await peer.waitForEnd()
            } _: { transport in
                let isReset = await transport.checkConnections(probes: true)
                #expect(!isReset)
            }
            #expect(error?.detail == "alive")
        }
    }

    @Test("After a change of the network WebSockets are reset at once, and requests continue") func reset() async throws
    {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            let head = try await peer.head()
            if head.contains("Sec-WebSocket-Key") {
                try await peer.acceptWebSocket(head)
                // The end is not confirmed.
                #expect(try await peer.end() != nil)
                answer.yield()
            } else {
                for await _ in answers { break }
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        } _: { (port) async throws in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                async let response = transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
                try await transport.withConnection(to: "ws://127.0.0.1:\(port)/", timeout: .seconds(30)) { connection in
                    await transport.resetConnections()
                    await #expect(throws: TransportError.self) { _ = try await connection.receive() }
                }
                #expect(try await response.status == 200)
            }
        }
    }
}
