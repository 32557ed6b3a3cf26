import Logging
import Testing

@testable import ClientKit

/// A transport during and after its shutdown.
@Suite(.timeLimit(.minutes(5))) struct ShutdownTests {
    @Test("After the shutdown, each operation throws at once") func afterwards() async throws {
        let transport = NIOTransport(logger: .silent)
        await transport.shutdown()
        let errors = [
            await #expect(throws: TransportError.self) {
                try await transport.send(HTTPRequest(url: "http://127.0.0.1:1/"))
            },
            await #expect(throws: TransportError.self) {
                try await transport.withConnection(to: "ws://127.0.0.1:1/", timeout: .seconds(30)) { _ in }
            },
            await #expect(throws: TransportError.self) {
                try await transport.certificates(of: "https://127.0.0.1:1/", timeout: .seconds(30))
            },
        ]
        #expect(errors == [.shutDown, .shutDown, .shutDown])
        transport.retireConnections()
    }

    @Test("The shutdown ends a request and a WebSocket that wait for the server")
    func inTheMiddle() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        try await withServer { peer in
            let head = try await peer.head()
            if head.lowercased().contains("upgrade: websocket") { try await peer.acceptWebSocket(head) }
            arrival.yield()
            try await peer.waitForEnd()
        } _: { port in
            let transport = NIOTransport(logger: .silent)
            async let answer = #expect(throws: TransportError.self) {
                try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
            }
            async let message = #expect(throws: TransportError.self) {
                try await transport.withConnection(to: "ws://127.0.0.1:\(port)/", timeout: .seconds(30)) {
                    try await $0.receive()
                }
            }
            for await _ in arrivals.prefix(2) {}
            await transport.shutdown()
            #expect(await answer?.kind == .shutDown)
            #expect([.closed(code: nil), .shutDown].contains(await message?.kind))
        }
    }
}
