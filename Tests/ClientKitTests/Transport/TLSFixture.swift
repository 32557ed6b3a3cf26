import Logging
import NIOSSL
import TestSupport

@testable import ClientKit

/// A server with TLS that answers requests, and echoes what comes over a WebSocket.
struct TLSFixture {
    let port: Int
    let authority: TestAuthority

    /// - Parameters:
    ///   - host: The name in its certificate.
    ///   - serve: Runs for each connection.
    static func with<Result: Sendable>(
        _ host: String = "localhost",
        _ validity: TestAuthority.Validity = .now,
        serve: @escaping @Sendable (inout Peer) async throws -> Void = Self.serve,
        _ body: (TLSFixture) async throws -> Result
    ) async throws -> Result {
        try await TestAuthority.with { authority in
            let (certificate, key) = try await authority.issue(host, validity)
            let context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
                )
            )
            return try await withServer(tls: context, serve) { port in
                try await body(TLSFixture(port: port, authority: authority))
            }
        }
    }

    @Sendable static func serve(_ peer: inout Peer) async throws {
        let head = try await peer.head()
        if head.lowercased().contains("upgrade: websocket") {
            try await peer.acceptWebSocket(head)
            while true { try await peer.write(Peer.frame(.text, try await peer.frame().payload)) }
        }
        // The request itself, so that a test sees its headers.
        try await peer.write(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(head.utf8.count)\r\n\r\n\(head)"
        )
        try await peer.waitForEnd()
    }

    /// The request as the server got it.
    static func get(_ url: String, over transport: NIOTransport, timeout: Duration = .seconds(30)) async throws
        -> String
    {
        String(decoding: try await transport.send(HTTPRequest(url: url, timeout: timeout)).body, as: UTF8.self)
    }

    /// The reply to "hello".
    static func talk(
        _ url: String,
        over transport: NIOTransport,
        timeout: Duration = .seconds(30)
    ) async throws -> WebSocketMessage? {
        try await transport.withConnection(to: url, timeout: timeout) { connection in
            try await connection.send("hello")
            return try await connection.receive()
        }
    }
}

extension TransportOptions {
    /// Options for tests that expect the details of an error: on a busy machine the second connection, which finds
    /// them, may need longer than the default timeout.
    static func withDetails(
        extraCAFile: String? = nil,
        authorities: [String: String] = [:],
        proxies: ProxyRules = ProxyRules()
    ) -> TransportOptions {
        TransportOptions(
            extraCAFile: extraCAFile,
            authorities: SystemAuthorities(environment: authorities),
            proxies: proxies,
            diagnosisTimeout: .seconds(30)
        )
    }
}

extension Logger {
    /// Discards everything.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
