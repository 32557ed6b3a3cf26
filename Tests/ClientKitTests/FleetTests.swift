import ClientKit
import FleetSimulation
import Testing

/// What ``ReconnectPolicy`` states of a fleet.
struct FleetTests {
    private static let statedShare = 0.06
    /// Of connections that are lost without a word.
    private static let statedShareLost = 0.31

    /// In seconds. The last one is long enough for the waits to be spread evenly, so fewer clients show it.
    @Test(arguments: [(0, 100_000), (10, 100_000), (29, 100_000), (31, 100_000), (45, 100_000), (600, 20_000)])
    func noSecondSeesMoreThanItsShare(outage: Int, clients: Int) {
        var fleet = FleetSimulation()
        fleet.outage = .seconds(outage)
        fleet.clients = clients
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == clients, "all are in again")
        #expect(result.largestShare <= Self.statedShare)
        #expect(result.largestShareDuringOutage <= Self.statedShare)
    }

    @Test(
        "Of a fleet whose connections are reset no second sees more than its share (14.4)",
        arguments: [(0, 100_000), (3, 100_000), (10, 100_000), (30, 100_000), (600, 20_000)]
    )
    func withoutAWord(outage: Int, clients: Int) {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.outage, fleet.clients) = (.lost, .seconds(outage), clients)
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == clients, "all are in again")
        #expect(result.largestShare <= Self.statedShareLost)
        #expect(result.largestShareDuringOutage <= Self.statedShareLost)
    }

    /// The same number of clients in each second of the window, and none later.
    @Test(
        "The arrivals are spread evenly over the first window (14.4)",
        arguments: [(ReconnectPolicy.Cause.lost, 5), (.announced, 30)]
    )
    func arrivalRate(cause: ReconnectPolicy.Cause, window: Int) {
        var fleet = FleetSimulation()
        fleet.cause = cause
        let result = fleet.run()
        let rates = result.arrivalsBySecond(window + 1)
        let even = Double(fleet.clients) / (Double(window) - 0.1)
        // No client arrives in the first tenth of a second.
        #expect(abs(Double(rates[0]) - 0.9 * even) < 0.1 * even, "\(rates)")
        for rate in rates[1..<window] { #expect(abs(Double(rate) - even) < 0.1 * even, "\(rates)") }
        #expect(rates.reduce(0, +) == fleet.clients)
        #expect(rates[window] <= Int(0.001 * Double(fleet.clients)), "\(rates)")
    }

    /// The price of it for one that was put out alone, and what one pays that lost its connection otherwise.
    @Test(arguments: [(ReconnectPolicy.Cause.lost, 5.0), (.announced, 30)]) func howSoonOneIsBack(
        cause: ReconnectPolicy.Cause,
        window: Double
    ) {
        var fleet = FleetSimulation()
        fleet.cause = cause
        let result = fleet.run()
        let middle = window / 2
        #expect(result.time(until: 0.5).map { .seconds(middle - 0.2) ... .seconds(middle + 0.3) ~= $0 } == true)
        #expect(result.time(until: 1).map { $0 <= .seconds(window + 0.1) } == true)
    }

    /// Those who are turned away do not come back sooner.
    @Test func aServerThatLetsInFew() {
        var fleet = FleetSimulation()
        fleet.capacity = 2000
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == 100_000, "all are in again")
        #expect(result.largestShare <= Self.statedShare)
    }

    /// The loss of power of a server is detected by a missing ping, at a different time for each client.
    @Test func silence() {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.noticing) = (.lost, .seconds(25))
        #expect(fleet.run().largestShare <= Self.statedShare)
    }

    /// A check of the simulation: with the short window for all clients, nearly all arrive at once.
    @Test func theShortWindowWouldNotDo() {
        var fleet = FleetSimulation()
        fleet.cause = .failed
        #expect(fleet.run().largestShare > 0.99)
    }
}
