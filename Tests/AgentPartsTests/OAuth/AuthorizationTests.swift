import Basics
import ClientKit
import Testing

@testable import Agent

@Suite struct AuthorizationTests {
    // MARK: The request

    @Test("The request has a proof key, a state and a nonce") func request() {
        let url = Sample.request.url(at: Sample.metadata, for: Sample.client, .any(hint: "anna@example.com"))
        #expect(
            url == "https://login.example.com/authorize?response_type=code&client_id=feedbell"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A45613%2Fcallback&scope=openid%20offline_access&state=S"
                + "&nonce=N&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                + "&login_hint=anna%40example.com"
        )
    }

    @Test(
        "A query that the endpoint has is kept, and further parameters follow",
        arguments: [
            ("https://a.example/x", "?"), ("https://a.example/x?p=1", "&"), ("https://a.example/x?", ""),
            ("https://a.example/x?p=1&", ""),
        ]
    )
    func endpointWithQuery(_ endpoint: String, _ separator: String) {
        var (metadata, client) = (Sample.metadata, Sample.client)
        metadata.authorizationEndpoint = endpoint
        client.parameters = [.init("audience", "https://app.example.com/?a&b")]
        let url = Sample.request.url(at: metadata, for: client)
        #expect(url.hasPrefix("\(endpoint)\(separator)response_type=code&"))
        #expect(url.hasSuffix("&code_challenge_method=S256&audience=https%3A%2F%2Fapp.example.com%2F%3Fa%26b"))
    }

    @Test("The texts of a request are random, and as long as RFC 7636 wants them") func randomTexts() {
        let requests = (0..<50).map { _ in AuthorizationRequest(redirectURI: "http://127.0.0.1/callback") }
        let texts = requests.flatMap { [$0.state, $0.nonce, $0.verifier] }
        #expect(Set(texts).count == 150)
        #expect(requests.allSatisfy { $0.state.utf8.count == 43 && $0.nonce.utf8.count == 43 })
        #expect(requests.allSatisfy { $0.verifier.utf8.count == 86 })
        #expect(texts.allSatisfy { $0.utf8.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) } })
    }

    // MARK: The response

    private func response(_ query: String, namesIssuer: Bool = false) -> AuthorizationResponse? {
        var metadata = Sample.metadata
        metadata.namesIssuer = namesIssuer
        return AuthorizationResponse(query: query, to: Sample.request, at: metadata, of: Sample.issuer)
    }

    private static let iss = "iss=https%3A%2F%2Flogin.example.com%2Frealms%2Fstaff"

    @Test(
        "A code comes in any order, with or without the issuer",
        arguments: ["code=a%2Fb+c&state=S", "state=S&code=a%2Fb%20c&session_state=x", "\(iss)&state=S&code=a/b+c"]
    )
    func code(_ query: String) { #expect(response(query) == .code("a/b c")) }

    @Test(
        "A request that is no response is none",
        arguments: [
            "", "code=a", "code=a&state=s", "code=a&state=", "state=S&state=S&code=a", "code=a&code=b&state=S",
            "state=%5", "error=access_denied", "state=S%00&code=a", "state=S&code=%FF",
        ]
    )
    func foreign(_ query: String) { #expect(response(query) == nil) }

    @Test(
        "A failed sign-in says what the server said",
        arguments: [
            ("error=access_denied&state=S", false, OAuthError.Kind.denied, "access_denied"),
            (
                "error=access_denied&error_description=No%0Aentry+%E2%80%AEhere&state=S", true, .denied,
                "access_denied: No entry here"
            ),
            ("error=temporarily_unavailable&state=S", false, .transient, "temporarily_unavailable"),
            (
                "error=invalid_scope&state=S&error_description=eyJhIjoxfQ.eyJi.c", false, .misconfigured,
                "invalid_scope: …"
            ),
            ("error=login_required&state=S", false, .denied, "login_required"),
            ("state=S", false, .transient, "without a code"),
            ("state=S&code=", false, .transient, "without a code"),
            ("state=S&code=a", true, .denied, "does not name its issuer"),
            ("state=S&code=a&iss=https%3A%2F%2Fevil.example", false, .denied, "Another server"),
            ("state=S&code=a&\(iss)%2F", true, .denied, "Another server"),
        ]
    )
    func failure(_ query: String, _ namesIssuer: Bool, _ kind: OAuthError.Kind, _ text: String) throws {
        guard case .failed(let error)? = response(query, namesIssuer: namesIssuer) else {
            Issue.record("no failure: \(query)")
            return
        }
        #expect(error.kind == kind)
        #expect(error.message.contains(text))
    }

    @Test("A server that names its issuer is believed") func namedIssuer() {
        #expect(response("state=S&code=a&\(Self.iss)", namesIssuer: true) == .code("a"))
    }

    @Test("A full stop of the server does not stand before that of the sentence") func fullStop() {
        #expect(OAuthError.text(code: "access_denied", description: "Not allowed.") == "access_denied: Not allowed")
    }

    @Test("A description of a megabyte becomes a short line") func longDescription() throws {
        let text = String(repeating: "a", count: 1 << 20)
        guard case .failed(let error)? = response("state=S&error=\(text)&error_description=\(text)") else {
            Issue.record("no failure")
            return
        }
        #expect(error.message.utf8.count < 400)
    }
}
