import ClientKit
import Inbox
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// Downloads from hosts with a response for each URL.
@Suite(.timeLimit(.minutes(5))) struct PictureDownloadTests {
    /// Answers each request with the response for its URL.
    private final class Host: HTTPTransport {
        private let responses: [String: HTTPResponse]
        private let log = Mutex<[HTTPRequest]>([])

        init(_ responses: [String: HTTPResponse]) { self.responses = responses }

        var requests: [HTTPRequest] { log.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            log.withLock { $0.append(request) }
            guard let response = responses[request.url] else {
                throw TransportError(.unreachable, "There is no \(request.url).")
            }
            return response
        }
    }

    private static func redirect(_ location: String, status: Int = 302) -> HTTPResponse {
        HTTPResponse(status: status, headers: [HTTPField("location", location)])
    }

    private static func content(_ responses: [String: HTTPResponse]) async throws -> (content: [UInt8], Host) {
        let host = Host(responses)
        let download = PictureDownload(clock: ManualClock()) { _ in host }
        return (try await download.content(of: try #require(PictureURL("https://a.example/1"))), host)
    }

    private static let picture = HTTPResponse(status: 200, body: [1, 2, 3])

    @Test("The request has no cookies, credentials and Referer, and its size and time are limited") func request()
        async throws
    {
        let (content, host) = try await Self.content(["https://a.example/1": Self.picture])
        #expect(content == [1, 2, 3])
        let request = try #require(host.requests.first)
        #expect(request.headers.map(\.name) == ["Accept", "User-Agent", "Connection"])
        #expect(request.method == "GET" && request.body == nil)
        #expect(request.maximumBodySize == 1 << 20)
        #expect(request.timeout == .seconds(5))
    }

    @Test("Three redirects are followed", arguments: [301, 302, 303, 307, 308]) func redirects(status: Int) async throws
    {
        let (content, host) = try await Self.content([
            "https://a.example/1": Self.redirect("/2?x=1", status: status),
            "https://a.example/2?x=1": Self.redirect("//b.example/3", status: status),
            "https://b.example/3": Self.redirect("https://c.example/4", status: status),
            "https://c.example/4": Self.picture,
        ])
        #expect(content == [1, 2, 3])
        #expect(host.requests.count == 4)
        #expect(host.requests.allSatisfy { $0.headers == host.requests[0].headers })
    }

    @Test("A fourth redirect is not followed") func endlessRedirects() async throws {
        let host = Host(["https://a.example/1": Self.redirect("https://a.example/1")])
        let download = PictureDownload(clock: ManualClock()) { _ in host }
        let url = try #require(PictureURL("https://a.example/1"))
        await #expect(throws: PictureFailure(.picture, "a.example redirects more than 3 times.")) {
            try await download.content(of: url)
        }
        #expect(host.requests.count == 4)
    }

    @Test(
        "A redirect to something else than https is not followed",
        arguments: [
            "http://a.example/2", "file:///etc/passwd", "ftp://a.example/2", "data:image/png;base64,AAAA",
            "http://127.0.0.1/2", "https://user:secret@a.example/2", "https://", "javascript:alert(1)",
            "http://169.254.169.254/latest/meta-data/",
        ]
    )
    func refusedRedirect(_ location: String) async throws {
        await #expect(throws: PictureFailure(.picture, "a.example redirects to an address that is not allowed.")) {
            try await Self.content(["https://a.example/1": Self.redirect(location)])
        }
    }

    @Test("Another status is no picture, and only an unreachable host fails for all its pictures") func failures()
        async throws
    {
        for status in [204, 206, 304, 400, 404, 500] {
            await #expect(throws: PictureFailure(.picture, "a.example answered with HTTP status \(status).")) {
                try await Self.content(["https://a.example/1": HTTPResponse(status: status, body: [1])])
            }
        }
        await #expect(throws: PictureFailure(.host, "There is no https://a.example/1.")) { try await Self.content([:]) }
    }

    @Test("A download ends after five seconds, whatever the host does") func timeout() async throws {
        struct Silent: HTTPTransport {
            func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
                try? await ContinuousClock().sleep(for: .seconds(3_600))
                throw TransportError(.cancelled, "cancelled")
            }
        }
        let clock = ManualClock()
        let download = PictureDownload(clock: clock) { _ in Silent() }
        let url = try #require(PictureURL("https://a.example/1"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: PictureFailure(.host, "a.example did not send a picture in time.")) {
                    try await download.content(of: url)
                }
            }
            await clock.sleepers(1)
            clock.advance(by: .seconds(5))
            try await group.waitForAll()
        }
    }
}
