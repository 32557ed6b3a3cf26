import Basics
import ClientKit
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// A sign-in from the address for the browser to the page at its end, with a server whose answers are given.
@Suite(.timeLimit(.minutes(5))) struct BrowserSignInTests {
    /// The authorization server.
    private struct Server: HTTPTransport {
        var answer: @Sendable (HTTPRequest) async -> HTTPResponse
        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { await answer(request) }
    }

    private static let pages = BrowserSignIn.Pages(
        success: RedirectPage(title: "Signed In", text: "", language: "en"),
        unfinished: RedirectPage(title: "Not Yet", text: "", language: "en"),
        failure: { RedirectPage(title: "Failed", text: $0.message, language: "en") }
    )
    private static let granted = #"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#

    /// What a person saw, and how the sign-in ended.
    private struct End {
        var page: String
        var result: Result<GrantedTokens, OAuthError>
    }

    /// Signs in, with a person who answers the address of the authorization request by `visits`, one after the other.
    private func signIn(
        clock: any Clock<Duration> = ContinuousClock(),
        seen: Completion? = nil,
        answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
        complete: @escaping @Sendable (GrantedTokens) async throws(OAuthError) -> Void = { _ in },
        visits: @escaping @Sendable (_ state: String) -> [String]
    ) async throws -> End {
        try await NIOTransport.withTransport(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            transport in
            let server = AuthorizationServer(Sample.client, Server(answer: answer))
            let signIn = BrowserSignIn(server: server, pages: Self.pages, clock: clock)
            let tokens = Mutex<GrantedTokens?>(nil)
            let page = Mailbox<String>()
            return await withThrowingTaskGroup(of: Void.self) { group in
                let addresses = Mailbox<String>()
                group.addTask {
                    defer { page.close() }
                    guard let url = await addresses.messages.next() else { return }
                    let query = try #require(AuthorizationResponseQuery(url))
                    for visit in visits(query["state"]) {
                        let response = try await transport.send(HTTPRequest(url: query["redirect_uri"] + visit))
                        if response.status == 200 { page.send(String(decoding: response.body, as: UTF8.self)) }
                        seen?.finish()
                    }
                }
                var result: Result<Void, OAuthError>
                do throws(OAuthError) {
                    result = .success(
                        try await signIn.run(
                            at: Sample.metadata,
                            with: RedirectListeners(on: transport.eventLoop),
                            offer: { url, _ in addresses.send(url) },
                            redeeming: {},
                            complete: { (granted) async throws(OAuthError) in
                                tokens.withLock { $0 = granted }
                                try await complete(granted)
                            }
                        )
                    )
                } catch { result = .failure(error) }
                let end = result.map { tokens.withLock { $0! } }
                return End(page: await page.messages.next() ?? "", result: end)
            }
        }
    }

    @Test("A code is redeemed with its proof, and the browser is told at the end") func success() async throws {
        let requests = Mailbox<HTTPRequest>()
        let end = try await signIn(answer: {
            requests.send($0)
            return HTTPResponse(200, Self.granted)
        }) { ["?code=c1&state=\($0)"] }
        #expect(try end.result.get() == GrantedTokens(accessToken: "a", refreshToken: "r"))
        #expect(end.page.contains("<h1>Signed In</h1>"))
        let body = String(decoding: await requests.messages.next()?.body ?? [], as: UTF8.self)
        #expect(body.contains("code=c1&") && body.contains("&code_verifier="))
    }

    @Test("What is no response does not end the wait; the first response does") func foreignRequests() async throws {
        let end = try await signIn(answer: { _ in HTTPResponse(200, Self.granted) }) {
            ["?code=stolen&state=x", "", "?error=access_denied", "?code=c&state=\($0)"]
        }
        #expect(end.page.contains("<h1>Signed In</h1>"))
        #expect(throws: Never.self) { try end.result.get() }
    }

    @Test("A person who refuses, a server that does, and an account that is not theirs end the sign-in")
    func failures() async throws {
        let refused = try await signIn(answer: { _ in HTTPResponse(500, "") }) {
            ["?error=access_denied&state=\($0)"]
        }
        #expect(refused.page.contains("<h1>Failed</h1>") && refused.page.contains("access_denied"))
        #expect(throws: OAuthError.self) { try refused.result.get() }
        let failed = try await signIn(answer: { _ in HTTPResponse(400, #"{"error":"invalid_grant"}"#) }) {
            ["?code=c&state=\($0)"]
        }
        #expect(failed.page.contains("invalid_grant"))
        #expect(throws: OAuthError.self) { try failed.result.get() }
        let other = try await signIn(
            answer: { _ in HTTPResponse(200, Self.granted) },
            complete: { (_) async throws(OAuthError) in throw OAuthError(.denied, "This is Bob's inbox.") }
        ) { ["?code=c&state=\($0)"] }
        #expect(other.page.contains("This is Bob&apos;s inbox.") || other.page.contains("This is Bob's inbox."))
        #expect(throws: OAuthError.self) { try other.result.get() }
    }

    @Test("A browser does not wait longer than ten seconds for its page") func slowServer() async throws {
        let (clock, seen) = (ManualClock(), Completion())
        let end = try await signIn(
            clock: clock,
            seen: seen,
            answer: { _ in
                await clock.sleeper(for: .seconds(10))
                clock.advance(by: .seconds(10))
                await seen.wait()
                return HTTPResponse(200, Self.granted)
            }
        ) { ["?code=c&state=\($0)"] }
        #expect(end.page.contains("<h1>Not Yet</h1>"))
        #expect(throws: Never.self) { try end.result.get() }
    }

    @Test("Nobody signs in: after ten minutes the wait ends") func nobody() async throws {
        let clock = ManualClock()
        async let end = signIn(clock: clock, answer: { _ in HTTPResponse(500, "") }) { _ in [] }
        await clock.sleepers(1)
        clock.advance(by: .seconds(600))
        let result = try await end.result
        #expect { try result.get() } throws: { ($0 as? OAuthError)?.message.contains("ten minutes") == true }
    }
}

/// The parameters of the address that a browser gets.
private struct AuthorizationResponseQuery {
    private let parameters: [String: String]

    init?(_ url: String) {
        guard let query = url.split(separator: "?").last else { return nil }
        parameters = Dictionary(
            query.split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1)
                return (String(sides[0]), sides.count > 1 ? sides[1].percentDecoded ?? "" : "")
            }
        ) { first, _ in first }
    }

    subscript(name: String) -> String { parameters[name] ?? "" }
}
