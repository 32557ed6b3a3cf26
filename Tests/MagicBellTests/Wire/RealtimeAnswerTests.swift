import ClientKit
import MagicBell
import Testing

@Suite("Answers about the realtime feed")
struct RealtimeAnswerTests {
    @Test("The channel of the configuration is read")
    func configuration() throws {
        func channel(_ json: String) throws -> String? {
            try JSONValue(parsing: json).decode(UserConfiguration.Answer.self).configuration?.channel
        }
        #expect(try channel(AnswerSamples.configuration) == "project:11:channel:YWJjZA==")
        for json in ["{}", #"{"ws":{}}"#, #"{"ws":{"channel":""}}"#, #"{"ws":{"channel":7}}"#, #"{"ws":null}"#] {
            #expect(try channel(json) == nil)
        }
    }

    @Test("A signed request is kept unchanged, unknown members included")
    func tokenRequest() throws {
        let json = AnswerSamples.ablyRequest.dropLast(1) + #","later":[1]}"#
        let expected = AblyAuthorization.request(try JSONValue(parsing: String(json)))
        #expect(
            AblyAuthorization(answer(200, String(json), ["Content-Type": "application/json; charset=utf-8"]))
                == expected
        )
        #expect(AblyAuthorization(answer(201, String(json))) == expected)
        #expect(AblyAuthorization(answer(200, String(json), ["Content-Type": "text/plain"])) == expected)
    }

    @Test(
        "A token comes as details or as text",
        arguments: [
            (AnswerSamples.ablyToken, "application/json", "appAB.tok-1", 1_767_229_200_500),
            (#"{"token":"t"}"#, "application/json", "t", nil),
            (" appAB.tok-2\n", "Text/Plain; charset=utf-8", "appAB.tok-2", nil),
            ("eyJ.e30.x", "application/jwt", "eyJ.e30.x", nil),
        ] as [(String, String, String, Int64?)]
    )
    func tokens(body: String, type: String, token: String, expires: Int64?) {
        #expect(AblyAuthorization(answer(200, body, ["Content-Type": type])) == .token(token, expires: expires))
    }

    @Test(
        "Anything else is no authorization",
        arguments: [
            ("", "text/plain"), ("two words", "text/plain"), ("token", "application/json"), ("{}", "application/json"),
            ("[]", ""), (#"{"keyName":"k"}"#, ""), (#"{"keyName":"","mac":"m"}"#, ""), (#"{"token":""}"#, ""),
            (String(repeating: "x", count: 100_000), "text/plain"),
        ]
    )
    func others(body: String, type: String) {
        #expect(AblyAuthorization(answer(200, body, ["Content-Type": type])) == nil)
    }
}
