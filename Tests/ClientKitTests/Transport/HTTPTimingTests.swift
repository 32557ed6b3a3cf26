import NIOCore
import Testing

@testable import ClientKit

/// How long a request may take.
@Suite struct HTTPTimingTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private static func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    private static func timing(restartsTimeout: Bool = true, isDivisible: Bool = false, factor: Int64 = 1) -> HTTPTiming
    {
        var request = HTTPRequest(url: "https://example.com/", timeout: .seconds(20))
        (request.restartsTimeout, request.isDivisible) = (restartsTimeout, isDivisible)
        return HTTPTiming(request, factor: factor, now: start)
    }

    @Test("The deadline of a change is 20 s after its first byte, whatever arrives") func change() {
        var timing = Self.timing(restartsTimeout: false)
        timing.sent(now: Self.at(5))
        timing.began(announced: 100, now: Self.at(20))
        timing.received(50, now: Self.at(24))
        #expect(timing.nextCheck(now: Self.at(24)) == Self.at(25))
        #expect(timing.nextCheck(now: Self.at(25)) == nil)
    }

    @Test("A request whose timeout restarts ends 20 s after the last byte", arguments: [1, 2] as [Int64]) func progress(
        factor: Int64
    ) {
        var timing = Self.timing(factor: factor)
        timing.sent(now: Self.at(1))
        #expect(timing.nextCheck(now: Self.at(20 * factor)) == Self.at(1 + 20 * factor))
        timing.received(1, now: Self.at(20))
        #expect(timing.nextCheck(now: Self.at(20 + 20 * factor - 1)) == Self.at(20 + 20 * factor))
        #expect(timing.nextCheck(now: Self.at(20 + 20 * factor)) == nil)
        #expect(!timing.isTooSlow)
    }

    @Test("A request whose timeout restarts ends after five minutes, although bytes arrive") func total() {
        var timing = Self.timing()
        timing.began(announced: 1 << 20, now: Self.at(1))
        for second in stride(from: 20, to: 300, by: 10) as StrideTo<Int64> {
            timing.received(1, now: Self.at(second))
            #expect(timing.nextCheck(now: Self.at(second)) == min(Self.at(second + 20), Self.at(300)))
        }
        #expect(timing.nextCheck(now: Self.at(300)) == nil)
    }

    @Test(
        "A divisible request ends after 20 s if the whole would take more than a minute",
        arguments: [(10_000, 32_000, true), (10_000, 28_000, false), (0, 32_000, false), (10_000, nil, false)]
    )
    func divisible(received: Int, announced: Int?, isTooSlow: Bool) {
        var timing = Self.timing(isDivisible: true)
        timing.began(announced: announced, now: Self.at(1))
        if received > 0 { timing.received(received, now: Self.at(19)) }
        #expect(timing.nextCheck(now: Self.at(19)) == Self.at(20))
        #expect((timing.nextCheck(now: Self.at(20)) == nil) == isTooSlow)
        #expect(timing.isTooSlow == (received > 0))
    }

    @Test("A divisible request ends after a minute in any case") func divisibleWithoutLength() {
        var timing = Self.timing(isDivisible: true)
        timing.received(1, now: Self.at(59))
        #expect(timing.nextCheck(now: Self.at(59)) == Self.at(60))
        #expect(timing.nextCheck(now: Self.at(60)) == nil)
    }
}

@Suite struct TimeoutScaleTests {
    @Test("Attempts that took too long get twice and four times the time, until one is quick") func factor() {
        var timeoutScale = TimeoutScale()
        timeoutScale.timedOut(at: 1)
        // One that began before.
        timeoutScale.timedOut(at: 1)
        #expect(timeoutScale.factor == 2)
        timeoutScale.succeeded(in: .seconds(9), default: .seconds(10))
        #expect(timeoutScale.factor == 2)
        for _ in 1...3 { timeoutScale.timedOut(at: timeoutScale.factor) }
        #expect(timeoutScale.factor == 4)
        timeoutScale.succeeded(in: .seconds(4), default: .seconds(10))
        #expect(timeoutScale == TimeoutScale())
    }
}
