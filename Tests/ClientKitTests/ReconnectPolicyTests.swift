import ClientKit
import Testing

struct ReconnectPolicyTests {
    @Test("Each window is twice the previous one, up to the maximum of its cause") func growingWindows() {
        func longest(_ cause: ReconnectPolicy.Cause) -> [Duration] {
            var reconnect = ReconnectPolicy()
            return (0..<8).map { _ in reconnect.delay(after: cause, jitter: 1) }
        }
        #expect(longest(.failed) == [1, 2, 4, 8, 15, 30, 60, 60].map { .seconds($0) })
        #expect(longest(.lost) == [5, 10, 15, 15, 15, 15, 15, 15].map { .seconds($0) })
        #expect(longest(.announced) == [30, 60, 60, 60, 60, 60, 60, 60].map { .seconds($0) })
        #expect(longest(.refused) == [60, 120, 240, 300, 300, 300, 300, 300].map { .seconds($0) })
    }

    @Test("The first attempt is within 5 s of a loss and within 30 s of an announced end")
    func firstDelay() {
        for (cause, window) in [(ReconnectPolicy.Cause.lost, 5.0), (.announced, 30)] {
            let draws = (0...10).map { ReconnectPolicy().first(cause, jitter: Double($0) / 10) }
            let even = (0...10).map { Duration.seconds(0.1 + (window - 0.1) * Double($0) / 10) }
            #expect(zip(draws, even).allSatisfy { abs($0 / .seconds(1) - $1 / .seconds(1)) < 1e-9 }, "\(draws)")
            var reconnect = ReconnectPolicy()
            _ = reconnect.delay(after: cause, jitter: 1)
            #expect(
                reconnect.delay(after: .failed, jitter: 1) == .seconds(2 * window),
                "twice the window that was open"
            )
        }
    }

    @Test("The scale for tests shortens every delay except one that a server requests") func scaled() {
        var reconnect = ReconnectPolicy(scale: 0.1)
        #expect(reconnect.delay(after: .announced, jitter: 1) == .seconds(3))
        #expect(reconnect.delay(after: .lost, uptime: .seconds(60), jitter: 1) == .milliseconds(500))
        reconnect.startOver()
        #expect(reconnect.delay(after: .refused, jitter: 0) == .seconds(3))
        #expect(reconnect.delay(after: .failed, retryAfter: .seconds(7), jitter: 0) == .seconds(7))
    }

    @Test("Jitter is spread over the window") func jitter() {
        #expect(ReconnectPolicy().first(.failed, jitter: 0) == .milliseconds(100))
        #expect(ReconnectPolicy().first(.failed, jitter: 0.5) == .milliseconds(550))
        #expect(ReconnectPolicy().first(.refused, jitter: 0) == .seconds(30))
        #expect(ReconnectPolicy().first(.refused, jitter: 0.5) == .seconds(45))
    }

    static let senseless: [Double] = [-1, 2, .nan, .infinity, -.infinity]

    @Test("Invalid jitter stays within the window", arguments: senseless)
    func invalidJitter(jitter: Double) {
        let delay = ReconnectPolicy().first(.failed, jitter: jitter)
        #expect(ReconnectPolicy.shortestDelay...ReconnectPolicy.base ~= delay)
    }

    @Test("Only a steady connection resets the backoff") func steadyConnection() {
        var reconnect = ReconnectPolicy()
        for _ in 0..<3 { _ = reconnect.delay(after: .failed, uptime: .seconds(14), jitter: 1) }
        #expect(reconnect.delay(after: .failed, uptime: nil, jitter: 1) == .seconds(8))
        #expect(reconnect.delay(after: .failed, uptime: .seconds(15), jitter: 1) == .seconds(1))
        #expect(reconnect.delay(after: .failed, jitter: 1) == .seconds(2))
    }

    @Test("A window that an announced end has widened is not narrowed by another cause") func wideWindow() {
        var reconnect = ReconnectPolicy()
        #expect(reconnect.delay(after: .announced, uptime: .seconds(600), jitter: 1) == .seconds(30))
        #expect(reconnect.delay(after: .failed, jitter: 1) == .seconds(60))
        #expect(reconnect.delay(after: .failed, jitter: 1) == .seconds(60))
        // Neither does a server that accepts no connection before it announces the next end.
        #expect(reconnect.delay(after: .announced, jitter: 1) == .seconds(60))
    }

    @Test(
        "However often a connection ends soon after it was up, the client is back as soon as after the first time",
        arguments: [(ReconnectPolicy.Cause.lost, 15), (.failed, 15), (.announced, 30)]
    )
    func brokenAgainAndAgain(cause: ReconnectPolicy.Cause, longest: Int) {
        var reconnect = ReconnectPolicy()
        let longestDelay = Duration.seconds(longest)
        for second in 0..<12 {
            let uptime = Duration.seconds(2 + second % 4)
            #expect(reconnect.delay(after: cause, uptime: uptime, jitter: 1) <= longestDelay, "loss \(second + 1)")
        }
        // Also after an outage.
        for _ in 0..<9 { _ = reconnect.delay(after: .failed, jitter: 1) }
        #expect(reconnect.delay(after: cause, uptime: .seconds(3), jitter: 1) == longestDelay)
    }

    @Test("Only after five failed attempts in a row a client waits for more than 15 s") func patientAttempts() {
        var reconnect = ReconnectPolicy()
        _ = reconnect.delay(after: .lost, uptime: .seconds(3), jitter: 1)
        let delays = (0..<8).map { _ in reconnect.delay(after: .failed, jitter: 1) }
        #expect(delays == [10, 15, 15, 15, 15, 30, 60, 60].map { .seconds($0) })
        // A connection in between starts the count again.
        #expect(reconnect.delay(after: .lost, uptime: .seconds(3), jitter: 1) == .seconds(15))
        #expect(reconnect.delay(after: .failed, jitter: 1) == .seconds(15))
    }

    @Test("After 100,000 failures there is still a next attempt") func unlimitedAttempts() {
        var reconnect = ReconnectPolicy()
        for _ in 0..<100_000 { _ = reconnect.delay(after: .failed, jitter: 1) }
        #expect(reconnect.delay(after: .failed, jitter: 1) == ReconnectPolicy.longestDelay)
    }

    @Test("A server may request a longer delay but not a shorter one")
    func retryAfter() {
        #expect(ReconnectPolicy().first(.failed, retryAfter: .seconds(20), jitter: 0) == .seconds(20))
        #expect(ReconnectPolicy().first(.failed, retryAfter: .seconds(20), jitter: 1) == .milliseconds(20_900))
        #expect(ReconnectPolicy().first(.refused, retryAfter: .seconds(1), jitter: 0) == .seconds(30))
        #expect(
            ReconnectPolicy().first(.failed, retryAfter: .seconds(86_400), jitter: 0.3)
                == ReconnectPolicy.longestRefusedDelay
        )
        #expect(ReconnectPolicy().first(.failed, retryAfter: .seconds(-5), jitter: 1) == .seconds(1))
    }

    @Test("After any history, each delay is between the minimum and the maximum") func bounds() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var reconnect = ReconnectPolicy()
            for _ in 0..<200 {
                let cause =
                    [ReconnectPolicy.Cause.failed, .lost, .announced, .refused].randomElement(using: &generator)
                    ?? .failed
                let delay = reconnect.delay(
                    after: cause,
                    uptime: Bool.random(using: &generator) ? .seconds(Int.random(in: -10...200)) : nil,
                    retryAfter: Bool.random(using: &generator) ? .seconds(Int.random(in: -10...100_000)) : nil,
                    jitter: .random(in: 0...1, using: &generator)
                )
                let floor = cause == .refused ? ReconnectPolicy.shortestRefusedDelay : ReconnectPolicy.shortestDelay
                #expect(floor...ReconnectPolicy.longestRefusedDelay ~= delay)
            }
        }
    }
}

extension ReconnectPolicy {
    fileprivate func first(_ cause: Cause, retryAfter: Duration? = nil, jitter: Double) -> Duration {
        var copy = self
        return copy.delay(after: cause, retryAfter: retryAfter, jitter: jitter)
    }
}
