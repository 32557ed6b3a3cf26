import TestSupport
import Testing

@testable import MagicBell

@Suite("The deadlines of a realtime session")
struct DeadlinesTests {
    private func instant(_ seconds: Int) -> ManualClock.Instant { ManualClock().now.advanced(by: .seconds(seconds)) }

    @Test("One sleep serves all timers, and is not replaced for a deadline that is slightly later") func sleeps() {
        var deadlines = Deadlines<String, ManualClock.Instant>()
        var sleeps = [deadlines.nextSleep()]
        for (timer, seconds) in [("idle", 25), ("idle", 30), ("idle", 31), ("attach", 10)] {
            deadlines.set(timer, at: instant(seconds))
            sleeps.append(deadlines.nextSleep())
        }
        #expect(sleeps == [nil, instant(25), nil, instant(31), instant(10)])
        deadlines.set("attach", at: instant(14))
        // The end of a sleep that was replaced means nothing.
        deadlines.woke(at: instant(31))
        let ignored = deadlines.nextSleep()
        deadlines.woke(at: instant(10))
        let next = deadlines.nextSleep()
        #expect(ignored == nil && next == instant(14))
    }

    @Test("Timers are due in the order of their deadlines, each once") func due() {
        var deadlines = Deadlines<String, ManualClock.Instant>()
        deadlines.set("b", at: instant(2))
        deadlines.set("a", at: instant(1))
        deadlines.set("c", at: instant(9))
        deadlines.set("c", at: instant(3))
        let due = [0, 3, 3, 3, 3].map { deadlines.takeDue(now: instant($0)) }
        #expect(due == [nil, "a", "b", "c", nil])
    }
}
