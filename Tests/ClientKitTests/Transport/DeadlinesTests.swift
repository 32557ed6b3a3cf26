import Testing

@testable import ClientKit

@Suite("The deadlines of a realtime session")
struct DeadlinesTests {
    @Test("One sleep serves all timers, and is not replaced for a deadline that is slightly later") func sleeps() {
        var deadlines = Deadlines<String>()
        var sleeps = [deadlines.nextSleep()]
        for (timer, seconds) in [("idle", 25), ("idle", 35), ("idle", 36), ("attach", 10)] {
            deadlines.set(timer, at: .seconds(seconds))
            sleeps.append(deadlines.nextSleep())
        }
        #expect(sleeps == [nil, .seconds(25), nil, .seconds(36), .seconds(10)])
        deadlines.set("attach", at: .seconds(14))
        // The end of a sleep that was replaced means nothing.
        deadlines.woke(at: .seconds(36))
        let ignored = deadlines.nextSleep()
        deadlines.woke(at: .seconds(10))
        let next = deadlines.nextSleep()
        #expect(ignored == nil && next == .seconds(14))
    }

    @Test("Timers are due in the order of their deadlines, each once") func due() {
        var deadlines = Deadlines<String>()
        deadlines.set("b", at: .seconds(2))
        deadlines.set("a", at: .seconds(1))
        deadlines.set("c", at: .seconds(9))
        deadlines.set("c", at: .seconds(3))
        let due = [0, 3, 3, 3, 3].map { deadlines.takeDue(now: .seconds($0)) }
        #expect(due == [nil, "a", "b", "c", nil])
    }
}
