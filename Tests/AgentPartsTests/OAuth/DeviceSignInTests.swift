import Basics
import ClientKit
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// Sign-ins with a code that is entered on another device.
@Suite(.timeLimit(.minutes(5))) struct DeviceSignInTests {
    private static let code =
        #"{"device_code":"D","user_code":"LEXP-UOG8","verification_uri":"https://login.example.com/device","#

    private static func authorization(_ rest: String = #""expires_in":120,"interval":5}"#) throws -> DeviceAuthorization
    {
        try DeviceAuthorization(HTTPResponse(200, code + rest), from: "login.example.com")
    }

    @Test(
        "What a server says about time is kept within bounds",
        arguments: [
            (#""expires_in":120,"interval":5}"#, 120, 6_000), (#""expires_in":"900","interval":"2"}"#, 900, 2_400),
            (#""expires_in":1,"interval":0}"#, 60, 1_200), (#""expires_in":1e9,"interval":1e9}"#, 1_800, 72_000),
            (#""x":1}"#, 600, 6_000),
        ] as [(String, Int, Int)]
    )
    func bounds(rest: String, lifetime: Int, wait: Int) throws {
        let authorization = try Self.authorization(rest)
        #expect(authorization.lifetime == .seconds(lifetime))
        #expect(DevicePolling(authorization).wait == .milliseconds(wait))
    }

    @Test(
        "An answer that is no code is refused, and an address that is not safe is not shown",
        arguments: [
            (HTTPResponse(200, "{}"), OAuthError.Kind.unexpected), (.html(200), .transient),
            (HTTPResponse(400, #"{"error":"unauthorized_client"}"#), .misconfigured),
            (HTTPResponse(404, ""), .unexpected),
            (
                HTTPResponse(200, #"{"device_code":"D","user_code":"A","verification_uri":"http://evil.example/"}"#),
                .unexpected
            ),
            (HTTPResponse(200, #"{"device_code":"D","user_code":"A","verification_uri":"javascript:1"}"#), .unexpected),
            (
                HTTPResponse(
                    200,
                    #"{"device_code":"D","user_code":"A\u202eB","verification_uri":"https://a.example"}"#
                ), .unexpected
            ),
        ] as [(HTTPResponse, OAuthError.Kind)]
    )
    func refused(_ response: HTTPResponse, _ kind: OAuthError.Kind) {
        #expect { try DeviceAuthorization(response, from: "login.example.com") } throws: {
            ($0 as? OAuthError)?.kind == kind
        }
    }

    private static func error(_ code: String, _ more: String = "") -> HTTPResponse {
        HTTPResponse(400, #"{"error":"\#(code)"\#(more)}"#)
    }

    @Test(
        "The server is asked again as it wants, and more seldom where it does not answer",
        arguments: [
            ([error("authorization_pending")], 6_000), ([error("slow_down")], 12_000),
            ([error("slow_down", #","interval":20"#)], 24_000), ([error("slow_down"), error("slow_down")], 18_000),
            ([nil], 12_000), ([nil, nil, nil, nil, nil], 72_000), ([HTTPResponse(503, "")], 12_000),
            ([.html(404)], 12_000), ([HTTPResponse(404, "")], 12_000),
        ] as [([HTTPResponse?], Int)]
    )
    func waits(_ answers: [HTTPResponse?], _ milliseconds: Int) throws {
        var polling = DevicePolling(try Self.authorization())
        for answer in answers { #expect(polling.step(after: answer, from: "login.example.com") == .again) }
        #expect(polling.wait == .milliseconds(milliseconds))
    }

    @Test(
        "A refusal ends it",
        arguments: [
            ("access_denied", OAuthError.Kind.denied), ("authorization_declined", .denied), ("expired_token", .denied),
            ("invalid_grant", .ended), ("unsupported_grant_type", .misconfigured),
        ]
    )
    func ends(_ code: String, _ kind: OAuthError.Kind) throws {
        var polling = DevicePolling(try Self.authorization())
        guard case .failed(let error) = polling.step(after: Self.error(code), from: "login.example.com") else {
            Issue.record("it goes on")
            return
        }
        #expect(error.kind == kind)
    }

    private final class Server: HTTPTransport {
        let answers: Mutex<[HTTPResponse]>
        let requests = Mutex<[String]>([])

        init(_ answers: [HTTPResponse]) { self.answers = Mutex(answers) }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            requests.withLock { $0.append("\(request.url) \(String(decoding: request.body ?? [], as: UTF8.self))") }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    private static var metadata: ServerMetadata {
        var metadata = Sample.metadata
        metadata.deviceAuthorizationEndpoint = "https://login.example.com/device-code"
        return metadata
    }

    /// - Parameter lifetime: Of the code, in seconds.
    private func signIn(
        _ answers: [HTTPResponse],
        lifetime: Int = 120
    ) async -> (result: Result<GrantedTokens?, OAuthError>, time: Duration, requests: [String]) {
        let clock = ManualClock()
        let first = HTTPResponse(200, Self.code + #""expires_in":\#(lifetime),"interval":5}"#)
        let server = Server([first] + answers)
        let signIn = DeviceSignIn(server: AuthorizationServer(Sample.client, server), clock: clock)
        let metadata = Self.metadata
        let result = await withTaskGroup(of: Void.self) { group -> Result<GrantedTokens?, OAuthError> in
            group.addTask {
                while !Task.isCancelled { clock.advance(by: await clock.sleeper(within: .zero ... .seconds(100))) }
            }
            defer { group.cancelAll() }
            let tokens = Mutex<GrantedTokens?>(nil)
            do throws(OAuthError) {
                try await signIn.run(at: metadata, offer: { _ in }, redeeming: {}) { granted in
                    tokens.withLock { $0 = granted }
                }
            } catch { return .failure(error) }
            return .success(tokens.withLock { $0 })
        }
        return (result, clock.now.offset, server.requests.withLock { $0 })
    }

    @Test("A user enters the code, and is signed in") func life() async throws {
        let granted = HTTPResponse(200, #"{"access_token":"a","token_type":"Bearer","refresh_token":"r"}"#)
        let (result, time, requests) = await signIn([Self.error("authorization_pending"), granted])
        #expect(try result.get() == GrantedTokens(accessToken: "a", refreshToken: "r"))
        #expect(time == .seconds(12))
        #expect(requests[0].hasPrefix("https://login.example.com/device-code client_id=feedbell&scope="))
        let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D&client_id=feedbell"
        #expect(requests[1...].allSatisfy { $0 == "https://login.example.com/token \(grant)" })
        #expect(requests.count == 3)
    }

    @Test("A code that nobody enters ends in time") func expiry() async {
        let (result, time, requests) = await signIn([Self.error("authorization_pending")], lifetime: 60)
        #expect { try result.get() } throws: { ($0 as? OAuthError)?.message.contains("in time") == true }
        #expect(time == .seconds(54) && requests.count == 10)
    }

    @Test("The id token of another program, or of another server, is not accepted") func idToken() async {
        let token = Sample.token(["iss": "https://login.example.com/realms/staff", "aud": "other"])
        let body: JSONValue = ["access_token": "a", "token_type": "Bearer", "id_token": .string(token)]
        let (result, _, _) = await signIn([HTTPResponse(200, body.text)])
        #expect { try result.get() } throws: { ($0 as? OAuthError)?.kind == .denied }
    }
}
