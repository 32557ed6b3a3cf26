import ClientKit
import FleetSimulation

/// The connections at a server that 100,000 agents lost in the same moment, simulated with the reconnect policy.
struct Fleet {
    func measure(into table: Table) {
        let causes = [
            (ReconnectPolicy.Cause.announced, "server closes all connections"), (.lost, "all connections are reset"),
        ]
        for (cause, loss) in causes {
            for (words, outage) in [("back at once", 0), ("back after 30 s", 30), ("back after 10 min", 600)] {
                var fleet = FleetSimulation()
                (fleet.cause, fleet.outage) = (cause, .seconds(outage))
                add("\(loss), \(words)", fleet, to: table)
            }
        }
        var limited = FleetSimulation()
        limited.capacity = 2000
        add("server closes all connections, lets in 2,000 a second", limited, to: table)
        var silent = FleetSimulation()
        (silent.cause, silent.noticing, silent.outage) = (.lost, .seconds(25), .seconds(0))
        add("server goes silent, noticed by its pings every 25 s", silent, to: table)
        var hasty = FleetSimulation()
        hasty.cause = .failed
        add("for comparison: first waits of at most 1 s", hasty, to: table)
    }

    private func add(_ words: String, _ fleet: FleetSimulation, to table: Table) {
        let result = fleet.run()
        func percent(_ share: Double) -> String { "\((share * 100).rounded(to: 1)) %" }
        func seconds(_ share: Double) -> String {
            result.time(until: share).map { "\(($0 / .seconds(1)).rounded(to: 1)) s" } ?? "never"
        }
        table.add(
            "fleet of 100,000: \(words)",
            """
            at most \(percent(result.largestShare)) in a second; half are in after \(seconds(0.5)), all after \
            \(seconds(1))
            """,
            fleet.cause == .lost && fleet.noticing == .zero ? "≤ 31 % in a second" : "≤ 6 % in a second"
        )
        let counts = result.arrivalsBySecond(30).map(String.init).joined(separator: " ")
        remark("\(words): arrivals in each of the first 30 s once the server is back: \(counts)")
    }
}
