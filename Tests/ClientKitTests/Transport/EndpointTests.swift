import TestSupport
import Testing

@testable import ClientKit

struct EndpointTests {
    static let good: [(String, String, Int, Bool, String, String)] = [
        ("https://a.example", "a.example", 443, true, "/", "a.example"),
        (
            "wss://a.example/socket.io/?EIO=4&transport=websocket", "a.example", 443, true,
            "/socket.io/?EIO=4&transport=websocket", "a.example"
        ),
        ("HTTPS://a.example:8443/x%20y?z=%2F#f", "a.example", 8443, true, "/x%20y?z=%2F", "a.example:8443"),
        ("http://127.0.0.1:80/", "127.0.0.1", 80, false, "/", "127.0.0.1"),
        ("ws://127.1.2.3:8080", "127.1.2.3", 8080, false, "/", "127.1.2.3:8080"),
        ("http://localhost:1/", "localhost", 1, false, "/", "localhost:1"),
        ("ws://LOCALHOST/", "LOCALHOST", 80, false, "/", "LOCALHOST"),
        ("http://[::1]:99/", "::1", 99, false, "/", "[::1]:99"),
        ("https://[2001:db8::1]/", "2001:db8::1", 443, true, "/", "[2001:db8::1]"),
    ]

    @Test("A URL is split into host, port, request target and Host header", arguments: good.map { GoodCase($0) })
    func validURLs(expected: GoodCase) throws {
        let endpoint = try Endpoint(expected.url)
        #expect(endpoint.host == expected.host)
        #expect(endpoint.port == expected.port)
        #expect(endpoint.isSecure == expected.isSecure)
        #expect(endpoint.target == expected.target)
        #expect(endpoint.authority == expected.authority)
    }

    struct GoodCase: Sendable {
        let url: String, host: String, port: Int, isSecure: Bool, target: String, authority: String

        init(_ row: (String, String, Int, Bool, String, String)) {
            (url, host, port, isSecure, target, authority) = row
        }
    }

    @Test(
        "A URL that cannot be used is rejected",
        arguments: [
            "", "x", "//a.example/", "https://", "https:///path", "ftp://a.example/", "file:///etc/passwd",
            "https://u:p@a.example/",
            "https://u@a.example/", "https://a.example:0/", "https://a.example:99999/", "https://a b/",
            "https://a\r\nX: y/",
        ]
    )
    func invalidURLs(url: String) {
        let error = #expect(throws: TransportError.self) { try Endpoint(url) }
        #expect(error?.kind == .invalidURL)
    }

    @Test(
        "Unencrypted URLs are rejected for all hosts except this computer",
        arguments: [
            "http://a.example/", "ws://a.example/", "http://128.0.0.1/", "http://127.0.0.1.example/", "http://127.0.0/",
            "http://10.0.0.1/",
            "http://localhost.example/", "http://[::2]/", "http://127.0.0.01.2/", "http://0.0.0.0/",
            "http://[::ffff:10.0.0.1]/",
            "http://127.0.0.1@evil.example/",
        ]
    )
    func plainHTTP(url: String) {
        let error = #expect(throws: TransportError.self) { try Endpoint(url) }
        #expect(error?.kind == .insecure || error?.kind == .invalidURL)
    }

    @Test("The error contains the host and no other part of the URL") func errorText() {
        let error = #expect(throws: TransportError.self) { try Endpoint("http://a.example/path?token=geheim") }
        #expect(error?.detail.contains("a.example") == true)
        #expect(error?.detail.contains("geheim") == false)
    }

    /// An upper-case scheme is read by `URLComponents`.
    @Test("A plain URL is read as any other") func plainURLs() {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "a", "example.com", "1", "-", ".", ":", ":80", ":0", ":65536", "/", "?", "#", "@", "%", "%41", "%4", "=",
            "&",
            " ", "ü", "[::1]", "[", "]", "~", "|", "\"", "localhost", "127.0.0.1",
        ]
        for _ in 0..<3000 {
            let scheme = ["https", "http", "wss", "ws"].randomElement(using: &random)!
            let count = Int.random(in: 0...7, using: &random)
            let rest = "://" + (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()
            let plain = Result { try Endpoint(scheme + rest) },
                other = Result { try Endpoint(scheme.uppercased() + rest) }
            #expect((try? plain.get()) == (try? other.get()), "\(scheme + rest)")
        }
    }
}
