import ClientKit
import Testing

@testable import Agent

@Suite struct GrantedTokensTests {
    // MARK: Requests

    @Test("A code is redeemed with its proof") func codeRequest() {
        let request = TokenEndpointRequest(.code("a/b", Sample.request), at: Sample.metadata, for: Sample.client)
            .httpRequest()
        #expect(request.method == "POST")
        #expect(request.url == "https://login.example.com/token")
        #expect(request.headers.contains(HTTPField("Content-Type", "application/x-www-form-urlencoded")))
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == "grant_type=authorization_code&code=a%2Fb&redirect_uri=http%3A%2F%2F127.0.0.1%3A45613%2Fcallback"
                + "&client_id=feedbell&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        )
    }

    @Test("A refresh has no scope, and the secret of a client that has one") func refreshRequest() {
        var client = Sample.client
        client.clientSecret = "no secret"
        let request = TokenEndpointRequest(.refresh(token: "r+1"), at: Sample.metadata, for: client).httpRequest()
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == "grant_type=refresh_token&refresh_token=r%2B1&client_id=feedbell&client_secret=no%20secret"
        )
    }

    @Test("A sign-in is revoked where the server has an endpoint for it") func revocation() {
        var metadata = Sample.metadata
        #expect(TokenEndpointRequest(revoking: "r", at: metadata, for: Sample.client) == nil)
        metadata.revocationEndpoint = "https://login.example.com/revoke"
        let request = TokenEndpointRequest(revoking: "r", at: metadata, for: Sample.client)?.httpRequest()
        #expect(request?.url == "https://login.example.com/revoke")
        #expect(
            request?.body.map { String(decoding: $0, as: UTF8.self) }
                == "token=r&token_type_hint=refresh_token&client_id=feedbell"
        )
    }

    // MARK: Answers

    @Test(
        "Tokens are read as servers write them",
        arguments: [
            (#"{"access_token":"a","token_type":"Bearer"}"#, GrantedTokens(accessToken: "a")),
            (
                #"{"access_token":"a","token_type":"bearer","expires_in":300,"refresh_token":"r","scope":"x"}"#,
                GrantedTokens(accessToken: "a", lifetime: .seconds(300), refreshToken: "r")
            ),
            (
                #"{"access_token":"a","token_type":"BEARER","expires_in":"3600","refresh_token":""}"#,
                GrantedTokens(accessToken: "a", lifetime: .seconds(3600))
            ),
            (
                #"{"access_token":"a","token_type":"Bearer","expires_in":-5,"id_token":"none"}"#,
                GrantedTokens(accessToken: "a", lifetime: .zero)
            ),
            (
                #"{"access_token":"a","token_type":"Bearer","expires_in":"soon"}"#, GrantedTokens(accessToken: "a")
            ),
        ]
    )
    func granted(_ body: String, _ tokens: GrantedTokens) throws {
        #expect(try GrantedTokens(HTTPResponse(200, body), from: "login.example.com") == tokens)
    }

    @Test(
        "Only an answer in OAuth's form, or an empty 400, ends a sign-in",
        arguments: [
            (HTTPResponse(400, #"{"error":"invalid_grant"}"#), OAuthError.Kind.ended),
            (HTTPResponse(400, ""), .ended), (HTTPResponse(401, "{}"), .transient), (.html(401), .transient),
            (HTTPResponse(400, "{}"), .transient), (HTTPResponse(401, ""), .transient),
            (HTTPResponse(403, ""), .transient), (HTTPResponse(404, "404 page not found"), .unexpected),
            (HTTPResponse(405, ""), .unexpected), (HTTPResponse(410, ""), .unexpected),
            (HTTPResponse(404, #"{"error":"Not Found","status":404}"#), .unexpected),
            (HTTPResponse(403, #"{"error":"Forbidden","status":403}"#), .transient),
            (HTTPResponse(401, #"{"error":{"code":401}}"#), .transient),
            (HTTPResponse(400, #"{"error":"temporarily_unavailable"}"#), .transient),
            (HTTPResponse(403, #"{"error":"AADSTS50173"}"#), .ended),
            (HTTPResponse(200, #"{"error":"bad_refresh_token"}"#), .ended),
            (HTTPResponse(401, #"{"error":"invalid_client"}"#), .misconfigured),
            (HTTPResponse(400, #"{"error":"unauthorized_client"}"#), .misconfigured),
            (HTTPResponse(400, #"{"error":"invalid_scope"}"#), .misconfigured),
            (HTTPResponse(408, ""), .transient), (HTTPResponse(425, ""), .transient),
            (HTTPResponse(429, "{}"), .transient), (HTTPResponse(500, "{}"), .transient),
            (HTTPResponse(503, #"{"error":"invalid_grant"}"#), .transient), (.html(500), .transient),
            (.html(400), .transient), (.html(200), .transient), (HTTPResponse(302, ""), .transient),
            (HTTPResponse(200, "{}"), .transient), (HTTPResponse(200, "[]"), .transient),
            (HTTPResponse(200, #"{"access_token":"a","token_type":"mac"}"#), .transient),
            (HTTPResponse(200, #"{"access_token":"a\nb","token_type":"Bearer"}"#), .transient),
        ]
    )
    func refused(_ response: HTTPResponse, _ kind: OAuthError.Kind) {
        #expect { try GrantedTokens(response, from: "login.example.com") } throws: { ($0 as? OAuthError)?.kind == kind }
    }

    @Test("A pause that the server asks for is kept") func pause() {
        let response = HTTPResponse(status: 429, headers: [HTTPField("Retry-After", "7")], body: [])
        #expect { try GrantedTokens(response, from: "login.example.com") } throws: {
            ($0 as? OAuthError)?.retryAfter == .seconds(7)
        }
    }

    @Test(
        "The id token has to be the one of this request",
        arguments: [
            (["iss": "https://login.example.com/realms/staff", "aud": "feedbell", "nonce": "N"], true),
            (["iss": "https://login.example.com/realms/staff", "aud": ["x", "feedbell"], "nonce": "N"], true),
            (["iss": "https://login.example.com/realms/staff", "aud": "feedbell", "nonce": "n"], false),
            (["iss": "https://login.example.com/realms/staff", "aud": "feedbell"], false),
            (["iss": "https://login.example.com/realms/staff", "aud": ["x"], "nonce": "N"], false),
            (["iss": "https://login.example.com/realms/staff/", "aud": "feedbell", "nonce": "N"], false),
        ] as [(JSONValue, Bool)]
    )
    func idToken(_ claims: JSONValue, _ isOurs: Bool) throws {
        let body: JSONValue = ["access_token": "a", "token_type": "Bearer", "id_token": .string(Sample.token(claims))]
        let tokens = try GrantedTokens(HTTPResponse(200, body.text), from: "login.example.com")
        #expect(tokens.idClaims == claims)
        if isOurs {
            try tokens.check(Sample.request, of: Sample.client)
        } else {
            #expect(throws: OAuthError.self) { try tokens.check(Sample.request, of: Sample.client) }
        }
    }
}

@Suite struct BackendTokenTests {
    @Test("The request has the access token and nothing else of the user") func request() {
        let request = BackendToken.request("https://app.example.com/token", accessToken: "a")
        #expect(request.method == "GET")
        #expect(request.headers.contains(HTTPField("Authorization", "Bearer a")))
        #expect(request.headers.contains(HTTPField("Cache-Control", "no-store")))
        #expect(request.body == nil)
        #expect(BackendToken.host(of: request.url) == "app.example.com")
    }

    private static let text = [HTTPField("Content-Type", "text/plain")]

    @Test(
        "A token comes as JSON or as text",
        arguments: [
            (HTTPResponse(200, #"{"token":"eyJ.eyJ.s"}"#), BackendToken.Kind.userToken, "eyJ.eyJ.s"),
            (HTTPResponse(200, " eyJ.eyJ.s\n", text), .userToken, "eyJ.eyJ.s"),
            (HTTPResponse(200, #""eyJ.eyJ.s""#), .userToken, "eyJ.eyJ.s"),
            (HTTPResponse(201, #"{"code":"ab+/="}"#), .init(member: "code", maximumLength: 9), "ab+/="),
            (HTTPResponse(200, "ab+/=", text), .init(member: "code", maximumLength: 9), "ab+/="),
        ]
    )
    func token(_ response: HTTPResponse, _ kind: BackendToken.Kind, _ expected: String) throws {
        #expect(try BackendToken(response, of: kind, from: "app.example.com").text == expected)
    }

    @Test(
        "Who is refused or not entitled is told apart from a wrong address and from an outage",
        arguments: [
            (HTTPResponse(401, ""), .ended), (.html(401), .transient), (HTTPResponse(403, ""), nil),
            (.html(403), .transient), (.html(404), .transient), (HTTPResponse(404, ""), .unexpected),
            (HTTPResponse(405, ""), .unexpected), (HTTPResponse(200, "{}"), .unexpected),
            (HTTPResponse(200, "a b", text), .unexpected), (HTTPResponse(200, ""), .unexpected),
            (.html(200), .transient), (HTTPResponse(302, ""), .transient), (HTTPResponse(503, ""), .transient),
            (HTTPResponse(429, ""), .transient),
            (HTTPResponse(200, String(repeating: "a", count: 20_000), text), .unexpected),
        ] as [(HTTPResponse, OAuthError.Kind?)]
    )
    func failure(_ response: HTTPResponse, _ kind: OAuthError.Kind?) {
        do {
            _ = try BackendToken(response, of: .userToken, from: "app.example.com")
            Issue.record("a token was read")
        } catch {
            switch error {
            case .refused(let error): #expect(response.status == 401 && error.kind == kind)
            case .other(let error): #expect(response.status != 401 && error.kind == kind)
            case .forbidden: #expect(kind == nil)
            }
        }
    }
}
