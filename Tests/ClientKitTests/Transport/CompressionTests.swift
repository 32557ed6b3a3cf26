import NIOHTTPCompression
import Testing

@testable import ClientKit

/// Compressed answers (RFC 9110 §8.4.1.3).
@Suite(.timeLimit(.minutes(5))) struct CompressionTests {
    /// ``text``, made by gzip(1).
    private static let compressed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x41, 0x0d, 0x00, 0x30, 0x08, 0x04,
        0x30, 0x2f,
        0x27, 0x63, 0x7e, 0xe6, 0x80, 0x07, 0xc9, 0x32, 0xef, 0xd8, 0xe0, 0xd1, 0xf6, 0xa5, 0x6e, 0x57, 0x4e, 0x1a,
        0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x15,
        0xf2, 0x07,
        0x5e, 0xba, 0x44, 0x7e, 0x2b, 0x4e, 0x00, 0x00,
    ]
    private static let text = #"{"text":""# + String(repeating: "x", count: 20_000) + #""}"#

    private static func head(_ length: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test("Compressed answers are requested and read, also in small parts, beside others") func answers() async throws {
        try await withServer { peer in
            #expect(Peer.value(of: "accept-encoding", in: try await peer.head()) == "gzip")
            try await peer.write(Self.head(Self.compressed.count))
            for byte in Self.compressed { try await peer.write([byte]) }
            _ = try await peer.head()
            try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            _ = try await peer.head()
            try await peer.write(Self.head(Self.compressed.count))
            try await peer.write(Self.compressed)
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                for text in [Self.text, "{}", Self.text] {
                    let response = try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(port)/"))
                    #expect(String(decoding: response.body, as: UTF8.self) == text)
                }
            }
        }
    }

    @Test(
        "What is too long decompressed, damaged or incomplete is an error",
        arguments: [
            (compressed, 20_000, .tooLarge), (compressed.dropLast(9) + [], 1 << 20, .protocolViolation),
            ([0x1f, 0x8b, 0x08] + Array("damaged".utf8), 1 << 20, .protocolViolation),
            (Array("{}".utf8), 1 << 20, .protocolViolation),
        ] as [([UInt8], Int, TransportError.Kind)]
    )
    func damaged(body: [UInt8], limit: Int, kind: TransportError.Kind) async throws {
        try await withServer { peer in
            _ = try await peer.head()
            try await peer.write(Self.head(body.count))
            try await peer.write(body)
            try await peer.waitForEnd()
        } _: { port in
            try await NIOTransport.withTransport(logger: .silent) { transport in
                let request = HTTPRequest(url: "http://127.0.0.1:\(port)/", maximumBodySize: limit)
                let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
                #expect(error?.kind == kind)
            }
        }
    }

    @Test("The limit of decompression is reported as one of the length") func limit() throws {
        let error = TransportError(
            NIOHTTPDecompression.DecompressionError.limit,
            on: Route(try Endpoint("https://example.com/"), through: [nil])
        )
        #expect(error.kind == .tooLarge)
    }
}
