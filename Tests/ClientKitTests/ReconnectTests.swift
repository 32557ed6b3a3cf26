import ClientKit
import Testing

struct ReconnectTests {
    @Test func windowsDoubleUpToTheirCaps() {
        var lost = Reconnect()
        let longest = (0..<8).map { _ in lost.delay(after: .lost, jitter: 1) }
        #expect(longest == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        var refused = Reconnect()
        var dropped = Reconnect()
        let wide = (0..<4).map { _ in dropped.delay(after: .dropped, jitter: 1) }
        #expect(wide == [30, 60, 60, 60].map { .seconds($0) })
        let slow = (0..<5).map { _ in refused.delay(after: .refused, jitter: 1) }
        #expect(slow == [60, 120, 240, 300, 300].map { .seconds($0) })
    }

    @Test func theDrawIsSpreadOverTheWindow() {
        #expect(Reconnect().first(.lost, jitter: 0) == .milliseconds(100))
        #expect(Reconnect().first(.lost, jitter: 0.5) == .milliseconds(550))
        #expect(Reconnect().first(.refused, jitter: 0) == .seconds(30))
        #expect(Reconnect().first(.refused, jitter: 0.5) == .seconds(45))
    }

    static let senseless: [Double] = [-1, 2, .nan, .infinity, -.infinity]

    @Test(arguments: senseless) func aSenselessDrawStaysInTheWindow(jitter: Double) {
        let delay = Reconnect().first(.lost, jitter: jitter)
        #expect(Reconnect.shortestDelay...Reconnect.base ~= delay)
    }

    @Test func onlyASteadyConnectionStartsOver() {
        var reconnect = Reconnect()
        for _ in 0..<5 { _ = reconnect.delay(after: .lost, uptime: .seconds(59), jitter: 1) }
        #expect(reconnect.delay(after: .lost, uptime: nil, jitter: 1) == .seconds(32))
        #expect(reconnect.delay(after: .lost, uptime: .seconds(60), jitter: 1) == .seconds(1))
        #expect(reconnect.delay(after: .lost, jitter: 1) == .seconds(2))
    }

    /// The server ends the connection, and is not there, or lets us in and ends it again.
    @Test func aWideWindowStaysWide() {
        var reconnect = Reconnect()
        #expect(reconnect.delay(after: .dropped, uptime: .seconds(600), jitter: 1) == .seconds(30))
        #expect(reconnect.delay(after: .lost, jitter: 1) == .seconds(60))
        #expect(reconnect.delay(after: .dropped, uptime: .seconds(5), jitter: 1) == .seconds(60))
        #expect(reconnect.delay(after: .dropped, uptime: .seconds(600), jitter: 1) == .seconds(30))
        // Long out of reach, and then put out: not sooner than before.
        var other = Reconnect()
        for _ in 0..<6 { _ = other.delay(after: .lost, jitter: 1) }
        #expect(other.delay(after: .dropped, uptime: .seconds(5), jitter: 1) == .seconds(60))
    }

    @Test func neverGivesUp() {
        var reconnect = Reconnect()
        for _ in 0..<100_000 { _ = reconnect.delay(after: .lost, jitter: 1) }
        #expect(reconnect.delay(after: .lost, jitter: 1) == Reconnect.longestDelay)
    }

    @Test func aServerMayAskForMoreTimeButNotForLess() {
        #expect(Reconnect().first(.lost, retryAfter: .seconds(20), jitter: 0) == .seconds(20))
        #expect(Reconnect().first(.lost, retryAfter: .seconds(20), jitter: 1) == .milliseconds(20_900))
        #expect(Reconnect().first(.refused, retryAfter: .seconds(1), jitter: 0) == .seconds(30))
        #expect(Reconnect().first(.lost, retryAfter: .seconds(86_400), jitter: 0.3) == Reconnect.longestRefusedDelay)
        #expect(Reconnect().first(.lost, retryAfter: .seconds(-5), jitter: 1) == .seconds(1))
    }

    @Test func anyHistoryStaysWithinTheBounds() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var reconnect = Reconnect()
            for _ in 0..<200 {
                let cause = [Reconnect.Cause.lost, .dropped, .refused].randomElement(using: &generator) ?? .lost
                let delay = reconnect.delay(
                    after: cause,
                    uptime: Bool.random(using: &generator) ? .seconds(Int.random(in: -10...200)) : nil,
                    retryAfter: Bool.random(using: &generator) ? .seconds(Int.random(in: -10...100_000)) : nil,
                    jitter: .random(in: 0...1, using: &generator)
                )
                let floor = cause == .refused ? Reconnect.shortestRefusedDelay : Reconnect.shortestDelay
                #expect(floor...Reconnect.longestRefusedDelay ~= delay)
            }
        }
    }
}

extension Reconnect {
    fileprivate func first(_ cause: Cause, retryAfter: Duration? = nil, jitter: Double) -> Duration {
        var copy = self
        return copy.delay(after: cause, retryAfter: retryAfter, jitter: jitter)
    }
}
