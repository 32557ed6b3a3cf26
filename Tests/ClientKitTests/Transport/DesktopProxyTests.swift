import Synchronization
import TestSupport
import Testing

@testable import ClientKit

/// Over the proxies of the desktop's settings to a host with TLS, with HTTP and with WebSockets.
@Suite(.timeLimit(.minutes(5))) struct DesktopProxyTests {
    /// Reachable only through the proxy: no name server knows it.
    private static let host = "host.invalid"
    private static let url = "https://\(host)/path?token=geheim"
    /// Nothing listens there.
    private static let dead = "http://127.0.0.1:1"

    /// The desktop's settings, which note what they are asked.
    private final class Settings: Sendable {
        private let asked = Mutex<[String]>([])
        private let answer: Mutex<[String]?>

        init(_ answer: [String]?) { self.answer = Mutex(answer) }

        var questions: [String] { asked.withLock(\.self) }

        func set(_ answer: [String]?) { self.answer.withLock { $0 = answer } }

        func transport<Result>(
            _ options: TransportOptions,
            _ body: (NIOTransport) async throws -> Result
        ) async throws -> Result {
            let proxies: DesktopProxies = { url in
                self.asked.withLock { $0.append(url) }
                return self.answer.withLock(\.self)
            }
            return try await NIOTransport.withTransport(
                options: options,
                desktopProxies: proxies,
                logger: .silent,
                body
            )
        }
    }

    /// Runs `body` beside a proxy to the host, with what the settings answer: `{proxy}` is `127.0.0.1:PORT`.
    private func with(
        _ answer: [String],
        _ admission: Relay.Admission = .proxy(status: 200),
        serve: @escaping @Sendable (inout Peer) async throws -> Void = TLSFixture.serve,
        _ body: (Relay, Settings, NIOTransport) async throws -> Void
    ) async throws {
        try await TLSFixture.with(Self.host, serve: serve) { fixture in
            try await Relay.with(to: fixture.port, admission: admission) { relay in
                let settings = Settings(answer.map { $0.replacing("{proxy}", with: "127.0.0.1:\(relay.port)") })
                try await settings.transport(.withDetails(extraCAFile: fixture.authority.file)) { transport in
                    try await body(relay, settings, transport)
                }
            }
        }
    }

    private func failure(over transport: NIOTransport) async -> TransportError? {
        await #expect(throws: TransportError.self) { try await TLSFixture.get(Self.url, over: transport) }
    }

    @Test(
        "HTTP and WebSocket connections use the first way that works",
        arguments: [
            ["http://{proxy}"], ["http://{proxy}", "direct://"], [dead, "http://{proxy}"],
            ["http://proxy.invalid:1", dead, "http://{proxy}"], ["direct://", "http://{proxy}"],
        ]
    )
    func ways(answer: [String]) async throws {
        try await with(answer) { (relay, settings, transport) async throws in
            #expect(try await TLSFixture.get(Self.url, over: transport).hasPrefix("GET /path?token=geheim "))
            #expect(try await TLSFixture.talk(Self.url, over: transport) == .text("hello"))
            #expect(relay.requests.count == 2)
            #expect(relay.requests.allSatisfy { $0.hasPrefix("CONNECT \(Self.host):443 ") })
            #expect(settings.questions == ["https://\(Self.host)/", "https://\(Self.host)/"], "no path, no query")
        }
    }

    @Test("A SOCKS proxy of the settings resolves the names", arguments: ["socks", "socks5"])
    func socks(scheme: String) async throws {
        try await with(["\(scheme)://{proxy}"], .socks(reply: 0)) { (relay, _, transport) async throws in
            _ = try await TLSFixture.get(Self.url, over: transport)
            #expect(try await TLSFixture.talk(Self.url, over: transport) == .text("hello"))
            #expect(relay.requests == ["\(Self.host):443", "\(Self.host):443"])
        }
    }

    @Test("The settings are asked for each new connection, and not for one that is kept") func newConnections()
        async throws
    {
        let serve: @Sendable (inout Peer) async throws -> Void = { peer in
            while true {
                _ = try await peer.head()
                try await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        try await with(["http://{proxy}"], serve: serve) { (relay, settings, transport) async throws in
            for _ in 0..<3 { #expect(try await TLSFixture.get(Self.url, over: transport) == "ok") }
            #expect(settings.questions.count == 1)
            #expect(relay.connections == 1)
            transport.retireConnections()
            settings.set([Self.dead])
            #expect(await failure(over: transport)?.cause == .connectionRefused)
            #expect(settings.questions.count == 2)
        }
    }

    @Test("Without an answer, the connection is direct", arguments: [nil, [], ["direct://"]] as [[String]?])
    func direct(answer: [String]?) async throws {
        let settings = Settings(answer)
        try await settings.transport(TransportOptions()) { transport in
            let error = await failure(over: transport)
            #expect(error?.cause == .unknownName)
            #expect(error?.detail.contains("The name \(Self.host) c") == true)
            #expect(await transport.proxy(for: Self.url, desktop: "settings") == nil)
        }
    }

    @Test("Variables, their exceptions and this computer come before the settings") func precedence() async throws {
        let settings = Settings([Self.dead])
        for variables in [["https_proxy": "http://127.0.0.1:2"], ["no_proxy": ".invalid"]] {
            let options = TransportOptions(proxies: ProxyRules(environment: variables))
            try await settings.transport(options) { transport in
                let error = await failure(over: transport)
                let sign = variables["https_proxy"] == nil ? "The name " : ":2 (https_proxy)"
                #expect(error?.detail.contains(sign) == true)
            }
        }
        try await TLSFixture.with { fixture in
            try await settings.transport(TransportOptions(extraCAFile: fixture.authority.file)) { transport in
                _ = try await TLSFixture.get("https://localhost:\(fixture.port)/", over: transport)
            }
        }
        #expect(settings.questions == [])
    }

    @Test("If no way works, the error is that of the first") func noWay() async throws {
        let settings = Settings([Self.dead, "direct://"])
        try await settings.transport(TransportOptions()) { transport in
            #expect(
                await failure(over: transport)?.detail
                    == "The proxy 127.0.0.1:1 (the desktop's settings) could not be reached: nothing listens there."
            )
            let name = await transport.proxy(for: Self.url, desktop: "settings")
            #expect(name == "127.0.0.1:1 (settings)")
        }
    }

    @Test(
        "After a refusal with a status, no other way is tried",
        arguments: [["http://{proxy}", "http://{proxy}"], [dead, "http://{proxy}", "http://{proxy}"]]
    )
    func refusal(answer: [String]) async throws {
        try await with(answer, .proxy(status: 407)) {
            (relay, _, transport) async throws in
            let error = await failure(over: transport)
            #expect(error?.kind == .proxy(status: 407))
            #expect(error?.detail.hasSuffix("(HTTP status 407). Correct the desktop's settings.") == true)
            #expect(relay.connections == 1)
        }
    }

    @Test("An unusable proxy of the settings is reported and never bypassed") func unusable() async throws {
        try await Settings(["https://127.0.0.1:1"]).transport(TransportOptions()) { transport in
            #expect(await failure(over: transport)?.kind == .proxy(status: nil))
        }
    }

    /// The direct way would look the name up here, without a check of its addresses.
    @Test("A host that others choose is reached by the first way only") func restriction() async throws {
        try await Settings([Self.dead, "direct://"]).transport(TransportOptions()) { transport in
            let restricted = transport.restricted(by: AddressRestriction(exceptions: []) { _ in [] })
            let error = await #expect(throws: TransportError.self) {
                try await TLSFixture.get("https://localhost.example:1/", over: restricted)
            }
            #expect(error?.cause == .connectionRefused)
        }
    }

    @Test("A cancelled question is no reason to connect directly") func cancelled() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let proxies: DesktopProxies = { _ in
            ask.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return nil
        }
        try await NIOTransport.withTransport(desktopProxies: proxies, logger: .silent) { transport in
            let error = await withTaskGroup(of: TransportError?.self) { group in
                group.addTask { await failure(over: transport) }
                for await _ in asked { break }
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(error?.kind == .cancelled)
        }
    }
}
