import ClientKit
import Foundation
import Logging
import NIOSSL
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    private func get(
        _ host: String,
        trusting options: TransportOptions,
        upTo newest: TLSVersion? = nil
    ) async throws -> Int {
        try await withServer(tls: TestCertificate.serverContext(upTo: newest)) { peer in
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(options: options, logger: Logger(label: "test")) { transport in
                try await transport.send(HTTPRequest(url: "https://\(host):\(port)/")).status
            }
        }
    }

    private func talk(
        _ host: String,
        trusting options: TransportOptions,
        upTo newest: TLSVersion? = nil
    ) async throws -> WebSocketMessage? {
        try await withServer(tls: TestCertificate.serverContext(upTo: newest)) { peer in
            try await peer.acceptWebSocket()
            try await peer.write(Peer.frame(.text, try await peer.frame().payload))
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(options: options, logger: Logger(label: "test")) { transport in
                try await transport.withConnection(to: "wss://\(host):\(port)/", timeout: .seconds(30)) { connection in
                    try await connection.send("hello")
                    return try await connection.receive()
                }
            }
        }
    }

    private func withTrust(_ body: (TransportOptions) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("feedbell-\(UUID().uuidString).pem")
        try Data(TestCertificate.certificate.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(.withDetails(extraCAFile: file.path))
    }

    @Test("A certificate in the extra file is trusted") func trusted() async throws {
        try await withTrust { options async throws in
            #expect(try await get("localhost", trusting: options) == 200)
            #expect(try await talk("localhost", trusting: options) == .text("hello"))
        }
    }

    @Test("TLS 1.2 is accepted") func oldestVersion() async throws {
        try await withTrust { options async throws in
            #expect(try await get("localhost", trusting: options, upTo: .tlsv12) == 200)
            #expect(try await talk("localhost", trusting: options, upTo: .tlsv12) == .text("hello"))
        }
    }

    @Test("A server limited to TLS 1.1 is rejected, and the error names the reason")
    func deprecatedVersion() async throws {
        try await withTrust { options async throws in
            for options in [options, .withDetails()] {
                let answer = await #expect(throws: TransportError.self) {
                    try await get("localhost", trusting: options, upTo: .tlsv11)
                }
                let opened = await #expect(throws: TransportError.self) {
                    try await talk("localhost", trusting: options, upTo: .tlsv11)
                }
                let sentence =
                    "No secure connection to localhost: it does not support TLS 1.2 or later, which is required."
                #expect(answer == TransportError(.tls, sentence))
                #expect(opened == TransportError(.tls, sentence))
            }
        }
    }

    @Test("The error about an untrusted self-signed certificate says that it is self-signed") func selfSigned()
        async throws
    {
        let answer = await #expect(throws: TransportError.self) {
            try await get("localhost", trusting: .withDetails())
        }
        let opened = await #expect(throws: TransportError.self) {
            try await talk("localhost", trusting: .withDetails())
        }
        let sentence =
            "No secure connection to localhost: its certificate is self-signed and not trusted by this computer; "
            + "it may be that of a login page of the network."
        #expect(answer == TransportError(.tls, sentence, cause: .untrustedCertificate))
        #expect(opened == TransportError(.tls, sentence, cause: .untrustedCertificate))
    }

    /// The certificate is for `localhost` and not for the address.
    @Test("A trusted certificate for another name is an error") func otherName() async throws {
        try await withTrust { options async throws in
            let answer = await #expect(throws: TransportError.self) { try await get("127.0.0.1", trusting: options) }
            let opened = await #expect(throws: TransportError.self) { try await talk("127.0.0.1", trusting: options) }
            #expect(answer?.kind == .tls && answer?.cause == .certificateForAnotherName)
            #expect(opened?.kind == .tls && opened?.cause == .certificateForAnotherName)
        }
    }

    @Test("The certificate of an untrusted server can be inspected") func certificates() async throws {
        try await withServer(tls: TestCertificate.serverContext()) { peer in
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                for host in ["localhost", "127.0.0.1"] {
                    let url = "https://\(host):\(port)/"
                    let certificates = try await transport.certificates(of: url, timeout: .seconds(30))
                    let certificate = try #require(certificates.first)
                    #expect(certificates.count == 1)
                    #expect(certificate.isSelfSigned)
                    // openssl x509 -noout -dates
                    #expect(certificate.notBefore == Date(timeIntervalSince1970: 1_795_239_686))
                    #expect(certificate.notAfter == Date(timeIntervalSince1970: 4_948_839_686))
                }
            }
        }
    }

    @Test("A peer without TLS or without a certificate is an error")
    func missingCertificates() async throws {
        try await withServer { peer in
            try await peer.write("HTTP/1.1 400 Bad Request\r\n\r\n")
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                let plain = await #expect(throws: TransportError.self) {
                    try await transport.certificates(of: "https://localhost:\(port)/", timeout: .seconds(30))
                }
                #expect(plain?.detail == "No secure connection to localhost: it does not speak TLS there.")
                let unknown = await #expect(throws: TransportError.self) {
                    try await transport.certificates(of: "https://name.invalid/", timeout: .seconds(30))
                }
                #expect(unknown?.cause == .unknownName)
            }
        }
    }

    @Test("A server that shows no certificate is a timeout") func silentServer() async throws {
        try await withServer { peer in
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await transport.certificates(of: "https://localhost:\(port)/", timeout: .milliseconds(50))
                }
                #expect(error?.kind == .timeout)
            }
        }
    }

    @Test("A server without TLS is a TLS error") func plainServer() async throws {
        let error = await #expect(throws: TransportError.self) {
            try await withServer { peer in
                try await peer.write("HTTP/1.1 400 Bad Request\r\n\r\n")
                try await peer.waitForEnd()
            } _: { port in
                try await NIOTransport.withTransport(logger: Logger(label: "test")) { transport in
                    try await transport.withConnection(to: "wss://localhost:\(port)/", timeout: .seconds(30)) { _ in }
                }
            }
        }
        #expect(error?.kind == .tls)
    }
}
