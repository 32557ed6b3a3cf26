import Basics
import ClientKit
import FoundationEssentials
import Testing

@testable import SuprSend

@Suite struct ClockSkewTests {
    /// The service's date, when it was asked, when its answer was there: seconds of a common clock that runs right at
    /// the service.
    @Test(
        "The clock skew follows from the service's Date and the times of the request",
        arguments: [
            // Nothing contradicts a clock that is right: the header has whole seconds.
            ([(100, 100, 100.2)], 0),
            ([(100, 100.9, 101.5)], 0),
            // We are an hour behind: at least so much as when the answer had come.
            ([(3700, 100, 100.5)], 3599.5),
            // We are an hour ahead: at most so much as when it was asked for, and the second began.
            ([(100, 3700, 3700.5)], -3599),
            // Another answer narrows it down, and one that agrees changes nothing.
            ([(3700, 100, 100.5), (3701, 100.9, 101), (3750, 150, 150.5)], 3600),
            // A slow answer says little, and takes nothing back.
            ([(3700, 100, 100.5), (3701, 90, 120)], 3599.5),
            // A clock that was set between question and answer says nothing.
            ([(100, 500, 100)], 0),
            // A clock that is put right is noticed with the next answer.
            ([(3700, 100, 100.5), (3701, 3701, 3701.5)], 1),
        ] as [([(Double, Double, Double)], Double)]
    )
    func offset(answers: [(date: Double, sent: Double, received: Double)], expected: Double) {
        var skew = ClockSkew()
        for answer in answers {
            skew.record(
                Date(timeIntervalSince1970: answer.date),
                sent: Date(timeIntervalSince1970: answer.sent),
                received: Date(timeIntervalSince1970: answer.received)
            )
        }
        #expect(abs(skew.offset - expected) < 0.001)
    }

    private func context(_ answer: HTTPResponse) async throws -> RequestContext {
        let hub = FakeHub()
        await hub.answer(.success(answer))
        let context = try RequestContext.test(http: hub, environment: ClientEnvironment(now: { base.date }))
        let scope = RequestScope(hosts: Hosts(), distinctID: "user-1", tenantID: nil)
        try? await APIClient(context: context, scope: scope, tokens: nil).send(FeedCall.markAllRead)
        return context
    }

    @Test(
        "Only answers of the service set the clock skew",
        arguments: [
            (response(200, "{}", [HTTPField("Date", "Mon, 04 Aug 2025 23:32:25 GMT")]), true),
            (
                response(
                    401,
                    #"{"status":"error","error":{"type":"token_expired"}}"#,
                    [HTTPField("date", "Mon, 04 Aug 2025 23:32:25 GMT")]
                ), true
            ),
            (response(200, "<html>Sign in", [HTTPField("Date", "Mon, 04 Aug 2025 23:32:25 GMT")]), false),
            (response(502, "<html>", [HTTPField("Date", "Mon, 04 Aug 2025 23:32:25 GMT")]), false),
            (response(200, "{}", [HTTPField("Date", "yesterday")]), false),
            (response(200, "{}"), false),
        ]
    )
    func trustedAnswers(answer: HTTPResponse, isBelieved: Bool) async throws {
        let ahead = try await context(answer).now.timeIntervalSince(base.date)
        #expect(isBelieved ? ahead > 3598 && ahead <= 3600 : ahead == 0)
    }
}
