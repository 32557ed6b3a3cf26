import ClientKit
import FleetSimulation
import Testing

/// The numbers that ``ReconnectPolicy`` states for a fleet of clients.
struct FleetTests {
    private static let statedShare = 0.06
    /// For connections that are lost without a close.
    private static let statedShareLost = 0.31

    /// Outages in seconds. After the longest one the delays are spread evenly, so fewer clients are enough.
    @Test(
        "In no second does more than 6 % of a fleet connect, however long the outage was",
        arguments: [(0, 100_000), (10, 100_000), (29, 100_000), (31, 100_000), (45, 100_000), (600, 20_000)]
    )
    func shareOfEachSecond(outage: Int, clients: Int) {
        var fleet = FleetSimulation()
        fleet.outage = .seconds(outage)
        fleet.clients = clients
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == clients, "all clients are connected again")
        #expect(result.largestShare <= Self.statedShare)
        #expect(result.largestShareDuringOutage <= Self.statedShare)
    }

    @Test(
        "After a loss without a close, at most 31 % of a fleet connect in one second",
        arguments: [(0, 100_000), (3, 100_000), (10, 100_000), (30, 100_000), (600, 20_000)]
    )
    func shareAfterLoss(outage: Int, clients: Int) {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.outage, fleet.clients) = (.lost, .seconds(outage), clients)
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == clients, "all clients are connected again")
        #expect(result.largestShare <= Self.statedShareLost)
        #expect(result.largestShareDuringOutage <= Self.statedShareLost)
    }

    /// The same number of clients in each second of the window, and none later.
    @Test(
        "The arrivals are spread evenly over the first window",
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

    @Test(
        "A client is back after half the window on average, and at the end of it at the latest",
        arguments: [(ReconnectPolicy.Cause.lost, 5.0), (.announced, 30)]
    ) func delayOfOneClient(
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

    @Test("Clients that a server of limited capacity rejects do not come back sooner") func limitedCapacity() {
        var fleet = FleetSimulation()
        fleet.capacity = 2000
        let result = fleet.run()
        #expect(result.admissions.reduce(0, +) == 100_000, "all clients are connected again")
        #expect(result.largestShare <= Self.statedShare)
    }

    @Test("The share also holds when each client detects the loss by a missing ping") func silentLoss() {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.noticing) = (.lost, .seconds(25))
        #expect(fleet.run().largestShare <= Self.statedShare)
    }

    /// The server loses all connections, again and again. Of those that lasted for less than 15 s, the windows grow to
    /// 15 s: the server is spared. Of the others they start over: the clients are back soon, as after a single loss.
    @Test(
        "At a server that loses its connections every few seconds, the clients come less often, and wait 15 s at most",
        arguments: [
            (ReconnectPolicy.Cause.lost, 5, 6.8...7.6), (.lost, 10, 6.8...7.6), (.lost, 20, 2.5...2.6),
            (.lost, 60, 2.5...2.6), (.announced, 5, 15...15.2), (.announced, 60, 15...15.2),
        ] as [(ReconnectPolicy.Cause, Int, ClosedRange<Double>)]
    ) func flappingServer(cause: ReconnectPolicy.Cause, interval: Int, delay: ClosedRange<Double>) {
        var fleet = FleetSimulation()
        (fleet.cause, fleet.interval, fleet.clients) = (cause, .seconds(interval), 20_000)
        let result = fleet.run()
        #expect(result.largestShare <= (cause == .announced ? 0.09 : 0.22))
        #expect(delay.contains(result.averageDelay / .seconds(1)), "\(result.averageDelay)")
    }

    /// A check of the simulation: with the short window for all clients, nearly all arrive at once.
    @Test("With the window of a failed attempt, nearly all clients would connect in one second") func shortWindow() {
        var fleet = FleetSimulation()
        fleet.cause = .failed
        #expect(fleet.run().largestShare > 0.99)
    }
}
