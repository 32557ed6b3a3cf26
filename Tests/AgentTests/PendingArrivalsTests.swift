import Store
import Testing

@testable import Agent

@Suite struct PendingArrivalsTests {
    private func arrival(_ id: String) -> PendingArrivals.Arrival {
        .init(record: .init(owner: "work", created: [id: 1])) { _ in }
    }

    private func ids(_ arrivals: [PendingArrivals.Arrival]) -> [String] { arrivals.flatMap(\.record.created.keys) }

    @Test("An arrival is due when it has waited for a whole interval") func due() {
        var arrivals = PendingArrivals()
        #expect(!arrivals.startTimer(), "nothing waits")
        arrivals.add(arrival("a"))
        #expect(arrivals.startTimer())
        arrivals.add(arrival("b"))
        #expect(!arrivals.startTimer(), "it runs")
        #expect(arrivals.timerFired() == (false, true))
        #expect(arrivals.timerFired() == (true, true))
        #expect(ids(arrivals.takeAll()) == ["a", "b"])
        #expect(arrivals.timerFired() == (false, false))
        #expect(arrivals.isEmpty)
    }

    @Test("Later arrivals wait anew after those before them were written") func written() {
        var arrivals = PendingArrivals()
        arrivals.add(arrival("a"))
        #expect(arrivals.startTimer())
        #expect(arrivals.timerFired() == (false, true))
        #expect(ids(arrivals.takeAll()) == ["a"])
        arrivals.add(arrival("b"))
        #expect(!arrivals.startTimer(), "it still runs")
        #expect(arrivals.timerFired() == (false, true))
        #expect(arrivals.timerFired() == (true, true))
    }
}
