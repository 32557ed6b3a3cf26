import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("Repeated requests")
struct RetryTests {
    @Test(
        "What the service fails at is repeated, what it refuses is not",
        arguments: [
            (500, 3), (502, 3), (503, 3), (408, 3), (429, 3), (425, 3), (400, 1), (403, 1), (404, 1), (422, 1),
            (302, 1),
            (511, 1),
        ]
    )
    func statuses(status: Int, requests: Int) async throws {
        let http = ScriptedHTTP(otherwise: { _ in answer(status, #"{"errors":[{"message":"no"}]}"#) })
        let clock = ManualClock()
        let api = try RESTAPI.scripted(http, clock: clock)
        async let result: Void = api.change("n1", to: .read)
        // Half of the delays, because there is no jitter.
        if requests > 1 {
            await clock.sleeper(for: .milliseconds(150))
            clock.advance(by: .milliseconds(150))
            await clock.sleeper(for: .milliseconds(300))
            clock.advance(by: .milliseconds(300))
        }
        do {
            try await result
            Issue.record("the call succeeded")
        } catch let error as MagicBellError {
            #expect(error.status == status)
        }
        let keys = await http.requests.map { $0.headers.first { $0.name == "idempotency-key" }?.value }
        #expect(keys == Array(repeating: "magicbell-retry-id-1", count: requests), "one key for all attempts")
    }

    @Test("After a failure the repeated request succeeds")
    func success() async throws {
        let http = ScriptedHTTP(answer(503, "<html>"), answer(200, AnswerSamples.list))
        let clock = ManualClock()
        let api = try RESTAPI.scripted(http, clock: clock)
        async let page = api.page(of: StorePredicate(), after: nil, size: 50)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        let loaded = try await page
        #expect(loaded.notifications.count == 2)
    }

    @Test("The service's time to wait is kept, unless it is too long")
    func retryAfter() async throws {
        let clock = ManualClock()
        let waits = ScriptedHTTP(answer(503, "", ["Retry-After": "20"]), answer(204))
        let api = try RESTAPI.scripted(waits, clock: clock)
        async let change: Void = api.change("n1", to: .read)
        await clock.sleeper(for: .milliseconds(20_150))
        clock.advance(by: .milliseconds(20_150))
        try await change

        let refuses = ScriptedHTTP(answer(429, "", ["Retry-After": "31"]))
        let error = await #expect(throws: MagicBellError.self) {
            try await RESTAPI.scripted(refuses).change("n1", to: .read)
        }
        #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(31))
        #expect(await refuses.requests.count == 1)
    }

    @Test("What did not reach the service is not repeated")
    func unreachable() async throws {
        let http = ScriptedHTTP(failing: TransportError(.unreachable, "connection refused"))
        let error = await #expect(throws: MagicBellError.self) { try await RESTAPI.scripted(http).preferences() }
        #expect(error?.kind == .unreachable && error?.isRetryable == true)
        #expect(error?.message == "MagicBell cannot be reached: connection refused")
        #expect(await http.requests.count == 1)
    }

    @Test("Cancellation ends the wait before the next attempt")
    func cancellation() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(answer(500))
        let api = try RESTAPI.scripted(http, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: MagicBellError(.cancelled, "The call was cancelled.")) {
                    try await api.change("n1", to: .read)
                }
            }
            await clock.sleepers(1)
            group.cancelAll()
        }
        #expect(await http.requests.count == 1)
    }

    @Test("The delays grow, stay within their windows, and end", arguments: [0, 0.5, 1, -7, .nan, .infinity])
    func delays(jitter: Double) {
        var policy = RetryPolicy()
        let error = MagicBellError(.serverFailure, "")
        let (first, second) = (policy.delay(after: error, jitter: jitter), policy.delay(after: error, jitter: jitter))
        #expect((.milliseconds(150) ... .milliseconds(300)).contains(first ?? .zero))
        #expect((.milliseconds(300) ... .milliseconds(600)).contains(second ?? .zero))
        #expect(policy.delay(after: error, jitter: jitter) == nil)
    }
}
