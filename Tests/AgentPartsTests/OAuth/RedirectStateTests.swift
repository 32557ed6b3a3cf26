import Testing

@testable import Agent

@Suite struct RedirectStateTests {
    private let state = RedirectState(port: 45613)

    @Test("The redirect URI and the start address have the port") func addresses() {
        #expect(state.redirectURI == "http://127.0.0.1:45613/callback")
        #expect(RedirectState(port: 8765, host: "localhost").redirectURI == "http://localhost:8765/callback")
        #expect(state.startURL.hasPrefix("http://127.0.0.1:45613/start/"))
        #expect(state.startURL != RedirectState(port: 45613).startURL)
    }

    @Test("The start address answers once") func start() {
        var state = state
        let path = String(state.startURL.dropFirst("http://127.0.0.1:45613".count))
        let host = ["127.0.0.1:45613"]
        #expect(state.answer(method: "POST", target: path, host: host) == .status(405))
        #expect(state.answer(method: "GET", target: path + "x", host: host) == .status(404))
        #expect(state.answer(method: "GET", target: path, host: host) == .start)
        #expect(state.answer(method: "GET", target: path, host: host) == .used)
    }

    @Test(
        "Only the redirect URI is answered, for its own host",
        arguments: [
            (
                "GET", "/callback?code=a&state=S", ["127.0.0.1:45613"],
                RedirectState.Answer.redirected(query: "code=a&state=S")
            ),
            ("GET", "/callback", ["127.0.0.1:45613"], .redirected(query: "")),
            ("POST", "/callback?code=a", ["127.0.0.1:45613"], .status(405)),
            ("HEAD", "/callback?code=a", ["127.0.0.1:45613"], .status(405)),
            ("GET", "/callback/", ["127.0.0.1:45613"], .status(404)), ("GET", "/", ["127.0.0.1:45613"], .status(404)),
            ("GET", "/favicon.ico", ["127.0.0.1:45613"], .status(404)),
            ("GET", "http://127.0.0.1:45613/callback?code=a", ["127.0.0.1:45613"], .status(404)),
            ("GET", "/callback?code=a", ["evil.example"], .status(404)),
            ("GET", "/callback?code=a", ["127.0.0.1"], .status(404)), ("GET", "/callback?code=a", [], .status(404)),
            ("GET", "/callback?code=a", ["127.0.0.1:45613", "evil.example"], .status(404)),
            ("GET", "/callback?code=a", ["localhost:45613"], .status(404)),
        ]
    )
    func requests(_ method: String, _ target: String, _ host: [String], _ answer: RedirectState.Answer) {
        var state = state
        #expect(state.answer(method: method, target: target, host: host) == answer)
    }

    @Test("Another name of this computer changes the text, and not the start address") func redirectHost() {
        var state = RedirectState(port: 8765, host: "localhost")
        #expect(
            state.answer(method: "GET", target: "/callback?a", host: ["localhost:8765"]) == .redirected(query: "a")
        )
        #expect(state.answer(method: "GET", target: "/callback?a", host: ["127.0.0.1:8765"]) == .status(404))
        #expect(state.startURL.hasPrefix("http://127.0.0.1:8765/start/"))
    }

    @Test("A page is constant text, whatever is in it") func page() {
        let page = RedirectPage(title: "a<b>", text: "1 & 2", language: "de")
        #expect(page.html.contains("<h1>a&lt;b&gt;</h1>"))
        #expect(page.html.contains("<p>1 &amp; 2</p>"))
        #expect(page.html.contains("<html lang=\"de\">"))
        #expect(!page.html.contains("<script") && !page.html.contains("src=") && !page.html.contains("href="))
    }
}
