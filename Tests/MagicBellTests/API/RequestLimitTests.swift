import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("The limits of the REST API")
struct RequestLimitTests {
    @Test("No interval has more requests than the limit, whatever their times", arguments: 0..<100)
    func window(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...10, using: &generator)
        var limit = RequestLimit(count, per: .seconds(60))
        var now = Duration.zero
        var starts: [Duration] = []
        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...20_000, using: &generator))
            guard let reservation = limit.reserve(at: now, longestDelay: .seconds(120)) else { continue }
            if Int.random(in: 0..<5, using: &generator) == 0 {
                limit.cancel(reservation)
            } else {
                starts.append(reservation.start)
                #expect(reservation.start >= now && reservation.start - now <= .seconds(120))
            }
        }
        #expect(starts == starts.sorted(), "in the order of arrival")
        for index in starts.indices.dropFirst(count) {
            #expect(starts[index] - starts[index - count] >= .seconds(60))
        }
    }

    @Test("What would wait too long is not reserved")
    func longDelays() {
        var limit = RequestLimit(2, per: .seconds(60))
        #expect(limit.reserve(at: .zero, longestDelay: .seconds(30))?.start == .zero)
        #expect(limit.reserve(at: .zero, longestDelay: .seconds(30))?.start == .zero)
        #expect(limit.reserve(at: .zero, longestDelay: .seconds(30)) == nil)
        #expect(limit.reserve(at: .seconds(30), longestDelay: .seconds(30))?.start == .seconds(60))
    }

    @Test("The hundredth read is sent at once, the next one waits, and writes have a limit of their own")
    func reads() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(otherwise: { _ in answer(200, AnswerSamples.configuration) })
        let api = try RESTAPI.scripted(http, clock: clock)
        for _ in 0..<100 { _ = try await api.configuration() }
        clock.advance(by: .seconds(20))
        async let next = api.configuration()
        await clock.sleeper(for: .seconds(40))
        #expect(await http.requests.count == 100)
        try await api.change("n1", to: .read)
        #expect(await http.requests.count == 101)
        clock.advance(by: .seconds(40))
        let configuration = try await next
        #expect(configuration != nil)
    }

    @Test("Another service may have other limits")
    func otherLimits() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP()
        let context = try RequestContext.scripted(http, limits: RequestLimits(reads: 1, writes: 2), clock: clock)
        let api = try RESTAPI(.mary, context: context)
        try await api.change("n1", to: .read)
        try await api.change("n1", to: .unread)
        async let third: Void = api.change("n1", to: .read)
        await clock.sleeper(for: .seconds(60))
        clock.advance(by: .seconds(60))
        try await third
    }

    @Test("Cancellation ends the wait for the limit, and frees its place")
    func cancellation() async throws {
        let clock = ManualClock()
        let limiter = RequestLimiter(clock: clock)
        for _ in 0..<60 { try await limiter.admit(isRead: false) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: MagicBellError(.cancelled, "The call was cancelled.")) {
                    try await limiter.admit(isRead: false)
                }
            }
            await clock.sleepers(1)
            group.cancelAll()
        }
        clock.advance(by: .seconds(60))
        for _ in 0..<60 { try await limiter.admit(isRead: false) }
        #expect(clock.sleeperCount == 0)
    }

    @Test("What would wait for more than a minute fails at once")
    func tooMany() async throws {
        let clock = ManualClock()
        let limiter = RequestLimiter(clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<60 { try await limiter.admit(isRead: false) }
            for _ in 0..<60 { group.addTask { try await limiter.admit(isRead: false) } }
            await clock.sleepers(60)
            let error = await #expect(throws: MagicBellError.self) { try await limiter.admit(isRead: false) }
            #expect(error?.kind == .rateLimited && error?.retryAfter == .seconds(120))
            clock.advance(by: .seconds(60))
            try await group.waitForAll()
        }
    }

    private static let success: @Sendable (HTTPRequest) -> HTTPResponse = {
        $0.method == "GET" ? answer(200, AnswerSamples.configuration) : answer(204)
    }

    @Test("After a refused read, writes pause, too")
    func pause() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(answer(429, "", ["Retry-After": "5"]), otherwise: Self.success)
        let api = try RESTAPI.scripted(http, clock: clock)
        async let refused = api.configuration()
        await clock.sleeper(for: .milliseconds(5_150))
        clock.advance(by: .seconds(1))
        async let change: Void = api.change("n1", to: .read)
        await clock.sleeper(for: .seconds(4))
        #expect(await http.requests.count == 1)
        clock.advance(by: .milliseconds(4_150))
        _ = try await refused
        try await change
        #expect(await http.requests.count == 3)
    }

    @Test("A pause that begins while a request waits for the limit holds it, too")
    func pauseMeanwhile() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(answer(204), answer(429, "", ["Retry-After": "5"]), otherwise: Self.success)
        let limits = RequestLimits(reads: 9, writes: 1)
        let api = try RESTAPI(.mary, context: .scripted(http, limits: limits, clock: clock))
        try await api.change("n1", to: .read)
        async let second: Void = api.change("n2", to: .read)
        await clock.sleeper(for: .seconds(60))
        clock.advance(by: .seconds(58))
        async let refused = api.configuration()
        await clock.sleeper(for: .milliseconds(5_150))
        clock.advance(by: .seconds(2))
        await clock.sleeper(for: .seconds(3))
        #expect(await http.requests.count == 2)
        clock.advance(by: .milliseconds(3_150))
        try await second
        _ = try await refused
        #expect(await http.requests.count == 4)
    }

    @Test("The wait for a pause is no attempt of the call")
    func attempts() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(
            answer(429, "", ["Retry-After": "31"]),
            answer(503, ""),
            answer(503, ""),
            answer(200, AnswerSamples.configuration)
        )
        let api = try RESTAPI.scripted(http, clock: clock)
        await #expect(throws: MagicBellError.self) { try await api.configuration() }
        clock.advance(by: .seconds(5))
        async let configuration = api.configuration()
        await clock.sleeper(for: .seconds(26))
        clock.advance(by: .seconds(26))
        // Half of the delays, because there is no jitter.
        for delay in [Duration.milliseconds(150), .milliseconds(300)] {
            await clock.sleeper(for: delay)
            clock.advance(by: delay)
        }
        let loaded = try await configuration
        #expect(loaded != nil)
    }

    @Test("After a write that the user API refuses with Retry-After, writes wait, and what is read is sent")
    func pauseOfTheUserAPI() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(answer(429, "", ["Retry-After": "10"]))
        let api = try UserAPI.scripted(http, clock: clock)
        async let refused: Void = api.change("n1", to: .read)
        await clock.sleeper(for: .milliseconds(10_150))
        async let change: Void = api.change("n2", to: .read)
        await clock.sleepers(2)
        #expect(await http.requests.count == 1)
        _ = try? await api.page(of: StorePredicate(), after: nil, size: 20)
        #expect(await http.requests.count == 2)
        clock.advance(by: .milliseconds(10_150))
        try await refused
        try await change
        #expect(await http.requests.count == 4)
    }

    @Test("During a long pause of the user API, requests fail at once")
    func longPauseOfTheUserAPI() async throws {
        let clock = ManualClock()
        let http = ScriptedHTTP(answer(429, "", ["Retry-After": "3000"]))
        let api = try UserAPI.scripted(http, clock: clock)
        // At most five minutes.
        for wait in [Duration.seconds(3_000), .seconds(300)] {
            let error = await #expect(throws: MagicBellError.self) { try await api.change("n1", to: .read) }
            #expect(error?.kind == .rateLimited && error?.retryAfter == wait)
        }
        #expect(await http.requests.count == 1)
        clock.advance(by: .seconds(300))
        try await api.change("n1", to: .read)
    }
}
