import ClientKit
import Testing

@Suite("Ably's protocol messages")
struct ProtocolMessageTests {
    private static let full = #"""
        {"action":15,"auth":{"accessToken":"t"},"channel":"c","channelSerial":"s:1",\#
        "connectionDetails":{"clientId":"u","connectionKey":"k","connectionStateTtl":120000,"maxFrameSize":524288,\#
        "maxIdleInterval":15000,\#
        "maxInboundRate":250,"maxMessageSize":65536,"maxOutboundRate":100,"serverId":"s","siteCode":"eu"},\#
        "connectionId":"c1","connectionKey":"k0","error":{"code":40142,"href":"h","message":"m","statusCode":401},\#
        "flags":262148,"id":"c1:0","messages":[{"clientId":"u","connectionId":"c9","data":{"a":[1,2.5]},\#
        "encoding":"json","extras":{"x":true},"id":"c1:0:0","name":"n","timestamp":1767225601000},{}],\#
        "timestamp":1767225602000}
        """#

    @Test("A frame with all fields is decoded, and encoded to the same frame") func allFields() throws {
        let message = try ProtocolMessage(parsing: Self.full)
        #expect(message.action == .message)
        #expect(message.id == "c1:0" && message.channel == "c" && message.channelSerial == "s:1")
        #expect(message.connectionID == "c1" && message.connectionKey == "k0" && message.resumeKey == "k")
        #expect(message.connectionDetails?.connectionStateTTL == .seconds(120))
        #expect(message.connectionDetails?.maxIdleInterval == .seconds(15))
        #expect(message.connectionDetails?.maxMessageSize == 65_536)
        #expect(message.flags == [.resumed, .subscribe])
        #expect(message.error == ErrorInfo(code: 40142, status: 401, message: "m", href: "h"))
        #expect(message.accessToken == "t")
        #expect(message.timestamp == 1_767_225_602_000)
        #expect(message.messages?.count == 2)
        #expect(message.messages?.first?.data == ["a": [1, 2.5]])
        #expect(message.messages?.first?.extras == ["x": true])
        #expect(message.messages?.last == AblyMessage())
        #expect(message.text == Self.full)
    }

    @Test(
        "A field that is null, missing, too long or of another type is absent",
        arguments: [
            #"{"action":0}"#, #"{"action":0,"channel":null,"flags":null,"messages":null,"error":null}"#,
            #"{"action":0,"channel":7,"flags":"4","messages":{},"error":"x","auth":[],"connectionDetails":1}"#,
            #"{"action":0,"id":["a"],"timestamp":"now","connectionId":{},"channelSerial":true,"unknown":{"a":1}}"#,
            #"{"action":0,"timestamp":1e400,"flags":1.5}"#,
            #"{"action":0,"channelSerial":"\#(String(repeating: "x", count: 1025))"}"#,
        ]
    )
    func absentFields(text: String) throws {
        #expect(try ProtocolMessage(parsing: text) == ProtocolMessage(.heartbeat))
    }

    @Test(
        "What is not an object with an action is an error",
        arguments: ["", "{", "[]", "4", "null", "{}", #"{"action":"4"}"#, #"{"action":4.5}"#, #"{"action":4} "x""#]
    )
    func invalidFrames(text: String) {
        #expect(throws: FrameError.self) { try ProtocolMessage(parsing: text) }
    }

    @Test("Negative times and times of any size are harmless") func times() throws {
        let text = #"{"action":4,"connectionDetails":{"connectionStateTtl":-1,"maxIdleInterval":9223372036854775807}}"#
        let details = try #require(try ProtocolMessage(parsing: text).connectionDetails)
        #expect(details.connectionStateTTL == nil)
        #expect(details.maxIdleInterval == .milliseconds(Int64.max))
        var session = AblySession(channel: "c")
        _ = session.receive(.opened)
        let timers = session.receive(.received(text)).compactMap { effect -> Duration? in
            if case .startTimer(.idle, let delay) = effect { delay } else { nil }
        }
        #expect(timers == [AblySession.longestIdleInterval + AblySession.requestTimeout])
    }

    @Test("A frame with too many messages, or one that is too long, ends the session") func sizes() throws {
        let many =
            #"{"action":15,"messages":["# + String(repeating: "{},", count: ProtocolMessage.maximumMessages) + "{}]}"
        #expect(throws: FrameError.tooManyMessages) { try ProtocolMessage(parsing: many) }
        let long = #"{"action":0,"x":"\#(String(repeating: "x", count: AblySession.maximumFrameSize))"}"#
        for frame in [many, long] {
            var session = AblySession(channel: "c")
            _ = session.receive(.opened)
            guard case .close(.protocolViolation) = session.receive(.received(frame)).first else {
                Issue.record("the session goes on")
                continue
            }
        }
    }

    @Test("The text of an error is cut") func longErrors() throws {
        let text = #"{"action":9,"error":{"code":1,"message":"\#(String(repeating: "ü", count: 1000))"}}"#
        let error = try #require(try ProtocolMessage(parsing: text).error)
        #expect(error.message.utf8.count == ErrorInfo.maximumMessageSize)
    }

    @Test(
        "Token errors have codes from 40140 to 40149 and status 401, if any",
        arguments: [
            (40139, 401, false), (40140, 401, true), (40142, nil, true), (40149, 401, true), (40150, 401, false),
            (40160, 401, false), (40142, 403, false),
        ] as [(Int, Int?, Bool)]
    )
    func tokenErrors(code: Int, status: Int?, isTokenError: Bool) {
        #expect(ErrorInfo(code: code, status: status).isTokenError == isTokenError)
    }
}

@Suite("The content of Ably's messages")
struct MessageContentTests {
    @Test(
        "Encodings are removed from the last to the first",
        arguments: [
            ("text", nil, .json("text"), nil), ("text", "", .json("text"), nil),
            (#"{"a":1}"#, "json", .json(["a": 1]), nil), (#""x""#, "json", .json("x"), nil),
            ("eyJhIjoxfQ==", "json/utf-8/base64", .json(["a": 1]), nil),
            ("w7w=", "utf-8/base64", .json("ü"), nil), ("AP8=", "base64", .bytes([0, 255]), nil),
            ("/wA=", "utf-8/base64", .bytes([255, 0]), "utf-8"),
            ("not base64!", "json/base64", .json("not base64!"), "json/base64"),
            ("{", "json", .json("{"), "json"), ("AQ==", "vcdiff/base64", .bytes([1]), "vcdiff"),
            (["a": 1], "json", .json(["a": 1]), "json"), (7, "base64", .json(7), "base64"),
            ("x", "utf-8", .json("x"), "utf-8"), ("a", "a/b/c/d/e/f/g/h/json", .json("a"), "a/b/c/d/e/f/g/h/json"),
        ] as [(JSONValue, String?, MessageContent.Value, String?)]
    )
    func encodings(data: JSONValue, encoding: String?, value: MessageContent.Value, rest: String?) {
        let content = AblyMessage(data: data, encoding: encoding).content
        #expect(content == MessageContent(value, encoding: rest))
        let isJSON = if case .json = value { rest == nil } else { false }
        #expect((content?.json != nil) == isJSON)
    }

    @Test("A message without data has no content") func noData() {
        #expect(AblyMessage(name: "n", encoding: "json").content == nil)
    }
}
