import Basics
import ClientKit
import Logging
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct RedirectListenerTests {
    private static let page = RedirectPage(title: "You Are Signed In", text: "Go back to Feedbell.", language: "en")

    private func withListener(_ body: (RedirectListener, _ port: Int) async throws -> Void) async throws {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let listener = try await RedirectListener.open(port: 0, on: transport.eventLoop)
            let port = try #require(Int(listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }))
            do { try await body(listener, port) } catch {
                await listener.close()
                throw error
            }
            await listener.close()
        }
    }

    private func get(_ target: String, _ port: Int, host: String? = nil) async throws -> String {
        try await RawConnection.open(port)
            .exchange("GET \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n\r\n")
    }

    @Test("The start address leads to the authorization request, once") func start() async throws {
        try await withListener { listener, port in
            let path = String(listener.startURL.dropFirst("http://127.0.0.1:\(port)".count))
            await listener.offer("https://login.example.com/authorize?a=b")
            let first = try await get(path, port)
            #expect(first.hasPrefix("HTTP/1.1 302 "))
            #expect(first.contains("Location: https://login.example.com/authorize?a=b\r\n"))
            #expect(try await get(path, port).hasPrefix("HTTP/1.1 404 "))
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
            #expect(try await get("/callback?code=a", port, host: "evil.example").hasPrefix("HTTP/1.1 404 "))
            #expect(try await RawConnection.open(port).exchange("\u{16}\u{3}\u{1}\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
            let long = String(repeating: "a", count: 10_000)
            #expect(try await get("/callback?code=\(long)", port) == "")
            async let answer = get("/callback?code=b", port)
            let redirected = try #require(await listener.redirects.next())
            #expect(redirected.query == "code=b")
            redirected.decline()
            #expect(try await answer.hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("Connections without a request do not keep the browser from its own, and end") func silent() async throws {
        try await withListener { listener, port in
            var silent: [RawConnection] = []
            for _ in 1...7 { silent.append(try await .open(port)) }
            async let answer = get("/callback?code=a", port)
            let redirected = try #require(await listener.redirects.next())
            await redirected.answer(Self.page)
            #expect(try await answer.hasPrefix("HTTP/1.1 200 "))
            // Eight at a time.
            silent.append(try await .open(port))
            #expect(try await get("/callback?code=a", port) == "")
            // Closed by the listener.
            for connection in silent { #expect(try await connection.exchange("") == "") }
        }
    }

    @Test("A port that another program uses is named") func usedPort() async throws {
        try await withListener { listener, port in
            try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
                other in
                let error = await #expect(throws: OAuthError.self) {
                    try await RedirectListener.open(port: port, on: other.eventLoop)
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
