import Logging
import Synchronization
import TestSupport
import Testing

@testable import Transport

/// Over real proxies to a host with TLS, with HTTP and with WebSockets.
@Suite(.timeLimit(.minutes(1))) struct ProxyTests {
    /// No name server knows it, and no address of it leads anywhere: who reaches it went through the proxy.
    private static let host = "host.invalid"

    private struct World {
        let relay: Relay
        let transport: NIOTransport
        var url: String { "https://\(ProxyTests.host)/path?token=geheim" }

        func get() async throws -> String { try await TLSFixture.get(url, over: transport) }

        func talk() async throws -> WebSocketMessage? { try await TLSFixture.talk(url, over: transport) }

        func failures(timeout: Duration = .seconds(30)) async -> [TransportError?] {
            await ProxyTests.failures(of: url, over: transport, timeout: timeout)
        }
    }

    /// What both ways fail with.
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
        _ body: (World) async throws -> Void
    ) async throws {
        try await TLSFixture.with(Self.host) { fixture in
            try await Relay.with(to: fixture.port, admission: admission) { relay in
                let rules = ProxyRules(environment: [
                    "https_proxy": "http://\(credentials)127.0.0.1:\(relay.port)", "no_proxy": exceptions,
                ])
                let options = TransportOptions(
                    extraCAFile: trusting ? fixture.authority.file : nil,
                    proxies: rules
                )
                try await NIOTransport.withTransport(options: options, logger: .silent) { transport in
                    try await body(World(relay: relay, transport: transport))
                }
            }
        }
    }

    @Test("HTTP and WebSocket connections use the proxy") func allTraffic() async throws {
        try await with(credentials: "anna%40corp:geheim@") { (world) async throws in
            let head = try await world.get()
            #expect(try await world.talk() == .text("hello"))
            // TLS is with the host, which sees nothing of the proxy.
            #expect(head.hasPrefix("GET /path?token=geheim HTTP/1.1\r\n"))
            #expect(!head.lowercased().contains("proxy"))
            #expect(world.relay.requests.count == 2)
            for request in world.relay.requests {
                #expect(request.hasPrefix("CONNECT \(Self.host):443 HTTP/1.1\r\n"))
                #expect(request.lowercased().contains("\r\nproxy-authorization: basic yw5uyubjb3jwomdlagvpbq==\r\n"))
                #expect(!request.contains("geheim") && !request.contains("path"))
            }
        }
    }

    @Test("No credentials are sent without credentials in the proxy URL")
    func noCredentials() async throws {
        try await with { (world) async throws in
            _ = try await world.get()
            _ = try await world.talk()
            #expect(world.relay.requests.count == 2)
            #expect(!world.relay.requests.contains { $0.lowercased().contains("authorization") })
        }
    }

    /// A host that no proxy is for is asked for directly, and this one does not exist.
    @Test func exceptionsGoDirectly() async throws {
        try await with(exceptions: "b.example,.invalid") { (world) async throws in
            for error in await world.failures() { #expect(error?.cause == .unknownName) }
            #expect(world.relay.connections == 0)
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

    /// A proxy that reads along needs an authority of its own here.
    @Test func trustIsInTheHost() async throws {
        try await with(trusting: false) { (world) async throws in
            let name = "\(Self.host) (through the proxy 127.0.0.1:\(world.relay.port))"
            for error in await world.failures() {
                #expect(error?.cause == .untrustedCertificate)
                #expect(
                    error?.detail.hasPrefix("No secure connection to \(name): its certificate is signed by an") == true
                )
            }
            let certificates = try await world.transport.certificates(of: world.url, timeout: .seconds(30))
            #expect(certificates.count == 1)
        }
    }

    // MARK: Faults

    @Test(arguments: [403, 407, 500, 502, 503]) func refused(status: Int) async throws {
        try await with(.proxy(status: status), credentials: "anna:geheim@") { world in
            let proxy = "The proxy 127.0.0.1:\(world.relay.port) (https_proxy)"
            let sentence =
                status == 407
                ? "\(proxy) rejected the credentials (HTTP status 407). Correct https_proxy."
                : "\(proxy) refused the connection to \(Self.host) with HTTP status \(status)."
            for error in await world.failures() { #expect(error == TransportError(.proxy(status: status), sentence)) }
        }
    }

    /// What ends it is the time for all of it, or that for the proxy, which is as long.
    @Test func hangs() async throws {
        try await with(.silentProxy, credentials: "anna:geheim@") { world in
            for error in await world.failures(timeout: .milliseconds(300)) {
                #expect(error?.kind == .timeout || error?.kind == .proxy(status: nil))
                #expect(error?.detail.contains("proxy 127.0.0.1:\(world.relay.port)") == true)
                #expect(error?.detail.contains(" did not ") == true)
            }
        }
    }

    @Test func closes() async throws {
        try await with(.closingProxy, credentials: "anna:geheim@") { world in
            for error in await world.failures() {
                #expect(error?.kind == .proxy(status: nil) || error?.kind == .unreachable)
                #expect(error?.detail.contains("proxy 127.0.0.1:\(world.relay.port)") == true)
            }
        }
    }

    @Test(arguments: [
        "SSH-2.0-x\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", String(repeating: "x", count: 100_000),
    ])
    func talksNonsense(answer: String) async throws {
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

    /// The HTTP proxy is asked again for the status that the library does not report. Its answer may differ or be
    /// missing.
    @Test func refusesAndThenHangs() async throws {
        let connections = Mutex(0)
        try await withServer { peer in
            _ = try await peer.head()
            if connections.withLock({
                $0 += 1; return $0 == 1
            }) {
                try await peer.write("HTTP/1.1 403 No\r\n\r\n")
            }
            try await peer.waitForEnd()
        } _: { port in
            let rules = ProxyRules(environment: ["https_proxy": "http://127.0.0.1:\(port)"])
            try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
                let error = await #expect(throws: TransportError.self) {
                    try await TLSFixture.get("https://\(Self.host)/", over: transport)
                }
                #expect(error?.kind == .proxy(status: nil))
            }
        }
        #expect(connections.withLock { $0 } == 2)
    }

    @Test(arguments: ["http", "socks5"]) func isNotThere(scheme: String) async throws {
        let rules = ProxyRules(environment: ["ALL_PROXY": "\(scheme)://127.0.0.1:1"])
        try await NIOTransport.withTransport(options: .init(proxies: rules), logger: .silent) { transport in
            for error in await Self.failures(over: transport) {
                #expect(
                    error?.detail == "The proxy 127.0.0.1:1 (ALL_PROXY) could not be reached: nothing listens there."
                )
            }
        }
    }

    @Test func hasNoAddress() async throws {
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

    @Test func socks() async throws {
        try await TLSFixture.with(Self.host) { fixture in
            try await Relay.with(to: fixture.port, admission: .socks(reply: 0)) { relay in
                let rules = ProxyRules(environment: ["all_proxy": "socks5h://127.0.0.1:\(relay.port)"])
                let options = TransportOptions(extraCAFile: fixture.authority.file, proxies: rules)
                try await NIOTransport.withTransport(options: options, logger: .silent) { (transport) async throws in
                    _ = try await TLSFixture.get("https://\(Self.host)/", over: transport)
                    #expect(try await TLSFixture.talk("https://\(Self.host)/", over: transport) == .text("hello"))
                }
                #expect(relay.requests == ["\(Self.host):443", "\(Self.host):443"], "names are the proxy's to look up")
            }
        }
    }

    /// RFC 1928 §6: not allowed by ruleset, host unreachable.
    @Test(arguments: [2, 4] as [UInt8]) func socksRefuses(reply: UInt8) async throws {
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

    // MARK: A variable that is wrong

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
