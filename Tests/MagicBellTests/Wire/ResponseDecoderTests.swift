import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("Answers of the service")
struct ResponseDecoderTests {
    private func error(_ response: HTTPResponse, bare: Bool = false) -> MagicBellError? {
        #expect(throws: MagicBellError.self) { try ResponseDecoder(acceptsBareProblems: bare).check(response) }
    }

    /// Status, body, kind, the end of the sentence.
    static let problems: [(Int, String, MagicBellError.Kind, String)] = [
        (401, AnswerSamples.noUser, .unauthorized, "Provide a user identifier – Send an external id or e-mail header."),
        (422, AnswerSamples.twoProblems, .rejected, "status 422: Title is missing; Recipient is missing."),
        (403, #"{"errors":[{"code":"forbidden"}]}"#, .forbidden, "status 403 (forbidden)."),
        (400, #"{"errors":[{"code":"forbidden"}]}"#, .forbidden, "status 400 (forbidden)."),
        (400, #"{"errors":[{"code":"incorrect_api_key"}]}"#, .unauthorized, "(incorrect_api_key)."),
        (
            403, #"{"errors":[{"code":"neither_user_hmac_nor_api_secret_provided","message":"No HMAC"}]}"#,
            .unauthorized, "No HMAC."
        ),
        (404, #"{"errors":[{"message":"Not found"}]}"#, .notFound, "Not found."),
        (409, #"{"errors":[{"message":"Conflict"}]}"#, .rejected, "Conflict."),
        (429, #"{"errors":[{"message":"Slow down"}]}"#, .rateLimited, "Slow down."),
        (429, "", .rateLimited, "MagicBell answered with status 429."),
        (500, "oops", .serverFailure, "MagicBell answered with status 500."),
        (503, "<html>", .serverFailure, "instead of MagicBell's JSON."),
        (408, "", .serverFailure, "a gateway may have answered in its place."),
        (404, "<html>no route</html>", .unexpectedAnswer, "instead of MagicBell's JSON."),
        (404, #"{"message":"no route"}"#, .unexpectedAnswer, "a gateway may have answered in its place."),
        (401, "", .unexpectedAnswer, "If this lasts, check the credentials."),
        (404, #"{"errors":[]}"#, .unexpectedAnswer, "in its place."),
        (404, #"{"errors":["text"]}"#, .unexpectedAnswer, "in its place."),
        (404, #"{"errors":[{"detail":"another service's"}]}"#, .unexpectedAnswer, "in its place."),
        (302, "", .unexpectedAnswer, "or it is the wrong host."),
        (511, "<html>", .unexpectedAnswer, "a login page of the network seems to be in the way."),
        (200, "<html>Welcome to the hotel</html>", .unexpectedAnswer, "seems to be in the way."),
        (204, " \n<!doctype html>", .unexpectedAnswer, "seems to be in the way."),
    ]

    @Test("A refusal has a kind and a sentence", arguments: problems)
    func refusals(status: Int, body: String, kind: MagicBellError.Kind, ending: String) {
        let error = error(answer(status, body))
        #expect(error?.kind == kind)
        #expect(error?.status == status)
        #expect(error?.message.hasSuffix(ending) == true, "\(error?.message ?? "")")
    }

    @Test(
        "The user API may also answer with a bare message",
        arguments: [
            (401, #"{"message":"no"}"#, MagicBellError.Kind.unauthorized),
            (403, #"{"error":"no"}"#, .forbidden), (404, #"{"detail":"no"}"#, .notFound),
            (422, #"{"error":{"message":"no","code":"x"}}"#, .rejected),
            (422, #"{"errors":[{"message":"no"}],"message":"other"}"#, .rejected),
            (404, #"{"status":404}"#, .unexpectedAnswer), (404, #""no""#, .unexpectedAnswer),
        ]
    )
    func bareProblems(status: Int, body: String, kind: MagicBellError.Kind) {
        let error = error(answer(status, body), bare: true)
        #expect(error?.kind == kind)
        #expect(kind == .unexpectedAnswer || error?.message == "MagicBell refused with status \(status): no.")
    }

    @Test("A long refusal is cut")
    func longRefusal() {
        let word = "e" + String(repeating: "\u{301}", count: 10_000)
        let entry = #"{"message":"\#(word)","code":"\#(word)"}"#
        let error = error(answer(422, #"{"errors":[\#(Array(repeating: entry, count: 50).joined(separator: ","))]}"#))
        #expect((error?.message.utf8.count ?? .max) < 1_000)
        #expect(error?.codes.count == Limits.codes)
        #expect(error?.codes.allSatisfy { $0.utf8.count < 200 } == true)
    }

    @Test("The time that the service asks to wait is limited")
    func retryAfter() {
        #expect(error(answer(429, "", ["Retry-After": "7"]))?.retryAfter == .seconds(7))
        #expect(error(answer(503, "", ["retry-after": "99999999"]))?.retryAfter == .seconds(3_600))
        #expect(error(answer(429, "", ["Retry-After": "soon"]))?.retryAfter == nil)
    }

    @Test(
        "Contents of another form are not the service's",
        arguments: ["", "[]", "{}", "oops", #"{"count":"x"}"#, "1"]
    )
    func otherContents(body: String) {
        let error = #expect(throws: MagicBellError.self) {
            try ResponseDecoder().contents(of: answer(200, body), as: UnreadCount.self)
        }
        #expect(error?.kind == .unexpectedAnswer && error?.status == 200)
    }
}
