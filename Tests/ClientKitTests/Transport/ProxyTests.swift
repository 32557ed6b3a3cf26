import Logging
import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Over real proxies to a host with TLS, with HTTP and with WebSockets.
@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    /// Reachable only through the proxy: no name server knows it.
    private static let host = "host.invalid"

    private struct ProxiedHost {
        let relay: Relay
        let transport: NIOTransport
        var host = ProxyTests.host
        var url: String { "https://\(host)/path?token=geheim" }

        func get() async throws -> String { try await TLSFixture.get(url, over: transport) }

        func talk() async throws -> WebSocketMessage? { try await TLSFixture.talk(url, over: transport) }

        func failures(timeout: Duration = .seconds(30)) async -> [TransportError?] {
            await ProxyTests.failures(of: url, over: transport, timeout: timeout)
        }
    }

    /// The errors of a request and of a WebSocket.
    private static func failures(
        of url: String = "https://\(host)/",
        over transport: NIOTransport,
        timeout: Duration = .seconds(30)
    ) async -> [TransportError?] {
        [
            await #expect(throws: TransportError.self) {
                try await TLSFixture.get(url, over: transport, timeout: timeout)
            },
            await #expect(throws: TransportError.self) {
                try await TLSFixture.talk(url, over: transport, timeout: timeout)
            },
        ]
    }

    private func with(
        _ admission: Relay.Admission = .proxy(status: 200),
        credentials: String = "",
        exceptions: String = "",
        trusting: Bool = true,
        certificateFor name: String = Self.host,
        _ body: (ProxiedHost) async throws -> Void
    ) async throws {
        try await TLSFixture.with(name) { fixture in
            try await Relay.with(to: fixture.port, admission: admission) { relay in
                let rules = ProxyRules(environment: [
                    "https_proxy": "http://\(credentials)127.0.0.1:\(relay.port)", "no_proxy": exceptions,
                ])
                let options = TransportOptions.withDetails(
                    extraCAFile: trusting ? fixture.authority.file : nil,
                    proxies: rules
                )
                try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
                    try await body(ProxiedHost(relay: relay, transport: transport))
                }
            }
        }
    }

    @Test("HTTP and WebSocket connections use the proxy") func allTraffic() async throws {
        try await with(credentials: "anna%40corp:geheim@") { (host) async throws in
            let head = try await host.get()
            #expect(try await host.talk() == .text("hello"))
            // TLS is between client and host, which gets no header of the proxy.
            #expect(head.hasPrefix("GET /path?token=geheim HTTP/1.1\r\n"))
            #expect(!head.lowercased().contains("proxy"))
            #expect(host.relay.requests.count == 2)
            for request in host.relay.requests {
                #expect(request.hasPrefix("CONNECT \(Self.host):443 HTTP/1.1\r\n"))
                #expect(request.lowercased().contains("\r\nproxy-authorization: basic yw5uyubjb3jwomdlagvpbq==\r\n"))
                #expect(!request.contains("geheim") && !request.contains("path"))
            }
        }
    }

    @Test("No credentials are sent without credentials in the proxy URL")
    func noCredentials() async throws {
        try await with { (host) async throws in
            _ = try await host.get()
            _ = try await host.talk()
            #expect(host.relay.requests.count == 2)
            #expect(!host.relay.requests.contains { $0.lowercased().contains("authorization") })
        }
    }

    /// The host does not exist.
    @Test("A host in no_proxy is connected to directly") func exceptions() async throws {
        try await with(exceptions: "b.example,.invalid") { (host) async throws in
            for error in await host.failures() { #expect(error?.cause == .unknownName) }
            #expect(host.relay.connections == 0)
        }
    }

    @Test("Loopback addresses bypass the proxy") func loopback() async throws {
        try await TLSFixture.with { fixture in
            let rules = ProxyRules(environment: ["https_proxy": "http://127.0.0.1:1"])
            let options = TransportOptions(extraCAFile: fixture.authority.file, proxies: rules)
            try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                _ = try await TLSFixture.get("https://localhost:\(fixture.port)/", over: transport)
                let echo = try await TLSFixture.talk("wss://localhost:\(fixture.port)/", over: transport)
                #expect(echo == .text("hello"))
            }
        }
    }

    @Test("Through a proxy, the certificate of the host is verified") func untrustedHost() async throws {
        try await with(trusting: false) { (host) async throws in
            let name = "\(Self.host) (through the proxy 127.0.0.1:\(host.relay.port))"
            for error in await host.failures() {
                #expect(error?.cause == .untrustedCertificate)
                #expect(
                    error?.detail.hasPrefix("No secure connection to \(name): its certificate is signed by an") == true
                )
            }
            let certificates = try await host.transport.certificates(of: host.url, timeout: .seconds(30))
            #expect(certificates.count == 1)
        }
    }

    @Test(
        "Through a proxy, the certificate of an address is that of the address",
        arguments: [("192.0.2.7", "192.0.2.7"), ("[2001:db8::7]", "2001:db8::7")]
    ) func address(host: String, name: String) async throws {
        try await with(certificateFor: name) { proxied in
            var proxied = proxied
            proxied.host = host
            _ = try await proxied.get()
            #expect(try await proxied.talk() == .text("hello"))
            for request in proxied.relay.requests { #expect(request.hasPrefix("CONNECT \(host):443 HTTP/1.1\r\n")) }
            #expect(proxied.relay.requests.count == 2)
        }
    }

    /// The proxy is at 127.0.0.1.
    @Test(
        "Through a proxy, a certificate for the proxy's address or for a name is not that of an address",
        arguments: ["127.0.0.1", "192.0.2.8", host]
    ) func otherAddress(name: String) async throws {
        try await with(certificateFor: name) { proxied in
            var proxied = proxied
            proxied.host = "192.0.2.7"
            for error in await proxied.failures() { #expect(error?.cause == .certificateForAnotherName) }
        }
    }

    // MARK: Faults

    @Test("A proxy that refuses is reported with its HTTP status", arguments: [403, 407, 500, 502, 503])
    func refusedConnection(status: Int) async throws {
        try await with(.proxy(status: status), credentials: "anna:geheim@") { host in
            let proxy = "The proxy 127.0.0.1:\(host.relay.port) (https_proxy)"
            let sentence =
                status == 407
                ? "\(proxy) rejected the credentials (HTTP status 407). Correct https_proxy."
                : "\(proxy) refused the connection to \(Self.host) with HTTP status \(status)."
            for error in await host.failures() { #expect(error == TransportError(.proxy(status: status), sentence)) }
        }
    }

    /// Either timeout may come first: that of the request, or that of the proxy.
    @Test("A proxy that does not answer is a timeout") func silentProxy() async throws {
        try await with(.silentProxy, credentials: "anna:geheim@") { host in
            for error in await host.failures(timeout: .milliseconds(300)) {
                #expect(error?.kind == .timeout || error?.kind == .proxy(status: nil))
                #expect(error?.detail.contains("proxy 127.0.0.1:\(host.relay.port)") == true)
                #expect(error?.detail.contains(" did not ") == true)
            }
        }
    }

    @Test("A proxy that closes the connection is an error") func closingProxy() async throws {
        try await with(.closingProxy, credentials: "anna:geheim@") { host in
            for error in await host.failures() {
                #expect(error?.kind == .proxy(status: nil) || error?.kind == .unreachable)
                #expect(error?.detail.contains("proxy 127.0.0.1:\(host.relay.port)") == true)
            }
        }
    }

    @Test(
        "A proxy that does not speak HTTP is an error",
        arguments: [
            "SSH-2.0-x\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", String(repeating: "x", count: 100_000),
        ]
    )
    func invalidResponse(answer: String) async throws {
        try await withServer { peer in
            _ = try await peer.head()
            try await peer.write(answer)
            try await peer.waitForEnd()
        } _: { port in
            let rules = ProxyRules(environment: ["https_proxy": "http://127.0.0.1:\(port)"])
            try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
                let opened = await #expect(throws: TransportError.self) {
                    try await TLSFixture.talk("https://\(Self.host)/", over: transport)
                }
                #expect(opened?.kind == .proxy(status: nil))
                #expect(
                    opened?.detail
                        == "The proxy 127.0.0.1:\(port) (https_proxy) did not open a connection to \(Self.host)."
                )
            }
        }
    }

    @Test("A proxy that does not listen is reported with its variable", arguments: ["http", "socks5"])
    func missingProxy(scheme: String) async throws {
        let rules = ProxyRules(environment: ["ALL_PROXY": "\(scheme)://127.0.0.1:1"])
        try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
            for error in await Self.failures(over: transport) {
                #expect(
                    error?.detail == "The proxy 127.0.0.1:1 (ALL_PROXY) could not be reached: nothing listens there."
                )
            }
        }
    }

    @Test("A proxy whose name is unknown is reported with its variable") func unknownProxy() async throws {
        let rules = ProxyRules(environment: ["https_proxy": "http://proxy.invalid:3128"])
        try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
            let error = await #expect(throws: TransportError.self) {
                try await TLSFixture.talk("https://\(Self.host)/", over: transport)
            }
            #expect(error?.cause == .unknownName)
            #expect(error?.detail.hasPrefix("The name proxy.invalid of the proxy in https_proxy c") == true)
        }
    }

    // MARK: SOCKS

    @Test("A SOCKS proxy resolves the names") func socks() async throws {
        try await TLSFixture.with(Self.host) { fixture in
            try await Relay.with(to: fixture.port, admission: .socks(reply: 0)) { relay in
                let rules = ProxyRules(environment: ["all_proxy": "socks5h://127.0.0.1:\(relay.port)"])
                let options = TransportOptions(extraCAFile: fixture.authority.file, proxies: rules)
                try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                    _ = try await TLSFixture.get("https://\(Self.host)/", over: transport)
                    #expect(try await TLSFixture.talk("https://\(Self.host)/", over: transport) == .text("hello"))
                }
                #expect(relay.requests == ["\(Self.host):443", "\(Self.host):443"], "the proxy resolves names")
            }
        }
    }

    /// RFC 1928 §6: not allowed by ruleset, host unreachable.
    @Test("A SOCKS proxy that refuses is an error", arguments: [2, 4] as [UInt8]) func socksRefusal(reply: UInt8)
        async throws
    {
        try await Relay.with(to: 1, admission: .socks(reply: reply)) { relay in
            let rules = ProxyRules(environment: ["all_proxy": "socks5://127.0.0.1:\(relay.port)"])
            try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
                for error in await Self.failures(over: transport) {
                    #expect(error?.kind == .proxy(status: nil))
                    #expect(error?.detail.contains("127.0.0.1:\(relay.port) (all_proxy) did not open") == true)
                }
            }
        }
    }

    // MARK: Invalid variables

    @Test("An unusable proxy is reported once and never bypassed") func unusableProxy() async throws {
        let log = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in CapturingLog { message in log.withLock { $0.append(message) } } }
        let rules = ProxyRules(environment: ["HTTPS_PROXY": "https://anna:geheim@proxy.example"])
        try await TLSFixture.with { fixture in
            try await NIOTransport.withTransport(options: .init(proxies: rules), logger: logger) { transport in
                for _ in 0..<2 {
                    let error = await #expect(throws: TransportError.self) {
                        try await TLSFixture.get(
                            "https://\(Self.host):\(fixture.port)/",
                            over: transport.trusting("/x")
                        )
                    }
                    #expect(error?.detail == rules.problem)
                }
            }
        }
        #expect(log.withLock { $0 } == [rules.problem ?? "?"])
    }

    private struct CapturingLog: LogHandler {
        let note: @Sendable (String) -> Void
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { if event.level >= .warning { note("\(event.message)") } }
    }
}
