import Store
import Testing

@testable import Agent

@Suite struct PendingArrivalsTests {
    private func arrival(_ id: String) -> PendingArrivals.Arrival {
        .init(record: .init(owner: "work", created: [id: 1])) { _ in }
    }

    private func ids(_ arrivals: [PendingArrivals.Arrival]) -> [String] { arrivals.flatMap(\.record.created.keys) }

    /// Whether arrivals are due at the end of each interval, and whether the timer continues after it.
    private func intervals(_ arrivals: inout PendingArrivals, _ count: Int) -> [[Bool]] {
        (0..<count).map { _ in
            let (isDue, continues) = arrivals.timerFired()
            return [isDue, continues]
        }
    }

    @Test("An arrival is due when it has waited for a whole interval") func due() {
        var arrivals = PendingArrivals()
        var starts = [arrivals.startTimer()]
        arrivals.add(arrival("a"))
        starts.append(arrivals.startTimer())
        arrivals.add(arrival("b"))
        starts.append(arrivals.startTimer())
        #expect(starts == [false, true, false], "it starts once, when something waits")
        let ends1 = intervals(&arrivals, 2)
        #expect(ends1 == [[false, true], [true, true]])
        let taken = arrivals.takeAll()
        #expect(ids(taken) == ["a", "b"])
        let ends2 = intervals(&arrivals, 1)
        #expect(ends2 == [[false, false]])
        #expect(arrivals.isEmpty)
    }

    @Test("Later arrivals wait anew after those before them were written") func written() {
        var arrivals = PendingArrivals()
        arrivals.add(arrival("a"))
        var starts = [arrivals.startTimer()]
        let ends3 = intervals(&arrivals, 1)
        #expect(ends3 == [[false, true]])
        let taken = arrivals.takeAll()
        #expect(ids(taken) == ["a"])
        arrivals.add(arrival("b"))
        starts.append(arrivals.startTimer())
        #expect(starts == [true, false], "it still runs")
        let ends4 = intervals(&arrivals, 2)
        #expect(ends4 == [[false, true], [true, true]])
    }
}
