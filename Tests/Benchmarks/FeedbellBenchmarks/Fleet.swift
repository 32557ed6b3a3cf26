import ClientKit
import FleetSimulation

/// The connections at a server that 100,000 agents lost in the same moment, simulated with the reconnect policy.
struct Fleet {
    func measure(into table: Table) throws {
        let causes = [
            (ReconnectPolicy.Cause.announced, "server closes all connections"), (.lost, "all connections are reset"),
        ]
        for (cause, loss) in causes {
            for (words, outage) in [("back at once", 0), ("back after 30 s", 30), ("back after 10 min", 600)] {
                var fleet = FleetSimulation()
                (fleet.cause, fleet.outage) = (cause, .seconds(outage))
                let budget = cause == .announced ? Budget.fleetAnnounced : .fleetLost
                try add("\(loss), \(words)", fleet, budget, to: table)
            }
        }
        var limited = FleetSimulation()
        limited.capacity = 2000
        try add("server closes all connections, lets in 2,000 a second", limited, .fleetAnnounced, to: table)
        var silent = FleetSimulation()
        (silent.cause, silent.noticing, silent.outage) = (.lost, .seconds(25), .seconds(0))
        try add("server goes silent, noticed by its pings every 25 s", silent, .fleetLost, to: table)
        for interval in [5, 10, 20] {
            var flapping = FleetSimulation()
            (flapping.cause, flapping.interval) = (.lost, .seconds(interval))
            try add("server loses all connections every \(interval) s", flapping, .fleetLost, to: table)
        }
        var hasty = FleetSimulation()
        hasty.cause = .failed
        try add("for comparison: first waits of at most 1 s", hasty, nil, to: table)
    }

    private func add(_ words: String, _ fleet: FleetSimulation, _ budget: Budget?, to table: Table) throws {
        let result = fleet.run()
        func seconds(_ share: Double) -> String {
            result.time(until: share).map { "\(($0 / .seconds(1)).rounded(to: 1)) s" } ?? "never"
        }
        try table.add(
            "fleet of 100,000: \(words): the most in a second",
            Figure(result.largestShare * 100, .percent),
            beside: fleet.interval == nil
                ? "half are in after \(seconds(0.5)), all after \(seconds(1))"
                : "a client waits \((result.averageDelay / .seconds(1)).rounded(to: 1)) s on average",
            budget
        )
        let counts = result.arrivalsBySecond(30).map(String.init).joined(separator: " ")
        remark("\(words): arrivals in each of the first 30 s once the server is back: \(counts)")
    }
}
