import Basics
import ClientKit
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct RedirectListenerTests {
    private static let page = RedirectPage(title: "You Are Signed In", text: "Go back to Feedbell.", language: "en")

    private func withListener(_ body: (RedirectListener, _ port: Int) async throws -> Void) async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let listener = try await RedirectListeners(on: transport.eventLoop).open(port: 0)
            await listener.offer("https://login.example.com/authorize?a=b", state: "S")
            let port = try Self.port(of: listener)
            do { try await body(listener, port) } catch {
                await listener.close()
                throw error
            }
            await listener.close()
        }
    }

    private static func port(of listener: RedirectListener) throws -> Int {
        try #require(Int(listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }))
    }

    /// Outside of those that the system gives to who does not choose one, such as other tests (ip(7)).
    private static var unusedPort: Int { .random(in: 20_000..<30_000) }

    private func get(_ target: String, _ port: Int, host: String? = nil) async throws -> String {
        try await RawConnection.open(port)
            .exchange("GET \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\r\n")
    }

    @Test("The start address leads to the authorization request once, and says so when it is opened again") func start()
        async throws
    {
        try await withListener { listener, port in
            let path = String(listener.startURL.dropFirst("http://127.0.0.1:\(port)".count))
            let first = try await get(path, port)
            #expect(first.hasPrefix("HTTP/1.1 302 "))
            #expect(first.contains("Location: https://login.example.com/authorize?a=b\r\n"))
            let second = try await get(path, port)
            #expect(second.hasPrefix("HTTP/1.1 404 ") && second.contains("<h1>This address was used already</h1>"))
        }
    }

    @Test("A browser's request gets the page, which loads nothing and is not kept") func page() async throws {
        try await withListener { listener, port in
            async let answer = get("/callback?code=a&state=S", port)
            let redirected = try #require(await listener.redirects.next())
            #expect(redirected.query == "code=a&state=S")
            await redirected.answer(Self.page)
            let text = try await answer
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            for header in [
                "Content-Security-Policy: default-src 'none'", "Cache-Control: no-store", "Connection: close",
                "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            ] { #expect(text.contains("\(header)\r\n")) }
            #expect(text.hasSuffix(Self.page.html))
        }
    }

    @Test("Requests of other programs and of other hosts' pages are refused, and do not end the wait")
    func foreign() async throws {
        try await withListener { listener, port in
            #expect(try await get("/", port).hasPrefix("HTTP/1.1 404 "))
            #expect(try await get("/callback?code=a&state=S", port, host: "evil.example").hasPrefix("HTTP/1.1 404 "))
            #expect(try await RawConnection.open(port).exchange("\u{16}\u{3}\u{1}\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
            for query in ["code=a", "code=a&state=s", "code=a&state=S&state=S"] {
                #expect(try await get("/callback?\(query)", port).hasPrefix("HTTP/1.1 404 "))
            }
            let long = String(repeating: "a", count: 10_000)
            #expect(try await get("/callback?code=\(long)", port) == "")
            async let answer = get("/callback?code=b&state=S", port)
            let redirected = try #require(await listener.redirects.next())
            #expect(redirected.query == "code=b&state=S")
            redirected.decline()
            #expect(try await answer.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("Connections without a request do not keep the browser from its own: the oldest is closed for it")
    func silent() async throws {
        try await withListener { listener, port in
            var silent: [RawConnection] = []
            for _ in 1...20 { silent.append(try await .open(port)) }
            async let answer = get("/callback?code=a&state=S", port)
            let redirected = try #require(await listener.redirects.next())
            await redirected.answer(Self.page)
            #expect(try await answer.hasPrefix("HTTP/1.1 200 "))
            // Closed by the listener.
            for connection in silent { #expect(try await connection.exchange("") == "") }
        }
    }

    @Test("Sign-ins at one port share it: each gets the answer to its own request, and the last one closes it")
    func sharedPort() async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let listeners = RedirectListeners(on: transport.eventLoop)
            let port = Self.unusedPort
            let (first, second) = (try await listeners.open(port: port), try await listeners.open(port: port))
            await first.offer("https://login.example.com/1", state: "1")
            await second.offer("https://login.example.com/2", state: "2")
            for (listener, number) in [(second, 2), (first, 1)] {
                let path = String(listener.startURL.dropFirst("http://127.0.0.1:\(port)".count))
                #expect(try await get(path, port).contains("Location: https://login.example.com/\(number)\r\n"))
                async let answer = get("/callback?code=a&state=\(number)", port)
                let redirected = try #require(await listener.redirects.next())
                #expect(redirected.query == "code=a&state=\(number)")
                await redirected.answer(Self.page)
                #expect(try await answer.hasPrefix("HTTP/1.1 200 "))
                await listener.close()
            }
            await #expect(throws: (any Error).self) { try await RawConnection.open(port) }
            let next = try await listeners.open(port: port)
            #expect(next.redirectURI == "http://127.0.0.1:\(port)/callback")
            await next.close()
        }
    }

    @Test("localhost is both families of addresses, and none of them may be another program's")
    func localhost() async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let listeners = RedirectListeners(on: transport.eventLoop)
            let listener = try await listeners.open(port: 0, host: "localhost")
            let port = try Self.port(of: listener)
            await listener.offer("https://login.example.com/", state: "S")
            for address in ["127.0.0.1", "::1"] {
                async let answer = RawConnection.open(port, at: address)
                    .exchange("GET /callback?state=S HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                try #require(await listener.redirects.next()).decline()
                #expect(try await answer.hasPrefix("HTTP/1.1 404 "))
            }
            await listener.close()
            let other = try await ServerBootstrap(group: transport.eventLoop).bind(host: "::1", port: Self.unusedPort)
                .get()
            let used = other.localAddress?.port ?? 0
            let error = await #expect(throws: OAuthError.self) {
                try await listeners.open(port: used, host: "localhost")
            }
            #expect(error?.message.contains("port \(used)") == true)
            try await other.close()
            await #expect(throws: (any Error).self) { try await RawConnection.open(used) }
        }
    }

    @Test("A port that another program uses is named") func usedPort() async throws {
        try await withListener { listener, port in
            try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
                other in
                let error = await #expect(throws: OAuthError.self) {
                    try await RedirectListeners(on: other.eventLoop).open(port: port)
                }
                #expect(error?.kind == .misconfigured)
                #expect(error?.message.contains("port \(port)") == true)
            }
        }
    }

    @Test("A listener that is closed ends its connections, and the wait for requests") func close() async throws {
        try await withListener { listener, port in
            let connection = try await RawConnection.open(port)
            await listener.close()
            #expect(try await connection.exchange("") == "")
            #expect(await listener.redirects.next() == nil)
            await #expect(throws: (any Error).self) { try await RawConnection.open(port) }
        }
    }
}
