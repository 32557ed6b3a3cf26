import Glibc
import NIOCore
import Testing

@testable import ClientKit

/// The socket options of a connection.
@Suite(.timeLimit(.minutes(5))) struct SocketOptionTests {
    /// Option 1 of SOL_SOCKET is SO_DEBUG, which only a privileged user may set; option 1 of TCP is TCP_NODELAY.
    @Test("A WebSocket has TCP_NODELAY set, and no option that needs a privilege") func options() async throws {
        try await withServer(TLSFixture.serve) { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                try await transport.withConnection(to: "ws://127.0.0.1:\(port)/", timeout: .seconds(30)) { connection in
                    let channel = try #require(connection as? NIOWebSocketConnection).channel
                    #expect(try await channel.getOption(.tcpOption(.tcp_nodelay)).get() != 0)
                    #expect(try await channel.getOption(.socketOption(.init(rawValue: SO_DEBUG))).get() == 0)
                }
            }
        }
    }
}
