import Basics
import ClientKit
import Testing

@Suite("Ably's tokens and addresses")
struct TokenTests {
    @Test("The answer to a token request is decoded") func details() throws {
        let json = try JSONValue(
            parsing: #"""
                {"token":"appAB.tok-1","keyName":"appAB.keyCD","issued":1767225600500,"expires":1767229200500,\#
                "capability":"{\"*\":[\"*\"]}"}
                """#
        )
        let details = try #require(TokenDetails(json))
        #expect(details.token == "appAB.tok-1" && details.keyName == "appAB.keyCD")
        #expect(details.capability == #"{"*":["*"]}"#)
        // By the clock of the service, whatever ours says.
        #expect(details.lifetime(receivedAt: 0) == .seconds(3600))
        #expect(!"\(details)".contains("tok-1"))
    }

    @Test(
        "An answer without a usable token is rejected",
        arguments: [
            "null", "{}", #"{"token":""}"#, #"{"token":7}"#, #"{"token":"a b"}"#, #"{"token":"a\n"}"#, #""t""#,
            #"{"token":"\#(String(repeating: "x", count: 20_000))"}"#,
        ]
    )
    func noToken(text: String) throws {
        #expect(TokenDetails(try JSONValue(parsing: text)) == nil)
    }

    @Test(
        "A token's lifetime is counted from its issue, or from its receipt",
        arguments: [
            (nil, nil, nil), (1000, 5000, .seconds(4)), (nil, 12_000, .seconds(2)), (nil, 5000, .zero),
            (5000, 1000, .zero),
        ] as [(Int64?, Int64?, Duration?)]
    )
    func lifetime(issued: Int64?, expires: Int64?, lifetime: Duration?) {
        #expect(TokenDetails(token: "t", issued: issued, expires: expires).lifetime(receivedAt: 10_000) == lifetime)
    }

    @Test(
        "A token is renewed 30 seconds before it expires, or after three quarters of its lifetime",
        arguments: [
            (3600, 3570), (120, 90), (60, 45), (4, 5), (0, 5), (1_000_000, 86_370), (Int64.max, 86_370),
        ] as [(Int64, Int64)]
    )
    func renewal(lifetime: Int64, delay: Int64) {
        #expect(AblySession.renewalDelay(lifetime: .seconds(lifetime)) == .seconds(delay))
    }

    @Test("A token request keeps all members") func request() throws {
        let json: JSONValue = ["keyName": "a.k", "mac": "m=", "nonce": "n", "timestamp": 1, "unknown": [true]]
        let request = try #require(TokenRequest(json))
        #expect(request.keyName == "a.k" && request.json == json)
        #expect(!"\(request)".contains("m="))
        #expect(TokenRequest(["keyName": ""]) == nil)
        #expect(TokenRequest(["mac": "m"]) == nil)
    }

    @Test("Values in addresses are percent-encoded") func addresses() {
        #expect(
            AblyURL.realtime(host: "wss://realtime.ably.io/", token: "a.b+/=&", resume: "c1!k", agent: "x/1.0")
                == "wss://realtime.ably.io/?accessToken=a.b%2B%2F%3D%26&format=json&v=5&heartbeats=true&agent=x%2F1.0"
                + "&resume=c1%21k"
        )
        #expect(
            AblyURL.tokenExchange(host: "http://127.0.0.1:8080", keyName: "app/AB.key")
                == "http://127.0.0.1:8080/keys/app%2FAB.key/requestToken"
        )
    }
}
